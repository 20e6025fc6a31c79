#include "native/loops/redone_stores.h"

#include <llvm/IR/Instructions.h>

#include "native/instrument/attempt_marks.h"
#include "native/loops/bytes.h"

namespace heddle::native {
namespace {

Bytes bytesOf(const llvm::StoreInst& store) {
  return bytesAt(*store.getPointerOperand(), *store.getValueOperand()->getType(), *store.getModule());
}

}  // namespace

void markStores(const llvm::Loop& loop, const std::vector<llvm::StoreInst*>& overwritten,
                const std::vector<llvm::StoreInst*>& others) {
  for (llvm::StoreInst* store : overwritten) markStore(*store, {.redone = true});
  // Where a store goes may change from round to round. Then it is a place of its own in each.
  const auto mayMeet = [&](const llvm::StoreInst* a, const llvm::StoreInst* b) { return mayOverlap(bytesOf(*a), bytesOf(*b)); };
  for (llvm::StoreInst* store : others) {
    bool alone = overwritten.empty() && loop.isLoopInvariant(bytesOf(*store).base);
    for (const llvm::StoreInst* other : others) alone &= other == store || !mayMeet(store, other);
    markStore(*store, {.redone = !alone, .mayBeRepeated = true});
  }
}

}  // namespace heddle::native
