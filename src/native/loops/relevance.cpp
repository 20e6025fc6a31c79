#include "native/loops/relevance.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/IteratedDominanceFrontier.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <vector>

#include "native/loops/effects.h"

namespace heddle::native {
namespace {

class Relevance {
 public:
  Relevance(llvm::Function& function, const BuildOptions& options) : function_(function), options_(options), exits_(function) {}

  std::unordered_set<const llvm::Instruction*> find() {
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      if (isRoot(instruction)) mark(instruction);
    }
    while (!work_.empty()) {
      while (!work_.empty()) {
        llvm::Instruction* instruction = work_.back();
        work_.pop_back();
        markOperands(*instruction);
      }
      markDecisions();
    }
    return std::move(relevant_);
  }

 private:
  bool isRoot(const llvm::Instruction& instruction) const {
    if (instruction.isTerminator() && !llvm::isa<llvm::BranchInst, llvm::SwitchInst>(instruction)) return true;
    return instruction.isEHPad() || llvm::isa<llvm::LoadInst>(instruction) || instruction.isAtomic() ||
           effectOf(instruction, options_) != Effect::none;
  }

  void mark(llvm::Instruction& instruction) {
    if (!relevant_.insert(&instruction).second) return;
    work_.push_back(&instruction);
    reach(*instruction.getParent());
  }

  // Whether the block is reached matters.
  void reach(llvm::BasicBlock& block) {
    if (reached_.insert(&block).second) newlyReached_.insert(&block);
  }

  void markOperands(llvm::Instruction& instruction) {
    for (llvm::Value* operand : instruction.operands()) {
      if (auto* value = llvm::dyn_cast<llvm::Instruction>(operand)) mark(*value);
    }
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      for (llvm::BasicBlock* block : phi->blocks()) reach(*block);
    }
  }

  // The branches that decide whether the blocks found since last time are reached.
  void markDecisions() {
    if (newlyReached_.empty()) return;
    llvm::ReverseIDFCalculator frontier(exits_);
    frontier.setDefiningBlocks(newlyReached_);
    llvm::SmallVector<llvm::BasicBlock*, 32> deciding;
    frontier.calculate(deciding);
    newlyReached_.clear();
    for (llvm::BasicBlock* block : deciding) mark(*block->getTerminator());
  }

  llvm::Function& function_;
  const BuildOptions& options_;
  llvm::PostDominatorTree exits_;
  std::unordered_set<const llvm::Instruction*> relevant_;
  std::vector<llvm::Instruction*> work_;
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> reached_, newlyReached_;
};

}  // namespace

std::unordered_set<const llvm::Instruction*> relevantValues(llvm::Function& function, const BuildOptions& options) {
  return Relevance(function, options).find();
}

}  // namespace heddle::native
