#include "native/compile/asked_results.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/FunctionComparator.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <vector>

#include "native/compile/simplify.h"

namespace heddle::native {
namespace {

// The function that makes the call, if this is its result.
llvm::Function& copyWith(const llvm::CallBase& call, std::int64_t result) {
  llvm::ValueToValueMapTy copies;
  llvm::Function* copy = llvm::CloneFunction(const_cast<llvm::Function*>(call.getFunction()), copies);
  llvm::Value* own = copies[&call];
  own->replaceAllUsesWith(llvm::ConstantInt::getSigned(own->getType(), result));
  std::vector<llvm::AllocaInst*> variables;
  for (llvm::Instruction& instruction : copy->getEntryBlock()) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable && llvm::isAllocaPromotable(variable)) variables.push_back(variable);
  }
  llvm::DominatorTree dominators(*copy);
  if (!variables.empty()) llvm::PromoteMemToReg(variables, dominators);
  simplify(*copy);
  return *copy;
}

}  // namespace

bool asksWhich(const llvm::CallBase& call, std::int64_t one, std::int64_t other) {
  if (call.use_empty()) return false;
  if (!llvm::isa<llvm::CallInst>(call) || !call.getType()->isIntegerTy()) return true;
  llvm::Function& first = copyWith(call, one);
  llvm::Function& second = copyWith(call, other);
  llvm::GlobalNumberState numbers;
  const bool differ = llvm::FunctionComparator(&first, &second, &numbers).compare() != 0;
  first.eraseFromParent();
  second.eraseFromParent();
  return differ;
}

}  // namespace heddle::native
