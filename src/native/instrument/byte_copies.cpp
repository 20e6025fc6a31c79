#include "native/instrument/byte_copies.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <utility>
#include <vector>

#include "native/instrument/access_hook.h"
#include "native/instrument/globals.h"

namespace heddle::native {
namespace {

bool isChecked(const AccessHook& check, llvm::Value* address) {
  const llvm::Value* base = check.placeOf(address).base;
  return !llvm::isa<llvm::AllocaInst>(base) && !isRuntimeVariable(base);
}

// The store that the byte goes to, if it goes nowhere else and nothing happens to memory in between.
llvm::StoreInst* storeOf(const AccessHook& check, llvm::LoadInst& load) {
  if (!load.isSimple() || !load.getType()->isIntegerTy(8) || !load.hasOneUse() || load.hasMetadata(kOwnAccess)) return nullptr;
  auto* store = llvm::dyn_cast<llvm::StoreInst>(load.user_back());
  if (!store || !store->isSimple() || store->getValueOperand() != &load || store->getParent() != load.getParent())
    return nullptr;
  if (!isChecked(check, load.getPointerOperand()) || !isChecked(check, store->getPointerOperand())) return nullptr;
  for (const llvm::Instruction* next = load.getNextNode(); next != store; next = next->getNextNode()) {
    if (next->mayWriteToMemory() || next->mayHaveSideEffects()) return nullptr;
  }
  return store;
}

void lower(Instrumentation& instrumentation, AccessHook& check, llvm::LoadInst& load, llvm::StoreInst& store) {
  const std::uint32_t source = instrumentation.sources.of(load);
  load.moveBefore(&store);
  Access access;
  access.instruction = &load;
  access.address = load.getPointerOperand();
  access.size = 1;
  llvm::IRBuilder<> builder(&load);
  check.checkBounds(builder, access, source);
  llvm::Value* slow = check.slowCondition(builder, access);
  llvm::Instruction* slowEnd = nullptr;
  llvm::Instruction* fastEnd = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(slow, &load, &slowEnd, &fastEnd);
  slowEnd->setDebugLoc(load.getDebugLoc());
  fastEnd->setDebugLoc(load.getDebugLoc());
  load.moveBefore(fastEnd);
  store.moveBefore(fastEnd);
  markOwn(load);
  builder.SetInsertPoint(slowEnd);
  check.checkBounds(builder, Access{.address = store.getPointerOperand(), .size = 1}, source);
  builder.CreateCall(instrumentation.hooks.copy, {store.getPointerOperand(), load.getPointerOperand(), builder.getInt64(1),
                                                  instrumentation.where(builder, source)});
}

}  // namespace

void lowerByteCopies(Instrumentation& instrumentation, llvm::Function& function) {
  AccessHook check(instrumentation);
  std::vector<std::pair<llvm::LoadInst*, llvm::StoreInst*>> copies;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load) continue;
    if (llvm::StoreInst* store = storeOf(check, *load)) copies.emplace_back(load, store);
  }
  for (const auto& [load, store] : copies) lower(instrumentation, check, *load, *store);
}

}  // namespace heddle::native
