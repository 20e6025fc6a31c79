#include "native/compile/simplify.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

namespace heddle::native {
namespace {

bool isRemovable(const llvm::Instruction& instruction) {
  return instruction.use_empty() && !instruction.isTerminator() && !instruction.mayReadOrWriteMemory() &&
         !instruction.isEHPad() && !instruction.mayHaveSideEffects() && !llvm::isa<llvm::DbgInfoIntrinsic>(instruction);
}

// A phi that only itself uses.
bool isIdle(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::PHINode>(instruction) &&
         llvm::all_of(instruction.users(), [&](const llvm::User* user) { return user == &instruction; });
}

bool foldInstructions(llvm::Function& function) {
  const llvm::SimplifyQuery query(function.getParent()->getDataLayout());
  bool changed = false;
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
      if (isIdle(instruction)) instruction.replaceAllUsesWith(llvm::PoisonValue::get(instruction.getType()));
      if (!instruction.use_empty() && !instruction.mayReadOrWriteMemory()) {
        if (llvm::Value* value = llvm::simplifyInstruction(&instruction, query); value && value != &instruction) {
          instruction.replaceAllUsesWith(value);
          changed = true;
        }
      }
      if (isRemovable(instruction)) {
        llvm::salvageDebugInfo(instruction);
        instruction.eraseFromParent();
        changed = true;
      }
    }
  }
  return changed;
}

bool cleanControlFlow(llvm::Function& function) {
  bool changed = false;
  for (llvm::BasicBlock& block : function) changed |= llvm::ConstantFoldTerminator(&block);
  changed |= llvm::removeUnreachableBlocks(function);
  for (llvm::BasicBlock& block : llvm::make_early_inc_range(function)) {
    changed |= llvm::MergeBlockIntoPredecessor(&block);
  }
  return changed;
}

}  // namespace

void simplify(llvm::Function& function) {
  while (foldInstructions(function) || cleanControlFlow(function)) {}
}

}  // namespace heddle::native
