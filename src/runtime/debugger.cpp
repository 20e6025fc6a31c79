#include "runtime/debugger.h"

namespace heddle::runtime {

HeddleDebugger heddle_debugger;

// There has to be a call, and something at its end to stop at.
[[gnu::noinline]] void heddle_debugger_stop() { asm volatile("" : : "r"(&heddle_debugger) : "memory"); }

}  // namespace heddle::runtime
