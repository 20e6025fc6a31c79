// Loops: bounds, and waiting instead of spinning.
//
// Spin loops (SAVER, chapter 7.2 of the thesis of M. Kokologiannakis). An iteration that changed nothing, neither memory
// nor a value that the loop carries round, and that has not left the loop, can be left out: whatever the thread does
// after n such iterations it can do after none. So instead of going round the thread waits for ever (heddle_spin), and the
// executions in which another value was there in time are explored anyway. Whether an iteration has changed anything is
// found out while it runs, by code at its end:
//
//     header:  changed = false; v = phi(...)              the values that the loop carries round, if they are relevant
//     body:    compare-exchange                           changed |= it succeeded, and the value written is another one
//              other read-modify-write                    changed |= the value written is another one
//              plain store                                changed |= the value stored is another one
//              anything else with an effect               changed = true
//     latch:   if (!changed && every v is what it was) heddle_spin() else goto header
//
// In the usual loops there is nothing to watch and nothing to compare, which is SAVER's static spin-assume; where it depends
// (helping in a queue, a spurious failure) this is its dynamic one. What is known before it runs:
//
//   - a compare-exchange has failed wherever the loop goes round                 loop_plan.cpp, after thread_exchanges.h
//   - a plain store is overwritten by the next iteration before it is read       overwritten.h
//   - what is written is memory that the iteration has allocated; to be freed by it, too   loop_plan.cpp, watched
//   - a value that is carried round is loaded anew in every iteration            peeled_loops.h, reread.h
//   - a value that is carried round does not matter to anything                  relevance.h
//
// A read-modify-write that writes what it has read, such as a test-and-set of what is set, can be left out like a read:
// whoever reads from it reads the same from the write before it, which is no less synchronised with, as read-modify-writes
// continue release sequences.
//
// Some iterations take back what they have changed. If that is an addition, it waits by itself (attempts.h), and nothing is
// done here. If it is a mutex, which is taken and given back, the iteration counts as one without effect as long as both
// are in balance. Whether anybody could notice is found out by the explorer (explore/zero_net_effect.cpp), which then
// starts again, and then it counts.
//
// A program can say that a round was in vain where none of this sees it: marked_rounds.h.
//
// Bounds. A loop that is not known to end and in which something visible may happen (visible_code.h) gets a counter if the user
// gave a bound; so does any loop for which there is one by name. The back edge that would exceed it calls
// heddle_loop_bound.
//
// A loop that may run for ever without any visible operation leaves its place in heddle_call_source, for whoever has to
// stop it.
//
// All of it needs the code before accesses and atomics are lowered, and after small functions are inlined.
#pragma once

#include "native/instrument/shared_state.h"
#include "native/loops/visible_code.h"

namespace heddle::native {

void instrumentLoops(Instrumentation& instrumentation, const VisibleCode& visible, llvm::Function& function);

}  // namespace heddle::native
