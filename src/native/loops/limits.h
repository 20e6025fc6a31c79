// Loops that spin for a while and then do something else.
//
//     for (int i = 0; i < n; i++) {
//       if (x.load()) return;                   any test that changes nothing if it fails
//       pause();
//     }
//     park();
//
// Here i changes in every round, so that no round ends as it began. But i decides nothing, except when the thread has had
// enough. Take an execution, and leave out its rounds in vain:
//
//   - If the loop is left by another way in the end, the round in which that happens might have been the first. So it is
//     explored with no round before it.
//   - If the thread gives up, the round before might have been the only one in vain: which of the values the others have
//     read is of no interest, as they have changed nothing. So after one round in vain the thread gives up.
//
// That takes two things. All rounds that go round must be in vain: one that changes something counts, and then the number of rounds
// in vain before it matters, too. And the round must be one that could come as often as it takes, with the same values. If it
// has read once, it could: what is read once can be read again. If it looks, and then tries to exchange,
//
//       if (x.load() == 0 && x.compare_exchange(0, 1)) return;
//
// it could if the exchange has failed with the value that the load has found. If it has found another one, the thread goes on with the
// next round. That one may find this value twice, and gives up then, having learned no more, unless a strong exchange
// expects what the load has found: it would succeed.
//
//
// The count must be of use for nothing else, not even behind the loop: not for how often it was tried, nor for which
// element of an array was looked at. Giving up is to go from the end of a round to where the test of the count leads. So
// either that test comes first in a round and reads nothing, or nothing that matters comes after it.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>

#include <optional>
#include <unordered_set>
#include <vector>

#include "native/pipeline.h"

namespace heddle::native {

// The test of a count, and which of its ways leaves the loop.
struct Limit {
  llvm::Instruction* test = nullptr;
  unsigned out = 0;
};

// A load and a compare-exchange after it, of the same location.
struct Look {
  llvm::LoadInst* load = nullptr;
  llvm::AtomicCmpXchgInst* exchange = nullptr;
};

// That of a count which changes in every round; nothing if the count is of any other use. `relevant`: see relevance.h.
std::optional<Limit> limitOf(llvm::PHINode& count, const llvm::Loop& loop, llvm::ScalarEvolution& evolution,
                             const llvm::DominatorTree& dominators, const BuildOptions& options,
                             const std::unordered_set<const llvm::Instruction*>& relevant);

// What a round reads, if it is a look before an exchange, and if after every round in vain there may be one that finds the same twice.
std::optional<Look> lookBeforeExchange(const std::vector<llvm::Instruction*>& reads, const llvm::Loop& loop,
                                       const llvm::DominatorTree& dominators);

}  // namespace heddle::native
