// What can stop an exploration from outside: a time budget, SIGINT, SIGTERM.
//
// All of them end in one lock-free flag that the explorer looks at. The budget is an interval timer of the process,
// because a signal costs nothing until it arrives, and the hot loop has no clock to read.
#pragma once

#include <atomic>

namespace heddle::cli {

// Installs the handlers. The first SIGINT or SIGTERM sets the flag; a second one ends the program.
void handleInterrupts();

const std::atomic<bool>& interruptFlag();

// Has a signal, as opposed to the timer, asked to stop?
bool wasInterrupted();

// While it exists the flag is set after so many seconds; none if 0. Clears the flag at the end, unless a signal has
// set it.
class TimeBudget {
 public:
  explicit TimeBudget(double seconds);
  ~TimeBudget();
  TimeBudget(const TimeBudget&) = delete;
  TimeBudget& operator=(const TimeBudget&) = delete;
};

}  // namespace heddle::cli
