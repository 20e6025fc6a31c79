// When native code goes wrong in a way that no check saw: signals, endless loops, exceptions that nobody catches.
//
// While a Guard exists, a fault of the running fiber (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP) does not end the process: the
// handler notes an error for the running thread and returns into the explorer, as if the fiber had paused at a failed
// assertion; the fiber is abandoned. A watchdog does the same to a thread that runs for long without a visible
// operation. A fault anywhere else is the process's own and has the usual effect.
#pragma once

#include <memory>

namespace heddle::native {

class CrashGuard {
 public:
  explicit CrashGuard(double stuckSeconds);
  ~CrashGuard();
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;

 private:
  struct Watchdog;
  std::unique_ptr<Watchdog> watchdog_;
};

}  // namespace heddle::native
