// Plain stores in a loop that the next iteration overwrites before anybody could tell.
//
// Pushing a node onto a stack is a loop that writes the node's link and then tries to exchange the top. If the exchange fails
// the link is written again, so what it was does not matter: the location is dead where the loop begins, like a register
// (thesis 7.2.5, where such writes have to be to memory that no other thread knows of yet; here that is not asked, because
// another thread that reads what an iteration without any other effect has stored races with the store). The same goes for a
// variable that lives within an iteration. A store in a loop inside that fills an array, element by element, is one to all of
// the array: so a reader of a sequence lock may copy it word by word. An atomic store can be read by others without a race: for that see
// redone_stores.h.
#pragma once

#include "native/loops/hidden_objects.h"

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
class StoreInst;
}  // namespace llvm

namespace heddle::native {

struct LoopAnalyses {
  const llvm::LoopInfo& loops;
  const llvm::DominatorTree& dominators;
  llvm::ScalarEvolution& evolution;
};

// Is there, on every way from the loop's header, a store to the same bytes before anything that may read them, and before
// the loop is left?
bool isOverwritten(const llvm::StoreInst& store, const llvm::Loop& loop, const LoopAnalyses& analyses,
                   const IsInVain& isInVain);

}  // namespace heddle::native
