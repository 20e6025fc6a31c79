// Loops: bounds, and waiting instead of spinning.
//
// Spin loops (SAVER, chapter 7.2 of the thesis of M. Kokologiannakis). An iteration that changed nothing, neither memory
// nor a value that the loop carries round, and that has not left the loop, can be left out: whatever the thread does
// after n such iterations it can do after none. So instead of going round the thread waits for ever (heddle_spin), and the
// executions in which another value was there in time are explored anyway. Whether an iteration has changed anything is
// found out while it runs, by code at its end:
//
//     header:  changed = false; v = phi(...)              the values that the loop carries round, if they are relevant
//     body:    compare-exchange                           changed |= it succeeded
//              plain store                                changed |= the value stored is another one
//              anything else with an effect               changed = true
//     latch:   if (!changed && every v is what it was) heddle_spin() else goto header
//
// In the usual loops the optimiser finds `changed` to be false and there is nothing to compare, which is SAVER's static
// spin-assume; where it depends (helping in a queue, a spurious failure) this is its dynamic one. Atomic stores and other
// read-modify-writes are effects, so a test-and-set loop is not a spin loop, but the inner loop of a test-and-test-and-set is.
//
// Bounds. A loop that is not known to end and that has a visible operation or a call in it gets a counter if the user
// gave a bound; the back edge that would exceed it calls heddle_loop_bound.
//
// A loop that may run for ever without any visible operation leaves its place in heddle_call_source, for whoever has to
// stop it.
//
// All of it needs the code before accesses and atomics are lowered, and after small functions are inlined.
#pragma once

#include "native/instrumentation.h"

namespace heddle::native {

void instrumentLoops(Instrumentation& instrumentation, llvm::Function& function);

}  // namespace heddle::native
