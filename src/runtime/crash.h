// When native code goes wrong in a way that no check saw: signals, exceptions that nobody catches; and when it takes long.
//
// While a Guard exists, a fault of the running fiber (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP) does not end the process: the
// handler notes an error for the running thread and returns into the explorer, as if the fiber had paused at a failed
// assertion; the fiber is abandoned. A fault anywhere else is the process's own and has the usual effect.
//
// A watchdog looks at the running fiber a few times a second, because the explorer cannot: nobody else looks at budgets and
// interrupts while native code runs without a visible operation. If the run has to stop (Attendant::isUrgent) the fiber is
// abandoned, and the step that it was taking is left to be taken again. If the step has taken longer than the user allows,
// that is an error of the program.
//
// The watchdog acts only where it has interrupted the program's own code. Hooks and host functions may be in the middle
// of anything, say of an allocation; there it comes back a moment later, and asks hooks that take long to look for
// themselves (NativeProgram::stopIfAsked). So what it does need not be safe in a signal
// handler: it is as if the program had called it.
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
