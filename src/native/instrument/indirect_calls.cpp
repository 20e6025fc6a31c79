#include "native/instrument/indirect_calls.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <vector>

#include "native/instrument/shared_state.h"

namespace heddle::native {

void checkIndirectCalls(Instrumentation& instrumentation, llvm::Function& function) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || call->isInlineAsm()) continue;
    const llvm::Value* const callee = call->getCalledOperand()->stripPointerCastsAndAliases();
    if (!llvm::isa<llvm::Function>(callee)) calls.push_back(call);
  }
  for (llvm::CallBase* call : calls) {
    llvm::IRBuilder<> builder(call);
    builder.CreateCall(instrumentation.hooks.checkCallee,
                       {call->getCalledOperand(), instrumentation.where(builder, instrumentation.sources.of(*call))});
  }
}

}  // namespace heddle::native
