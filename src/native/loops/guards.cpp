#include "native/loops/guards.h"

#include <llvm/IR/Instructions.h>

namespace heddle::native {
namespace {

// Null if it is no atomic write.
llvm::Value* addressOf(llvm::Instruction& instruction) {
  if (instruction.isVolatile()) return nullptr;
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isAtomic())
    return store->getPointerOperand();
  if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return rmw->getPointerOperand();
  if (auto* cas = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) return cas->getPointerOperand();
  return nullptr;
}

}  // namespace

std::vector<llvm::Instruction*> findGuards(const llvm::Loop& loop, llvm::ScalarEvolution& evolution,
                                           const std::function<bool(const llvm::Instruction&)>& failsIfGoingRound) {
  std::vector<llvm::Instruction*> writes;
  for (llvm::BasicBlock* block : loop.blocks()) {
    for (llvm::Instruction& instruction : *block) {
      if (!addressOf(instruction)) continue;
      const bool fails = llvm::isa<llvm::AtomicCmpXchgInst>(instruction) && failsIfGoingRound(instruction);
      if (!fails) writes.push_back(&instruction);
    }
  }
  std::vector<llvm::Instruction*> guards;
  for (llvm::Instruction* write : writes) {
    bool several = false, updates = !llvm::isa<llvm::StoreInst>(write);
    for (llvm::Instruction* other : writes) {
      if (other == write || evolution.getSCEV(addressOf(*other)) != evolution.getSCEV(addressOf(*write))) continue;
      several = true;
      updates |= !llvm::isa<llvm::StoreInst>(other);
    }
    if (several && updates) guards.push_back(write);
  }
  return guards;
}

}  // namespace heddle::native
