// When native code goes wrong in a way that no check saw: signals, exceptions that nobody catches; and when it takes long.
//
// While a CrashGuard exists, a fault of the running fiber (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP) does not end the process: the
// handler notes what has happened (Crash) and returns into the explorer, as if the fiber had paused at a failed assertion; the
// fiber is abandoned. A fault anywhere else is the process's own and has the usual effect. What was interrupted may have
// been in the middle of an allocation, so a handler neither allocates nor formats: what is said about the crash is put into
// words in the explorer (errorOf).
//
// A system call that the sandbox refuses to the running fiber (sandbox/sandbox.h) is such a fault, too.
//
// A watchdog looks at the running fiber a few times a second, because the explorer cannot: nobody else looks at budgets and
// interrupts while native code runs without a visible operation. If the run has to stop (Attendant::isUrgent) the fiber is
// abandoned, and the step that it was taking is left to be taken again. If the step has taken longer than the user allows,
// that is an error of the program.
//
// The watchdog acts only where it has interrupted the program's own code. Hooks and host functions may be in the middle
// of anything, say of an allocation; there it comes back a moment later, and asks hooks that take long to look for
// themselves (RunningThread::stopIfAsked).
#pragma once

#include <memory>

#include "program/operation.h"
#include "runtime/error.h"

namespace heddle::runtime {

// What a signal handler notes about the running thread.
struct Crash {
  enum class Kind : std::uint8_t { none, stackOverflow, nullPointer, signal, stuck, systemCall };
  Kind kind = Kind::none;
  int signal = 0;       // its number, or that of the system call
  Address address = 0;  // that could not be accessed
  double allowed = 0;   // stuck: the seconds that a step may take
};
Error errorOf(const Crash& crash);  // without thread and source

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

}  // namespace heddle::runtime
