#include "native/instrument/pointer_phis.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <vector>

#include "native/instrument/control_flow.h"
#include "native/instrument/local_variables.h"

namespace heddle::native {
namespace {

bool isLocalVariable(const llvm::Value& address, const llvm::DataLayout& layout) {
  std::int64_t offset = 0;
  return variableAt(address, layout, offset) != nullptr;
}

// Is the load the first thing in its block that touches memory, apart from other loads?
bool comesFirst(const llvm::LoadInst& load, const llvm::BasicBlock& block) {
  if (load.getParent() != &block) return false;
  for (const llvm::Instruction& instruction : block) {
    if (&instruction == &load) return true;
    if (instruction.mayWriteToMemory() || instruction.mayHaveSideEffects()) return false;
  }
  return false;
}

bool canMove(const llvm::PHINode& address) {
  if (!address.getType()->isPointerTy() || address.use_empty()) return false;
  for (const llvm::Value* incoming : address.incoming_values()) {
    if (!isLocalVariable(*incoming, address.getModule()->getDataLayout())) return false;
  }
  for (const llvm::BasicBlock* block : llvm::predecessors(address.getParent())) {
    if (!llvm::isa<llvm::BranchInst, llvm::SwitchInst>(block->getTerminator())) return false;
  }
  for (const llvm::User* user : address.users()) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(user);
    if (!load || !load->isSimple() || !comesFirst(*load, *address.getParent())) return false;
  }
  return true;
}

void move(llvm::PHINode& address) {
  llvm::BasicBlock& block = *address.getParent();
  std::vector<llvm::LoadInst*> loads;
  for (llvm::User* user : address.users()) loads.push_back(llvm::cast<llvm::LoadInst>(user));
  std::vector<llvm::PHINode*> values;
  for (llvm::LoadInst* load : loads) {
    auto* value = llvm::PHINode::Create(load->getType(), address.getNumIncomingValues(), "", address.getIterator());
    value->setDebugLoc(load->getDebugLoc());
    values.push_back(value);
  }
  std::vector<llvm::BasicBlock*> sources;
  for (llvm::BasicBlock* from : llvm::predecessors(&block)) {
    if (!llvm::is_contained(sources, from)) sources.push_back(from);
  }
  // The new phis get their operands as the edges are split, so they must have some before.
  for (llvm::PHINode* value : values) {
    for (llvm::BasicBlock* from : llvm::predecessors(&block))
      value->addIncoming(llvm::PoisonValue::get(value->getType()), from);
  }
  for (llvm::BasicBlock* from : sources) {
    llvm::Value* incoming = address.getIncomingValueForBlock(from);
    llvm::BasicBlock* edge = splitEdge(*from, block);
    llvm::IRBuilder<> builder(edge->getTerminator());
    for (std::size_t i = 0; i < loads.size(); ++i) {
      builder.SetCurrentDebugLocation(loads[i]->getDebugLoc());
      llvm::Value* loaded = builder.CreateAlignedLoad(loads[i]->getType(), incoming, loads[i]->getAlign());
      values[i]->setIncomingValueForBlock(edge, loaded);
    }
  }
  for (std::size_t i = 0; i < loads.size(); ++i) {
    loads[i]->replaceAllUsesWith(values[i]);
    loads[i]->eraseFromParent();
  }
  address.eraseFromParent();
}

}  // namespace

void loadBeforePhis(llvm::Function& function) {
  std::vector<llvm::PHINode*> addresses;
  for (llvm::BasicBlock& block : function) {
    for (llvm::PHINode& phi : block.phis()) {
      if (canMove(phi)) addresses.push_back(&phi);
    }
  }
  for (llvm::PHINode* address : addresses) move(*address);
}

}  // namespace heddle::native
