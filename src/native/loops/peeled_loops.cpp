#include "native/loops/peeled_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "native/loops/bytes.h"
#include "native/loops/effects.h"

namespace heddle::native {
namespace {

// One thing for each way to the header, in the order of the ways.
using Values = std::vector<llvm::Value*>;
using Instructions = std::vector<llvm::Instruction*>;

bool areSame(const Values& values) {
  return std::all_of(values.begin(), values.end(), [&](const llvm::Value* value) { return value == values[0]; });
}

Values asValues(const Instructions& instructions) { return {instructions.begin(), instructions.end()}; }

// A pointer that is stored as the integer it was made of, so that stores of both kinds are alike.
void storeIntegers(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    auto* cast = store ? llvm::dyn_cast<llvm::IntToPtrInst>(store->getValueOperand()) : nullptr;
    if (cast && cast->isNoopCast(layout)) store->setOperand(0, cast->getOperand(0));
  }
}

// Blocks that only lead on hide that two ways lead to the same places.
void removeEmptyBlocks(llvm::Function& function) {
  for (llvm::BasicBlock& block : llvm::make_early_inc_range(function)) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (block.isEntryBlock() || !branch || branch->isConditional() || block.getFirstNonPHIOrDbg() != branch) continue;
    if (branch->getSuccessor(0) != &block) llvm::TryToSimplifyUncondBranchFromEmptyBlock(&block);
  }
}

class Merger {
 public:
  Merger(Instrumentation& instrumentation, const llvm::Loop& loop)
      : ins_(instrumentation), loop_(loop), header_(*loop.getHeader()) {}

  bool merge() {
    if (!findWays()) return false;
    forwardStores();
    match();
    if (useful_ == 0) return false;
    join();
    return true;
  }

 private:
  // ---- The ways to the header

