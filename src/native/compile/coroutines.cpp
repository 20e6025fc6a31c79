#include "native/compile/coroutines.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Coroutines/CoroCleanup.h>
#include <llvm/Transforms/Coroutines/CoroEarly.h>
#include <llvm/Transforms/Coroutines/CoroSplit.h>

#include <algorithm>

namespace heddle::native {

namespace {

// A variable that lives across a suspension moves to the coroutine's own memory, for good.
void dropLifetimes(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (instruction.isLifetimeStartOrEnd()) instruction.eraseFromParent();
  }
}

}  // namespace

void lowerCoroutines(llvm::Module& module) {
  const bool any = std::any_of(module.begin(), module.end(), [](const llvm::Function& function) {
    return function.isPresplitCoroutine() || function.getName().starts_with("llvm.coro.");
  });
  if (!any) return;
  for (llvm::Function& function : module) {
    if (function.isPresplitCoroutine()) dropLifetimes(function);
  }
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraphs;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraphs, modules);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::CoroEarlyPass());
  passes.addPass(llvm::createModuleToPostOrderCGSCCPassAdaptor(llvm::CoroSplitPass()));
  passes.addPass(llvm::CoroCleanupPass());
  passes.run(module, modules);
}

}  // namespace heddle::native
