#include "native/loops/rotated_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <set>
#include <vector>

#include "native/compile/simplify.h"
#include "native/instrument/control_flow.h"
#include "native/loops/effects.h"

namespace heddle::native {
namespace {

constexpr unsigned kMostInstructions = 32;  // of a test that is written twice

class Rotation {
 public:
  Rotation(const llvm::Loop& loop, const llvm::DominatorTree& dominators, const BuildOptions& options)
      : loop_(loop), dominators_(dominators), options_(options), header_(*loop.getHeader()) {}

  bool isUseful() {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(header_.getTerminator());
    if (!branch || !branch->isConditional() || header_.isEHPad()) return false;
    for (const llvm::BasicBlock* way : llvm::predecessors(&header_)) {
      if (llvm::isa<llvm::IndirectBrInst, llvm::CallBrInst>(way->getTerminator())) return false;
    }
    for (llvm::BasicBlock* next : llvm::successors(&header_)) {
      if (!loop_.contains(next)) exit_ = next;
    }
    if (!exit_ || loop_.isLoopLatch(&header_) || header_.sizeWithoutDebug() > kMostInstructions || !canBeCopied()) return false;
    return llvm::any_of(header_.phis(), [&](const llvm::PHINode& value) { return isForTestOnly(value); });
  }

  // The copy of the header that was made, which all iterations but the first begin with.
  llvm::BasicBlock& rotate() {
    llvm::ValueToValueMapTy copies;
    llvm::BasicBlock* again = llvm::CloneBasicBlock(&header_, copies, ".again", header_.getParent());
    again->moveAfter(&header_);
    for (llvm::Instruction& instruction : *again) {
      // What a phi receives from the loop is of the iteration before.
      const auto kFlags = llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals;
      if (!llvm::isa<llvm::PHINode>(instruction)) llvm::RemapInstruction(&instruction, copies, kFlags);
      llvm::RemapDbgRecordRange(header_.getModule(), instruction.getDbgRecordRange(), copies, kFlags);
    }
    for (llvm::BasicBlock* next : llvm::successors(&header_)) {
      for (llvm::PHINode& phi : next->phis()) {
        llvm::Value* value = phi.getIncomingValueForBlock(&header_);
        llvm::Value* copy = copies.lookup(value);
        phi.addIncoming(copy ? copy : value, again);
      }
    }
    llvm::MDNode* const id = loop_.getLoopID();  // where the loop stands in the source
    const std::set<llvm::BasicBlock*> ways(llvm::pred_begin(&header_), llvm::pred_end(&header_));
    for (llvm::BasicBlock* way : ways) {
      if (!loop_.contains(way)) continue;
      way->getTerminator()->replaceSuccessorWith(&header_, again);
      way->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
    }
    receiveFrom(header_, [&](const llvm::BasicBlock* way) { return !loop_.contains(way); });
    receiveFrom(*again, [&](const llvm::BasicBlock* way) { return loop_.contains(way); });
    for (llvm::Instruction& original : header_) useEither(original, *again, *copies[&original]);
    again->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, id);
    return *again;
  }

 private:
  // The block is reached from some of the ways only.
  template <class Comes>
  static void receiveFrom(llvm::BasicBlock& block, Comes comes) {
    for (llvm::PHINode& phi : block.phis()) {
      phi.removeIncomingValueIf([&](unsigned i) { return !comes(phi.getIncomingBlock(i)); }, false);
    }
  }

  bool isInsideOtherBlock(const llvm::Use& use) const {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    return user->getParent() != &header_ && loop_.contains(user);
  }

  // Is there nothing in the header but the test, of no use to the rest of the loop?
  bool canBeCopied() const {
    for (const llvm::Instruction& instruction : header_) {
      if (llvm::isa<llvm::PHINode>(instruction)) continue;
      if (instruction.getType()->isTokenTy() || llvm::isa<llvm::AllocaInst>(instruction)) return false;
      if (!instruction.isTerminator() && effectOf(instruction, options_) != Effect::none) return false;
      const auto usedInside = [&](const llvm::Use& use) { return isInsideOtherBlock(use); };
      if (llvm::any_of(instruction.uses(), usedInside)) return false;
    }
    return true;
  }

  // Is the value one that changes, and that matters to the test, or behind it on the way out, and nowhere else?
  bool isForTestOnly(const llvm::PHINode& value) const {
    bool changes = false;
    for (unsigned i = 0; i < value.getNumIncomingValues(); ++i) {
      changes |= loop_.contains(value.getIncomingBlock(i)) && value.getIncomingValue(i) != &value;
    }
    const llvm::BasicBlockEdge out(&header_, exit_);
    return changes && !value.use_empty() && llvm::all_of(value.uses(), [&](const llvm::Use& use) {
             const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
             if (user->getParent() == &header_) return !llvm::isa<llvm::PHINode>(user);
             return !loop_.contains(user) && dominators_.dominates(out, use);
           });
  }

  const llvm::Loop& loop_;
  const llvm::DominatorTree& dominators_;
  const BuildOptions& options_;
  llvm::BasicBlock& header_;
  llvm::BasicBlock* exit_ = nullptr;
};

// `done`: tests that have been written twice.
bool rotateOne(llvm::Function& function, const BuildOptions& options, std::set<const llvm::BasicBlock*>& done) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    Rotation rotation(*loop, dominators, options);
    if (done.contains(loop->getHeader()) || !rotation.isUseful()) continue;
    done.insert(&rotation.rotate());
    return true;
  }
  return false;
}

}  // namespace

void rotateLoops(llvm::Function& function, const BuildOptions& options) {
  const auto isRead = [&](const llvm::Instruction& instruction) { return readsShared(instruction, options); };
  if (!llvm::any_of(llvm::instructions(function), isRead)) return;
  std::set<const llvm::BasicBlock*> done;
  while (rotateOne(function, options, done)) simplify(function);
}

}  // namespace heddle::native
