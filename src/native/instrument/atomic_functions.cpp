#include "native/instrument/atomic_functions.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "runtime/hook_names.h"

namespace heddle::native {

namespace hook = runtime::hook_names;

void makeAtomicFunctions(llvm::Module& program) {
  for (llvm::Function& function : program) {
    const llvm::StringRef name = function.getName();
    if (function.isDeclaration() || !name.starts_with("__VERIFIER_atomic_")) continue;
    if (name == "__VERIFIER_atomic_begin" || name == "__VERIFIER_atomic_end") continue;
    llvm::IRBuilder<> builder(program.getContext());
    const auto call = [&](const char* what) {
      builder.CreateCall(program.getOrInsertFunction(what, llvm::FunctionType::get(builder.getVoidTy(), false)));
    };
    const llvm::DISubprogram* const known = function.getSubprogram();
    builder.SetInsertPoint(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    if (known) {
      builder.SetCurrentDebugLocation(
          llvm::DILocation::get(program.getContext(), known->getLine(), 0, const_cast<llvm::DISubprogram*>(known)));
    }
    call(hook::heddle_begin_transaction);
    for (llvm::BasicBlock& block : function) {
      auto* const leave = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
      if (!leave) continue;
      builder.SetInsertPoint(leave);
      if (leave->getDebugLoc()) builder.SetCurrentDebugLocation(leave->getDebugLoc());
      call(hook::heddle_end_transaction);
    }
  }
}

bool hasTransactions(const llvm::Module& program) {
  for (const char* const name : {hook::heddle_begin_transaction, hook::heddle_begin_hardware, "llvm.x86.xbegin"}) {
    const llvm::Function* const begin = program.getFunction(name);
    if (begin && !begin->use_empty()) return true;
  }
  return false;
}

}  // namespace heddle::native
