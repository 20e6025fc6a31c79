#include "native/loops/hoisted_addresses.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace heddle::native {

void hoistAddresses(llvm::Function& function) {
  llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {  // outer ones first
    for (llvm::BasicBlock* block : loop->blocks()) {
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
        auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        bool changed = false;
        if (store) loop->makeLoopInvariant(store->getPointerOperand(), changed);
      }
    }
  }
}

}  // namespace heddle::native
