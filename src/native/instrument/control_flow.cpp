#include "native/instrument/control_flow.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace heddle::native {

const llvm::Function* calleeOf(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call ? call->getCalledFunction() : nullptr;
}

llvm::BasicBlock* splitEdge(llvm::BasicBlock& from, llvm::BasicBlock& to) {
  auto* edge = llvm::BasicBlock::Create(from.getContext(), "", from.getParent(), &to);
  llvm::BranchInst::Create(&to, edge)->setDebugLoc(from.getTerminator()->getDebugLoc());
  for (llvm::PHINode& value : to.phis()) {
    llvm::Value* incoming = value.getIncomingValueForBlock(&from);
    value.removeIncomingValueIf([&](unsigned i) { return value.getIncomingBlock(i) == &from; }, false);
    value.addIncoming(incoming, edge);
  }
  from.getTerminator()->replaceSuccessorWith(&to, edge);
  return edge;
}

}  // namespace heddle::native