  // All must end in the same branch, and in nothing that makes it matter where they come from.
  bool findWays() {
    for (llvm::BasicBlock* block : llvm::predecessors(&header_)) {
      if (llvm::is_contained(ways_, block)) return false;
      ways_.push_back(block);
    }
    if (ways_.size() < 2 || header_.isEHPad()) return false;
    const auto* first = llvm::dyn_cast<llvm::BranchInst>(ways_[0]->getTerminator());
    for (const llvm::BasicBlock* way : ways_) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(way->getTerminator());
      if (!first || !branch ||
          !std::equal(first->successors().begin(), first->successors().end(), branch->successors().begin(),
                      branch->successors().end())) {
        return false;
      }
    }
    // The instructions that stay are those of the loop: it is more often there that they are executed.
    std::stable_partition(ways_.begin(), ways_.end(), [&](const llvm::BasicBlock* way) { return !loop_.contains(way); });
    for (llvm::BasicBlock* way : ways_) branches_.push_back(way->getTerminator());
    return true;
  }

  // ---- A location that is carried round

  // What each way has stored where the header loads; nothing if it is not certain that this is what is loaded.
  std::optional<Values> storedFor(const llvm::LoadInst& load) const {
    const Bytes bytes = bytesAt(*load.getPointerOperand(), *load.getType(), ins_.module);
    Values values;
    for (const llvm::BasicBlock* way : ways_) {
      const llvm::StoreInst* found = nullptr;
      for (const llvm::Instruction& instruction : llvm::reverse(*way)) {
        if (!instruction.mayWriteToMemory()) continue;
        found = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        break;
      }
      if (!found || !found->isSimple() || found->getValueOperand()->getType() != load.getType()) return std::nullopt;
      if (bytesAt(*found->getPointerOperand(), *load.getType(), ins_.module) != bytes) return std::nullopt;
      values.push_back(found->getOperand(0));
    }
    return values;
  }

  // A plain load that comes first in the header, of what all ways have stored last. Another thread that has written it
  // since races with these stores.
  void forwardStores() {
    if (branches_[0]->getNumSuccessors() != 1 || !ins_.options.races) return;  // without races it is a visible operation
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(header_)) {
      if (instruction.mayWriteToMemory() || instruction.isAtomic()) return;
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (!load || !load->isSimple()) continue;
      const std::optional<Values> stored = storedFor(*load);
      if (!stored) continue;
      llvm::PHINode* value = makePhi(header_, *stored, load->getDebugLoc());
      load->replaceAllUsesWith(value);
      load->eraseFromParent();
    }
  }

  llvm::PHINode* makePhi(llvm::BasicBlock& block, const Values& values, const llvm::DebugLoc& place) {
    auto* phi = llvm::PHINode::Create(values[0]->getType(), static_cast<unsigned>(values.size()), "");
    phi->insertBefore(block.begin());
    phi->setDebugLoc(place);
    for (std::size_t i = 0; i < values.size(); ++i) phi->addIncoming(values[i], ways_[i]);
    return phi;
  }

  // ---- What the ways have in common, from the end

  void match() {
    need(branches_);
    Instructions next = branches_;
    while (previous(next) && isMatch(next)) {
      matched_.push_back(next);
      std::erase(needed_, asValues(next));
      need(next);
      reads_ |= readsShared(*next[0], ins_.options);
      stores_ |= llvm::isa<llvm::StoreInst>(next[0]);
      const bool reread = !needed_.empty() && std::all_of(needed_.begin(), needed_.end(), isReread);
      if (needed_.empty() ? reads_ : reread && stores_) useful_ = matched_.size();
    }
  }

  // The operands that differ have to be results of instructions that match, too.
  void need(const Instructions& users) {
    for (unsigned i = 0; i < users[0]->getNumOperands(); ++i) {
      Values operands;
      for (const llvm::Instruction* user : users) operands.push_back(user->getOperand(i));
      if (!areSame(operands) && std::find(needed_.begin(), needed_.end(), operands) == needed_.end())
        needed_.push_back(operands);
    }
  }

  static bool previous(Instructions& instructions) {
    for (llvm::Instruction*& instruction : instructions) {
      instruction = instruction->getPrevNode();
      if (!instruction || llvm::isa<llvm::PHINode>(instruction)) return false;
    }
    return true;
  }

  bool isMatch(const Instructions& candidates) const {
    const llvm::Instruction& first = *candidates[0];
    if (llvm::isa<llvm::AllocaInst>(first) || first.isEHPad() || first.getType()->isTokenTy()) return false;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&first);
    if (call && (call->isConvergent() || call->isMustTailCall())) return false;
    for (const llvm::Instruction* candidate : candidates) {
      if (!first.isSameOperationAs(candidate)) return false;
    }
    return isUsedAlike(candidates);
  }

  // Are the results used by what follows and matches, or received from all ways alike, and by nothing else?
  bool isUsedAlike(const Instructions& candidates) const {
    const Values results = asValues(candidates);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      for (const llvm::Use& use : candidates[i]->uses()) {
        const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(user); phi && phi->getIncomingBlock(use) == ways_[i]) {
          if (incoming(*phi) != results) return false;
          continue;
        }
        const Instructions* users = matchOf(*user, i);
        if (!users) return false;
        for (std::size_t j = 0; j < users->size(); ++j) {
          if ((*users)[j]->getOperand(use.getOperandNo()) != results[j]) return false;
        }
      }
    }
    return true;
  }

  Values incoming(const llvm::PHINode& phi) const {
    Values values;
    for (const llvm::BasicBlock* way : ways_) {
      const int index = phi.getBasicBlockIndex(way);
      values.push_back(index < 0 ? nullptr : phi.getIncomingValue(static_cast<unsigned>(index)));
    }
    return values;
  }

  const Instructions* matchOf(const llvm::Instruction& user, std::size_t way) const {
    for (const Instructions& match : matched_) {
      if (match[way] == &user) return &match;
    }
    return branches_[way] == &user ? &branches_ : nullptr;
  }

  // What one way has loaded and another has found in a compare-exchange may stay a value that is received: see
  // reread.h.
  static bool isReread(const Values& values) {
    return std::all_of(values.begin(), values.end(), [](const llvm::Value* value) {
      const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(value);
      return part ? llvm::isa<llvm::AtomicCmpXchgInst>(part->getAggregateOperand()) : llvm::isa<llvm::LoadInst>(value);
    });
  }

  // ---- Joining the ways

  // The last way's instructions go to a new block; those of the others give way to them.
  void join() {
    auto* joined = llvm::BasicBlock::Create(header_.getContext(), "", header_.getParent(), &header_);
    matched_.resize(useful_);
    receive(*joined);
    receiveOperands(*joined, branches_);
    for (const Instructions& match : matched_) receiveOperands(*joined, match);
    const std::size_t last = ways_.size() - 1;
    for (std::size_t i = matched_.size(); i > 0; --i) matched_[i - 1][last]->moveBefore(*joined, joined->end());
    for (std::size_t i = 0; i < ways_.size(); ++i) goTo(*ways_[i], *joined, *branches_[i]);
    branches_[last]->moveBefore(*joined, joined->end());
    branches_[last]->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
    for (std::size_t i = 0; i < last; ++i) {
      branches_[i]->eraseFromParent();
      for (const Instructions& match : matched_) match[i]->eraseFromParent();
    }
    llvm::MergeBlockIntoPredecessor(&header_);
  }

  bool isJoined(const Values& values) const {
    return areSame(values) ||
           std::any_of(matched_.begin(), matched_.end(), [&](const Instructions& match) { return asValues(match) == values; });
  }

  // What the joined instructions need of each way.
  void receiveOperands(llvm::BasicBlock& joined, const Instructions& users) {
    for (unsigned i = 0; i < users[0]->getNumOperands(); ++i) {
      Values operands;
      for (const llvm::Instruction* user : users) operands.push_back(user->getOperand(i));
      if (!isJoined(operands)) users.back()->setOperand(i, makePhi(joined, operands, users.back()->getDebugLoc()));
    }
  }

  // The values that the blocks behind receive from all ways come from the joined block.
  void receive(llvm::BasicBlock& joined) {
    for (llvm::BasicBlock* next : llvm::successors(branches_[0])) {
      for (llvm::PHINode& phi : next->phis()) {
        const Values values = incoming(phi);
        llvm::Value* value = isJoined(values) ? values.back() : makePhi(joined, values, phi.getDebugLoc());
        phi.removeIncomingValueIf([&](unsigned i) { return llvm::is_contained(ways_, phi.getIncomingBlock(i)); }, false);
        phi.addIncoming(value, &joined);
      }
    }
  }

  static void goTo(llvm::BasicBlock& way, llvm::BasicBlock& joined, const llvm::Instruction& oldBranch) {
    auto* branch = llvm::BranchInst::Create(&joined, &way);
    branch->setDebugLoc(oldBranch.getDebugLoc());
    branch->setMetadata(llvm::LLVMContext::MD_loop, oldBranch.getMetadata(llvm::LLVMContext::MD_loop));
  }

  Instrumentation& ins_;
  const llvm::Loop& loop_;
  llvm::BasicBlock& header_;
  std::vector<llvm::BasicBlock*> ways_;
  Instructions branches_;              // at their ends
  std::vector<Instructions> matched_;  // the last instructions first
  std::vector<Values> needed_;         // operands of these that differ and are not matched yet
  bool reads_ = false, stores_ = false;
  std::size_t useful_ = 0;  // how many of the matches can be joined, to some end
};

bool mergeOne(Instrumentation& instrumentation, llvm::Function& function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  const auto all = loops.getLoopsInPreorder();
  for (const llvm::Loop* loop : llvm::reverse(all)) {
    if (Merger(instrumentation, *loop).merge()) return true;
  }
  return false;
}

}  // namespace

void mergePeeledLoops(Instrumentation& instrumentation, llvm::Function& function) {
  const auto isAtomic = [](const llvm::Instruction& instruction) { return instruction.isAtomic(); };
  if (!llvm::any_of(llvm::instructions(function), isAtomic)) return;
  storeIntegers(function);
  removeEmptyBlocks(function);
  while (mergeOne(instrumentation, function)) {}
}

}  // namespace heddle::native
