// Atomic stores in loops that wait.
//
// An atomic store is an effect: others may read it. But in two cases a round with such a store can still be left out.
//
//     do {                                               The next round writes the link anew before anybody is told where
//       node->next.store(top, relaxed);                  the node is. What was there does not matter, as with a plain store
//     } while (!head.compare_exchange(top, node));       (overwritten.h).
//
//     do {                                               A hazard pointer is published in each round. A round that writes
//       hazard[i].store(node = head.load());             what the thread itself has written there last changes nothing,
//     } while (!head.compare_exchange_weak(...));        and neither do several stores the last of which does.
//
// Whether that is the last value is known to the runtime (runtime/idle_waits.h). That others cannot tell is found out by the
// explorer, which has all accesses before it; explore/redone_stores.cpp says what must hold, and why. If it does not, the
// exploration starts again, and every atomic store counts.
//
// How much others may do depends on the loop. If it has other stores to what may be the same place, values come and go in a
// round, and nobody may read them. If it has one, nobody may write there; who reads finds the same value as before.
#pragma once

#include <llvm/Analysis/LoopInfo.h>

#include <vector>

namespace heddle::native {

// Marks the atomic stores of a loop (instrument/attempt_marks.h). `overwritten`: those that the next round makes anew.
void markStores(const llvm::Loop& loop, const std::vector<llvm::StoreInst*>& overwritten,
                const std::vector<llvm::StoreInst*>& others);

}  // namespace heddle::native
