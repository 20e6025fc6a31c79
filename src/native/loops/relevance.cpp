#include "native/loops/relevance.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/IteratedDominanceFrontier.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <unordered_map>
#include <vector>

#include "native/instrument/control_flow.h"
#include "native/instrument/local_variables.h"
#include "native/instrument/shared_state.h"
#include "native/loops/effects.h"

namespace heddle::native {
namespace {

class Relevance {
 public:
  Relevance(llvm::Function& function, const BuildOptions& options) : function_(function), options_(options), exits_(function) {}

  std::unordered_set<const llvm::Instruction*> find() {
    findLocals();
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
  // ---- Local variables

  // Is the value that is read certain to have been written? If not, to read it may be an error.
  static bool isInitialised(const LocalUse& read, const std::vector<LocalUse>& uses, const llvm::DominatorTree& dominators) {
    return llvm::any_of(uses, [&](const LocalUse& use) {
      return use.writes() && use.offset <= read.offset && use.end() >= read.end() &&
             dominators.dominates(use.instruction, read.instruction);
    });
  }

  bool isHarmless(const LocalUse& use, const std::vector<LocalUse>& uses, const llvm::DominatorTree& dominators) const {
    if (use.atomic || (options_.volatileRelaxed && use.instruction->isVolatile())) return false;
    switch (use.kind) {
      case LocalUse::Kind::load: return isInitialised(use, uses, dominators);
      case LocalUse::Kind::store:
      case LocalUse::Kind::set:
      case LocalUse::Kind::life: return true;
      case LocalUse::Kind::copyTo: {
        const auto* from = llvm::dyn_cast<llvm::GlobalVariable>(use.instruction->getOperand(1));
        return from && from->isConstant();
      }
      case LocalUse::Kind::copyFrom: return false;
    }
    return false;
  }

  void findLocals() {
    const llvm::DominatorTree dominators(function_);
    for (llvm::Instruction& instruction : function_.getEntryBlock()) {
      auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (!variable) continue;
      const std::optional<std::vector<LocalUse>> uses = localUses(*variable, isSleep);
      if (!uses) continue;
      const auto harmless = [&](const LocalUse& use) { return isHarmless(use, *uses, dominators); };
      if (!llvm::all_of(*uses, harmless)) continue;
      for (const LocalUse& use : *uses) {
        local_[use.instruction] = variable;
        if (use.writes()) writes_[variable].push_back(use.instruction);
      }
    }
  }

  // What the thread reads there nobody else writes, and it is certainly there: its errno, or what heddle keeps for it.
  static bool readsOwn(const llvm::Instruction& instruction) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load && isRuntimeVariable(load->getPointerOperand())) return true;
    const auto* address = load ? llvm::dyn_cast<llvm::CallBase>(load->getPointerOperand()) : nullptr;
    const llvm::Function* callee = address ? calleeOf(*address) : nullptr;
    return callee && callee->getName() == "__errno_location";
  }

  // ---- What matters

  bool isRoot(const llvm::Instruction& instruction) const {
    if (local_.contains(&instruction) || readsOwn(instruction)) return false;
    if (instruction.isTerminator() && !llvm::isa<llvm::BranchInst, llvm::SwitchInst>(instruction)) return true;
    return instruction.isEHPad() || llvm::isa<llvm::LoadInst>(instruction) || instruction.isAtomic() ||
           effectOf(instruction, options_) != Effect::none;
  }

  void mark(llvm::Instruction& instruction) {
    if (!relevant_.insert(&instruction).second) return;
    work_.push_back(&instruction);
    reach(*instruction.getParent());
    if (const auto variable = local_.find(&instruction); variable != local_.end()) markWrites(*variable->second);
  }

  // Does the phi receive from the block what it receives from the only one before it?
  static bool bringsNothingNew(const llvm::PHINode& phi, const llvm::BasicBlock& block) {
    const llvm::BasicBlock* before = block.getSinglePredecessor();
    return before && phi.getBasicBlockIndex(before) >= 0 &&
           phi.getIncomingValueForBlock(before) == phi.getIncomingValueForBlock(&block);
  }

  void markWrites(const llvm::AllocaInst& variable) {
    for (llvm::Instruction* write : writes_[&variable]) mark(*write);
  }

  // Whether the block is reached matters.
  void reach(llvm::BasicBlock& block) {
    if (reached_.insert(&block).second) newlyReached_.insert(&block);
  }

  void markOperands(llvm::Instruction& instruction) {
    for (llvm::Value* operand : instruction.operands()) {
      if (auto* value = llvm::dyn_cast<llvm::Instruction>(operand)) mark(*value);
      // Of a call it may be what is in a variable that matters.
      const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(operand));
      if (variable && llvm::isa<llvm::CallBase>(instruction)) markWrites(*variable);
    }
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      for (llvm::BasicBlock* block : phi->blocks()) {
        if (!bringsNothingNew(*phi, *block)) reach(*block);
      }
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
  std::unordered_map<const llvm::Instruction*, const llvm::AllocaInst*> local_;  // accesses to variables that nobody can see
  std::unordered_map<const llvm::AllocaInst*, std::vector<llvm::Instruction*>> writes_;  // to these
  std::unordered_set<const llvm::Instruction*> relevant_;
  std::vector<llvm::Instruction*> work_;
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> reached_, newlyReached_;
};

}  // namespace

std::unordered_set<const llvm::Instruction*> relevantValues(llvm::Function& function, const BuildOptions& options) {
  return Relevance(function, options).find();
}

}  // namespace heddle::native
