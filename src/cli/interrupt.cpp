#include "cli/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <new>
#include <string_view>
#include <utility>

#include "cli/exit_code.h"

namespace heddle::cli {

namespace {

std::atomic<bool> attention{false};
std::atomic<bool> signalled{false};
static_assert(std::atomic<bool>::is_always_lock_free);

std::string lastWords;
std::atomic<const std::string*> endsWith{nullptr};
static_assert(std::atomic<const std::string*>::is_always_lock_free);
std::string wordsWithoutMemory;

// The order matters: whoever is called by the one finds the other.
extern "C" void onSignal(int) {
  if (const std::string* const text = endsWith.load()) {
    [[maybe_unused]] const ssize_t written = write(STDOUT_FILENO, text->data(), text->size());
    _exit(kIncomplete);
  }
  signalled.store(true, std::memory_order_relaxed);
  attention.store(true, std::memory_order_release);
}

void install(int number) {
  struct sigaction action = {};
  action.sa_handler = onSignal;
  // A signal may arrive on the small stack of a checked program's thread; the other stack exists then.
  action.sa_flags = SA_RESTART | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

}  // namespace

void handleInterrupts() {
  install(SIGINT);
  install(SIGTERM);
}

void endAtInterrupt(std::string text) {
  endsWith.store(nullptr);
  lastWords = std::move(text);
  if (!lastWords.empty()) endsWith.store(&lastWords);
}

void endWithoutMemory(const std::optional<std::string>& text) {
  std::set_new_handler(nullptr);
  if (!text) return;
  wordsWithoutMemory = *text;
  std::set_new_handler([] {
    static constexpr std::string_view kReason = "heddle: out of memory while the program was compiled\n";
    [[maybe_unused]] ssize_t written = write(STDOUT_FILENO, wordsWithoutMemory.data(), wordsWithoutMemory.size());
    written = write(STDERR_FILENO, kReason.data(), kReason.size());
    _exit(kIncomplete);
  });
}

std::atomic<bool>& attentionFlag() { return attention; }

const std::atomic<bool>& interruptFlag() { return signalled; }

bool wasInterrupted() { return signalled.load(std::memory_order_relaxed); }

}  // namespace heddle::cli
