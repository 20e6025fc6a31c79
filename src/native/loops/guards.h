// Flags that a round of a loop sets and takes back.
//
//     for (;;) {
//       assert(!inside.exchange(true));      am I alone?
//       const bool done = tryPop();
//       inside.exchange(false);
//       if (done) break;
//     }
//
// Debug builds of libraries have such guards. Each round writes to the flag, and in the end it is what it was. A flag of two
// threads is an error of the program, which the assertion finds. So nobody else is at the flag in the meantime, and then a round in
// vain can be left out. Whether the flag is what it was is known to the runtime (runtime/idle_waits.cpp); that nobody is
// there is checked by the explorer (explore/redone_stores.cpp). If somebody is, as at a lock, the exploration starts again,
// and each write counts.
//
// A guard is two or more atomic writes of a loop to the same address, not all of them stores: for stores alone there is
// redone_stores.h.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>

#include <functional>
#include <vector>

namespace heddle::native {

// The writes to guards. `failsIfGoingRound`: of a compare-exchange, which then writes nothing in a round in vain.
std::vector<llvm::Instruction*> findGuards(const llvm::Loop& loop, llvm::ScalarEvolution& evolution,
                                           const std::function<bool(const llvm::Instruction&)>& failsIfGoingRound);

}  // namespace heddle::native
