#include "native/compile/simplify.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <string>

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

using Origins = llvm::SmallPtrSet<const llvm::Value*, 8>;

// What a value was computed from, by way of instructions that do nothing but compute.
void findOrigins(const llvm::Value& value, unsigned depth, Origins& origins) {
  if (llvm::isa<llvm::Constant, llvm::BasicBlock>(value)) return;
  const bool computes =
      llvm::isa<llvm::CastInst, llvm::BinaryOperator, llvm::CmpInst, llvm::SelectInst, llvm::FreezeInst>(value);
  if (!computes || depth == 0) {
    origins.insert(&value);
    return;
  }
  for (const llvm::Value* operand : llvm::cast<llvm::User>(value).operand_values()) findOrigins(*operand, depth - 1, origins);
}

// Would the result, in the place of the instruction, owe nothing to something that the instruction was computed from?
bool dropsDependency(const llvm::Instruction& instruction, const llvm::Value& result) {
  constexpr unsigned kDepth = 8;
  Origins all, kept;
  findOrigins(result, kDepth, kept);
  for (const llvm::Value* operand : instruction.operand_values()) {
    if (operand != &instruction) findOrigins(*operand, kDepth, all);
  }
  return llvm::any_of(all, [&](const llvm::Value* origin) { return origin != &result && !kept.contains(origin); });
}

bool foldInstructions(llvm::Function& function) {
  const bool keepsDependencies = function.hasFnAttribute(kKeepsDependencies);
  const llvm::SimplifyQuery query(function.getParent()->getDataLayout());
  bool changed = false;
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
      if (isIdle(instruction)) instruction.replaceAllUsesWith(llvm::PoisonValue::get(instruction.getType()));
      if (!instruction.use_empty() && !instruction.mayReadOrWriteMemory()) {
        if (llvm::Value* value = llvm::simplifyInstruction(&instruction, query);
            value && value != &instruction && !(keepsDependencies && dropsDependency(instruction, *value))) {
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

constexpr const char* kHiding = "heddle.hide.";

void simplify(llvm::Function& function) {
  while (foldInstructions(function) || cleanControlFlow(function)) {}
}

void hideDependencies(llvm::Function& function) {
  if (!function.hasFnAttribute(kKeepsDependencies)) return;
  const llvm::SimplifyQuery query(function.getParent()->getDataLayout());
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!llvm::isa<llvm::BinaryOperator, llvm::CmpInst, llvm::SelectInst>(instruction)) continue;
    const llvm::Value* value = llvm::simplifyInstruction(&instruction, query);
    if (!value || !dropsDependency(instruction, *value)) continue;
    llvm::IRBuilder<> builder(&instruction);
    for (llvm::Use& operand : instruction.operands()) {
      llvm::Type* const type = operand->getType();
      std::string name = kHiding;
      llvm::raw_string_ostream(name) << *type;
      llvm::FunctionCallee hide = function.getParent()->getOrInsertFunction(name, type, type);
      auto* const declared = llvm::cast<llvm::Function>(hide.getCallee());
      declared->setDoesNotAccessMemory();
      declared->setDoesNotThrow();
      declared->setWillReturn();
      operand = builder.CreateCall(hide, {operand});
    }
  }
}

void showDependencies(llvm::Module& module) {
  for (llvm::Function& hide : llvm::make_early_inc_range(module)) {
    if (!hide.getName().starts_with(kHiding)) continue;
    while (!hide.use_empty()) {
      auto* const call = llvm::cast<llvm::CallInst>(hide.user_back());
      call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
    hide.eraseFromParent();
  }
}

}  // namespace heddle::native
