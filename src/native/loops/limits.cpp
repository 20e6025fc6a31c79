#include "native/loops/limits.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <set>
#include <vector>

#include "native/loops/effects.h"

namespace heddle::native {
namespace {

class LimitFinder {
 public:
  LimitFinder(llvm::PHINode& count, const llvm::Loop& loop, llvm::ScalarEvolution& evolution,
              const llvm::DominatorTree& dominators, const BuildOptions& options,
              const std::unordered_set<const llvm::Instruction*>& relevant)
      : count_(count), loop_(loop), evolution_(evolution), dominators_(dominators), options_(options), relevant_(relevant) {}

  std::optional<Limit> find() {
    if (!isOnlyTested(count_) || !test_) return std::nullopt;
    llvm::SmallVector<llvm::BasicBlock*, 4> latches;
    loop_.getLoopLatches(latches);
    const auto comesBy = [&](const llvm::BasicBlock* latch) { return dominators_.dominates(test_, latch); };
    if (!loop_.isLoopExiting(test_) || !llvm::all_of(latches, comesBy)) return std::nullopt;
    if (llvm::isa<llvm::SCEVCouldNotCompute>(evolution_.getExitCount(&loop_, test_))) return std::nullopt;
    const bool isFirst = test_ == loop_.getHeader() && readsNothing(*test_) && handsOnNothing();
    if (!isFirst && !isLast()) return std::nullopt;
    llvm::Instruction* const test = test_->getTerminator();
    return Limit{test, loop_.contains(test->getSuccessor(0)) ? 1u : 0u};
  }

 private:
  // Does the value go nowhere but into the count's next value and into one test?
  bool isOnlyTested(llvm::Instruction& value) {
    if (!seen_.insert(&value).second) return true;
    for (llvm::User* used : value.users()) {
      auto* user = llvm::cast<llvm::Instruction>(used);
      if (user == &count_ || !relevant_.contains(user)) continue;
      if (!loop_.contains(user)) return false;
      if (llvm::isa<llvm::BranchInst>(user)) {
        if (test_ && test_ != user->getParent()) return false;
        test_ = user->getParent();
        continue;
      }
      if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::ICmpInst, llvm::GetElementPtrInst>(user)) return false;
      if (!isOnlyTested(*user)) return false;
    }
    return true;
  }

  bool readsNothing(const llvm::BasicBlock& block) const {
    return llvm::all_of(block, [&](const llvm::Instruction& instruction) {
      return !instruction.mayReadOrWriteMemory() && effectOf(instruction, options_) == Effect::none;
    });
  }

  // What the header computes is not the way out's business: it would be of the round before.
  bool handsOnNothing() const {
    for (const llvm::Instruction& value : *loop_.getHeader()) {
      for (const llvm::User* user : value.users()) {
        if (!loop_.contains(llvm::cast<llvm::Instruction>(user))) return false;
      }
    }
    return true;
  }

  // Does nothing that matters come after the test in a round?
  bool isLast() const {
    std::set<const llvm::BasicBlock*> seen = {test_, loop_.getHeader()};
    std::vector<const llvm::BasicBlock*> work = {test_};
    while (!work.empty()) {
      const llvm::BasicBlock* block = work.back();
      work.pop_back();
      for (const llvm::BasicBlock* next : llvm::successors(block)) {
        if (!loop_.contains(next)) {
          if (block != test_) return false;
          continue;
        }
        if (!seen.insert(next).second) continue;
        const auto matters = [&](const llvm::Instruction& instruction) {
          return readsShared(instruction, options_) ||
                 (effectOf(instruction, options_) != Effect::none && relevant_.contains(&instruction));
        };
        if (llvm::any_of(*next, matters)) return false;
        work.push_back(next);
      }
    }
    return true;
  }

  llvm::PHINode& count_;
  const llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  const llvm::DominatorTree& dominators_;
  const BuildOptions& options_;
  const std::unordered_set<const llvm::Instruction*>& relevant_;
  std::set<const llvm::Instruction*> seen_;
  llvm::BasicBlock* test_ = nullptr;
};

}  // namespace

std::optional<Look> lookBeforeExchange(const std::vector<llvm::Instruction*>& reads, const llvm::Loop& loop,
                                       const llvm::DominatorTree& dominators) {
  Look look;
  for (llvm::Instruction* read : reads) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(read)) look.load = load;
    if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(read)) look.exchange = exchange;
  }
  if (reads.size() != 2 || !look.load || !look.exchange || !dominators.dominates(look.load, look.exchange)) return std::nullopt;
  if (look.load->getPointerOperand() != look.exchange->getPointerOperand()) return std::nullopt;
  if (!loop.isLoopInvariant(look.load->getPointerOperand())) return std::nullopt;
  if (look.load->getType() != look.exchange->getCompareOperand()->getType()) return std::nullopt;
  const llvm::AtomicOrdering failure = look.exchange->getFailureOrdering();
  if (look.load->getOrdering() != failure && !llvm::isStrongerThan(failure, look.load->getOrdering())) return std::nullopt;
  if (!look.exchange->isWeak() && !loop.isLoopInvariant(look.exchange->getCompareOperand())) return std::nullopt;
  return look;
}

std::optional<Limit> limitOf(llvm::PHINode& count, const llvm::Loop& loop, llvm::ScalarEvolution& evolution,
                             const llvm::DominatorTree& dominators, const BuildOptions& options,
                             const std::unordered_set<const llvm::Instruction*>& relevant) {
  return LimitFinder(count, loop, evolution, dominators, options, relevant).find();
}

}  // namespace heddle::native
