#include "native/loops/annotation_calls.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "abi/heddle_kinds.h"
#include "runtime/hook_names.h"

namespace heddle::native {
namespace {

namespace hook = runtime::hook_names;

llvm::StringRef nameOfCallee(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName() : "";
}

}  // namespace

bool isAnnotation(const llvm::Instruction& instruction) {
  return llvm::StringSwitch<bool>(nameOfCallee(instruction))
      .Cases(hook::heddle_begin_marking, hook::heddle_end_marking, true)
      .Cases(hook::heddle_spin_start_hook, hook::heddle_spin_end_hook, true)
      .Cases("__VERIFIER_annotate_begin", "__VERIFIER_annotate_end", true)
      .Cases("__VERIFIER_loop_begin", "__VERIFIER_spin_start", "__VERIFIER_spin_end", true)
      .Default(false);
}

bool endsRound(const llvm::Instruction& instruction) {
  const llvm::StringRef name = nameOfCallee(instruction);
  return (name == hook::heddle_spin_end_hook || name == "__VERIFIER_spin_end") &&
         llvm::cast<llvm::CallInst>(instruction).arg_size() == 1;
}

bool marksLocalWrites(const llvm::Module& module) {
  const llvm::Function* const begin = module.getFunction(hook::heddle_begin_marking);
  return begin && llvm::any_of(begin->users(), [](const llvm::User* user) {
           const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
           const auto* marks =
               call && call->arg_size() == 1 ? llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0)) : nullptr;
           return !marks || (marks->getZExtValue() & heddle_mark_local) != 0;
         });
}

}  // namespace heddle::native
