#include "native/instrument/control_flow.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include <vector>

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

void useEither(llvm::Instruction& original, llvm::BasicBlock& other, llvm::Value& value) {
  std::vector<llvm::Use*> uses;
  for (llvm::Use& use : original.uses()) {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    if ((phi ? phi->getIncomingBlock(use) : user->getParent()) != original.getParent()) uses.push_back(&use);
  }
  if (uses.empty()) return;
  llvm::SSAUpdater updater;
  updater.Initialize(original.getType(), original.getName());
  updater.AddAvailableValue(original.getParent(), &original);
  updater.AddAvailableValue(&other, &value);
  for (llvm::Use* use : uses) updater.RewriteUse(*use);
}

}  // namespace heddle::native
