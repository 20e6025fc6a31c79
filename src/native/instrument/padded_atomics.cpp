#include "native/instrument/padded_atomics.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <vector>

namespace heddle::native {
namespace {

// The size of the structure in a temporary object that is larger than it, or 0. clang's type for those has no name: the structure,
// then bytes.
std::uint64_t sizeOfPadded(const llvm::AllocaInst& temporary, const llvm::DataLayout& layout) {
  const auto* type = llvm::dyn_cast<llvm::StructType>(temporary.getAllocatedType());
  if (!type || !type->isLiteral() || type->getNumElements() != 2) return 0;
  const auto* padding = llvm::dyn_cast<llvm::ArrayType>(type->getElementType(1));
  if (!padding || !padding->getElementType()->isIntegerTy(8)) return 0;
  return layout.getTypeAllocSize(type->getElementType(0));
}

// Does the store write what a compare-exchange has found?
bool isFound(const llvm::StoreInst& store) {
  const auto* found = llvm::dyn_cast<llvm::ExtractValueInst>(store.getValueOperand());
  return found && llvm::isa<llvm::AtomicCmpXchgInst>(found->getAggregateOperand());
}

void complete(llvm::AllocaInst& temporary, std::uint64_t size) {
  llvm::MemCpyInst* filled = nullptr;
  std::vector<llvm::StoreInst*> found;
  for (llvm::User* user : temporary.users()) {
    if (auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(user); copy && copy->getRawDest() == &temporary) filled = copy;
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user); store && isFound(*store)) found.push_back(store);
  }
  if (!filled) return;
  llvm::IRBuilder<> builder(filled);
  const std::uint64_t whole = temporary.getAllocationSize(temporary.getModule()->getDataLayout())->getFixedValue();
  llvm::Value* const padding = builder.CreateConstGEP1_64(builder.getInt8Ty(), &temporary, size);
  builder.CreateMemSet(padding, builder.getInt8(0), whole - size, llvm::Align(1));
  for (llvm::StoreInst* store : found) {
    llvm::IRBuilder<> after(store->getNextNode());
    after.SetCurrentDebugLocation(store->getDebugLoc());
    after.CreateMemCpy(filled->getRawSource(), filled->getSourceAlign(), &temporary, temporary.getAlign(), size);
  }
}

}  // namespace

void completePaddedAtomics(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  std::vector<llvm::AllocaInst*> variables;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable && variable->isStaticAlloca() && sizeOfPadded(*variable, layout) != 0) variables.push_back(variable);
  }
  for (llvm::AllocaInst* variable : variables) complete(*variable, sizeOfPadded(*variable, layout));
}

}  // namespace heddle::native
