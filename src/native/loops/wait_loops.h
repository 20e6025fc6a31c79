// Loops that wait at a condition variable.
//
//     while (!ready) pthread_cond_wait(&condition, &mutex);
//
// A thread that wakes up spuriously, finds that nothing has changed, and waits again might as well have slept on, and
// then need not wake up spuriously a second time (library/pthread_cond.cpp). Whether it has changed anything in memory,
// and what it has done that others can see, is known to the runtime when it waits again. What it has in its local
// variables is known here: the values that the loop carries round, if they matter (relevance.h), are compared with what
// they were, and so are those that an iteration keeps while it waits.
//
//     entry:   place = none
//     wait k:  heddle_wait_again(place == k && what is kept is what it was ? same : place == none ? first : other)
//              place = k
//     latch:   if (some value that is carried round is not what it was) place = another
//
// Who writes a local variable that is on the native stack and not in a register has changed something, unless it is
// written again before anybody reads it.
//
// A call of any function that may wait is such a wait: if there is no other loop in between, this one decides, unless a
// function on the way keeps something by itself. Each call has a number of its own, so that the thread is known to come
// back to the same one.
#pragma once

#include <set>
#include <vector>

#include "native/instrument/shared_state.h"

namespace heddle::native {

// The functions that may wait at a condition variable, directly or not; before anything is instrumented.
std::set<const llvm::Function*> waitingFunctions(const llvm::Module& module);

class WaitLoops {
 public:
  // Before the function's other loops are instrumented.
  WaitLoops(Instrumentation& instrumentation, llvm::Function& function, const std::set<const llvm::Function*>& waiting);
  // And after.
  void instrument();

 private:
  Instrumentation& ins_;
  llvm::Function& function_;
  const std::set<const llvm::Function*>& waiting_;
  std::vector<llvm::AllocaInst*> variables_;  // of the program
};

}  // namespace heddle::native
