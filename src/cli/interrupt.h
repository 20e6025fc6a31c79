// What can stop an exploration from outside: SIGINT, SIGTERM.
//
// Both end in a lock-free flag that the explorer looks at after each execution; the run's own timer sets it as well
// (parallel/ticker.h), and whoever then looks closer finds out here whether a signal was the reason.
#pragma once

#include <atomic>
#include <optional>
#include <string>

namespace heddle::cli {

// Installs the handlers. The first SIGINT or SIGTERM sets the flag; a second one ends the program.
void handleInterrupts();

// While there is nothing to report, as nothing is explored yet: an interrupt prints this text and ends the program as
// incomplete. Empty: it sets the flag again.
void endAtInterrupt(std::string text);

// While clang and LLVM are at work, who cannot be left by an exception: memory that runs out prints this text, says so on standard
// error, and ends the program as incomplete. None: it is std::bad_alloc again.
void endWithoutMemory(const std::optional<std::string>& text);

std::atomic<bool>& attentionFlag();

// Has a signal asked to stop?
const std::atomic<bool>& interruptFlag();
bool wasInterrupted();

}  // namespace heddle::cli
