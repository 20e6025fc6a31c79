#include "native/loops/attempts.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>

#include <set>
#include <vector>

#include "native/compile/link.h"
#include "native/loops/bytes.h"
#include "native/loops/effects.h"

namespace heddle::native {
namespace {

using Blocks = std::set<llvm::BasicBlock*>;

// The blocks of the loop that can be reached from one of them, itself included, without the header and without going on
// from `end`.
Blocks reachable(const llvm::Loop& loop, llvm::BasicBlock* from, const llvm::BasicBlock* end) {
  Blocks seen = {from};
  std::vector<llvm::BasicBlock*> work = {from};
  while (!work.empty()) {
    llvm::BasicBlock* block = work.back();
    work.pop_back();
    if (block == end) continue;
    for (llvm::BasicBlock* next : llvm::successors(block)) {
      if (next != loop.getHeader() && loop.contains(next) && seen.insert(next).second) work.push_back(next);
    }
  }
  return seen;
}

bool leadsToHeader(const llvm::Loop& loop, const Blocks& blocks, const llvm::BasicBlock* except) {
  return llvm::any_of(blocks, [&](llvm::BasicBlock* block) {
    return block != except && llvm::is_contained(llvm::successors(block), loop.getHeader());
  });
}

std::optional<Comparison> comparisonOf(llvm::CmpInst::Predicate predicate) {
  switch (predicate) {
    case llvm::CmpInst::ICMP_EQ: return Comparison::equal;
    case llvm::CmpInst::ICMP_NE: return Comparison::notEqual;
    case llvm::CmpInst::ICMP_SLT: return Comparison::less;
    case llvm::CmpInst::ICMP_SLE: return Comparison::lessEqual;
    case llvm::CmpInst::ICMP_SGT: return Comparison::greater;
    case llvm::CmpInst::ICMP_SGE: return Comparison::greaterEqual;
    case llvm::CmpInst::ICMP_ULT: return Comparison::below;
    case llvm::CmpInst::ICMP_ULE: return Comparison::belowEqual;
    case llvm::CmpInst::ICMP_UGT: return Comparison::above;
    case llvm::CmpInst::ICMP_UGE: return Comparison::aboveEqual;
    default: return std::nullopt;
  }
}

// Of attempts that compare numbers.
llvm::CmpInst::Predicate predicateOf(Comparison comparison) {
  switch (comparison) {
    case Comparison::equal: return llvm::CmpInst::ICMP_EQ;
    case Comparison::notEqual: return llvm::CmpInst::ICMP_NE;
    case Comparison::less: return llvm::CmpInst::ICMP_SLT;
    case Comparison::lessEqual: return llvm::CmpInst::ICMP_SLE;
    case Comparison::greater: return llvm::CmpInst::ICMP_SGT;
    case Comparison::greaterEqual: return llvm::CmpInst::ICMP_SGE;
    case Comparison::below: return llvm::CmpInst::ICMP_ULT;
    case Comparison::belowEqual: return llvm::CmpInst::ICMP_ULE;
    case Comparison::above: return llvm::CmpInst::ICMP_UGT;
    case Comparison::aboveEqual: return llvm::CmpInst::ICMP_UGE;
    case Comparison::noneOf:
    case Comparison::anyOf: break;
  }
  llvm_unreachable("a comparison");
}

// A test of some bits of a value: `(value & mask) == 0`, or `!= 0`.
struct BitTest {
  const llvm::Value* value = nullptr;
  std::uint64_t mask = 0;
  bool ifNone = false;  // what makes it true
};

std::optional<BitTest> bitTestOf(const llvm::ICmpInst& compare) {
  const auto* bits = llvm::dyn_cast<llvm::BinaryOperator>(compare.getOperand(0));
  const auto* with = llvm::dyn_cast<llvm::ConstantInt>(compare.getOperand(1));
  const auto* mask = bits ? llvm::dyn_cast<llvm::ConstantInt>(bits->getOperand(1)) : nullptr;
  if (!mask || !with || bits->getOpcode() != llvm::Instruction::And || !compare.isEquality()) return std::nullopt;
  if (mask->getBitWidth() > 64 || mask->isZero()) return std::nullopt;
  bool ifNone = compare.getPredicate() == llvm::CmpInst::ICMP_EQ;
  if (with == mask && mask->getValue().isPowerOf2()) {
    ifNone = !ifNone;
  } else if (!with->isZero()) {
    return std::nullopt;
  }
  return BitTest{.value = bits->getOperand(0), .mask = mask->getZExtValue(), .ifNone = ifNone};
}

Bytes bytesOf(const llvm::AtomicRMWInst& rmw) { return bytesAt(*rmw.getPointerOperand(), *rmw.getType(), *rmw.getModule()); }

// Does one take back what the other one adds?
bool cancels(const llvm::AtomicRMWInst& one, const llvm::AtomicRMWInst& other) {
  if (!adds(one) || !adds(other) || bytesOf(one) != bytesOf(other)) return false;
  if (one.getOperation() != other.getOperation()) return one.getValOperand() == other.getValOperand();
  const auto* a = llvm::dyn_cast<llvm::ConstantInt>(one.getValOperand());
  const auto* b = llvm::dyn_cast<llvm::ConstantInt>(other.getValOperand());
  return a && b && (a->getValue() + b->getValue()).isZero();
}

class Finder {
 public:
  Finder(const llvm::Loop& loop, const llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution, const BuildOptions& options,
         const std::unordered_set<const llvm::Instruction*>& relevant)
      : loop_(loop), loops_(loops), evolution_(evolution), options_(options), relevant_(relevant) {}

  std::optional<Attempt> find() {
    if (!carriesNothing()) return std::nullopt;
    for (llvm::BasicBlock* block : loop_.blocks()) {
      if (loops_.getLoopFor(block) != &loop_) continue;
      for (llvm::Instruction& instruction : *block) {
        auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
        if (!rmw || rmw->isVolatile()) continue;
        if (const std::optional<Attempt> attempt = attemptOf(*rmw)) return attempt;
      }
    }
    return std::nullopt;
  }

  void markAllInVain() {
    llvm::AtomicCmpXchgInst* const exchange = onlyExchange();
    if (!exchange || !carriesNothing() || !isLeftBy(*exchange)) return;
    const auto* expected = llvm::dyn_cast<llvm::ConstantInt>(exchange->getCompareOperand());
    if (!expected || expected->getBitWidth() > 64 || !loop_.isLoopInvariant(exchange->getNewValOperand())) return;
    const Attempt attempt{.comparison = Comparison::equal, .expected = expected->getZExtValue()};
    const Bytes bytes = bytesAt(*exchange->getPointerOperand(), *expected->getType(), *exchange->getModule());
    if (!loop_.isLoopInvariant(bytes.base)) return;
    std::vector<llvm::Instruction*> accesses = {exchange};
    for (llvm::BasicBlock* block : loop_.blocks()) {
      if (!endsInTime(*block, attempt)) return;
      for (llvm::Instruction& instruction : *block) {
        if (&instruction == exchange) continue;
        if (!isPassing(instruction, bytes) || llvm::isa<llvm::FenceInst>(instruction)) return;
        auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (!load || !load->isAtomic()) continue;
        if (!isLookBefore(*load, *exchange, *expected)) return;
        accesses.push_back(load);
      }
    }
    for (llvm::Instruction* access : accesses) markInVain(*access);
  }

 private:
  // The compare-exchange of the loop, if there is one and no other.
  llvm::AtomicCmpXchgInst* onlyExchange() const {
    llvm::AtomicCmpXchgInst* only = nullptr;
    for (llvm::BasicBlock* block : loop_.blocks()) {
      for (llvm::Instruction& instruction : *block) {
        auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
        if (!exchange) continue;
        if (only || exchange->isVolatile() || loops_.getLoopFor(block) != &loop_) return nullptr;
        only = exchange;
      }
    }
    return only;
  }

  // Is the loop left where the compare-exchange has succeeded, and nowhere else?
  bool isLeftBy(const llvm::AtomicCmpXchgInst& exchange) const {
    for (llvm::BasicBlock* block : loop_.blocks()) {
      for (const llvm::BasicBlock* next : llvm::successors(block)) {
        if (loop_.contains(next)) continue;
        const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
        const auto* success =
            branch && branch->isConditional() ? llvm::dyn_cast<llvm::ExtractValueInst>(branch->getCondition()) : nullptr;
        if (!success || success->getAggregateOperand() != &exchange || success->getIndices()[0] != 1) return false;
        if (loop_.contains(branch->getSuccessor(0)) || !loop_.contains(branch->getSuccessor(1))) return false;
      }
    }
    return true;
  }

  // A load that decides whether to try. It must go on to the exchange if it finds what that expects, as it could have found the very
  // write that the exchange finds, and must not synchronise more than that does.
  bool isLookBefore(const llvm::LoadInst& load, const llvm::AtomicCmpXchgInst& exchange,
                    const llvm::ConstantInt& expected) const {
    if (!llvm::isAtLeastOrStrongerThan(exchange.getSuccessOrdering(), load.getOrdering()) || !load.hasOneUse()) return false;
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(load.user_back());
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(load.getParent()->getTerminator());
    if (!compare || !compare->hasOneUse() || !branch || !branch->isConditional() || branch->getCondition() != compare)
      return false;
    const auto* with = llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1));
    if (!with || compare->getOperand(0) != &load) return false;
    if (loops_.getLoopFor(load.getParent()) != &loop_) return true;  // endsInTime
    const bool met = llvm::ICmpInst::compare(expected.getValue(), with->getValue(), compare->getPredicate());
    const llvm::BasicBlock* next = branch->getSuccessor(met ? 0 : 1);
    for (unsigned steps = 0; steps < 8 && next != exchange.getParent() && next->getSingleSuccessor(); ++steps)
      next = next->getSingleSuccessor();
    return next == exchange.getParent();
  }

  bool carriesNothing() const {
    for (const llvm::PHINode& phi : loop_.getHeader()->phis()) {
      if (!relevant_.contains(&phi)) continue;
      for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
        if (loop_.contains(phi.getIncomingBlock(i)) && phi.getIncomingValue(i) != &phi) return false;
      }
    }
    return true;
  }

  std::optional<Attempt> attemptOf(llvm::AtomicRMWInst& rmw) const {
    if (!rmw.getType()->isIntegerTy() || rmw.getType()->getIntegerBitWidth() > 64 ||
        !loop_.isLoopInvariant(bytesOf(rmw).base)) {
      return std::nullopt;
    }
    Attempt attempt{.rmw = &rmw};
    llvm::BasicBlock* failed = nullptr;
    if (!(adds(rmw) ? readCondition(attempt, failed) : readTest(attempt, failed)) || !failed) return std::nullopt;
    return isPureBefore(rmw) && isTakenBack(attempt, failed) ? std::optional(attempt) : std::nullopt;
  }

  // What is compared is the result, or some bits of it, or the result and a constant added: the new value.
  bool readCondition(Attempt& attempt, llvm::BasicBlock*& failed) const {
    if (readBitTest(attempt, failed)) return true;
    llvm::Instruction* value = attempt.rmw;
    std::uint64_t added = 0;
    if (!value->hasOneUse()) return false;
    if (auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(value->user_back())) {
      const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1));
      const bool isSum = sum->getOpcode() == llvm::Instruction::Add || sum->getOpcode() == llvm::Instruction::Sub;
      if (!constant || !isSum || sum->getOperand(0) != value || !sum->hasOneUse()) return false;
      added = sum->getOpcode() == llvm::Instruction::Add ? constant->getZExtValue() : 0 - constant->getZExtValue();
      value = sum;
    }
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(value->user_back());
    const auto* expected = compare ? llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1)) : nullptr;
    if (!expected || compare->getOperand(0) != value || !compare->hasOneUse()) return false;
    if (added != 0 && !compare->isEquality()) return false;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(attempt.rmw->getParent()->getTerminator());
    if (!branch || !branch->isConditional() || branch->getCondition() != compare) return false;
    for (const bool negated : {false, true}) {
      llvm::BasicBlock* out = branch->getSuccessor(negated ? 1 : 0);
      if (loop_.contains(out)) continue;
      const std::optional<Comparison> comparison =
          comparisonOf(negated ? compare->getInversePredicate() : compare->getPredicate());
      if (!comparison) return false;
      attempt.comparison = *comparison;
      attempt.expected = expected->getZExtValue() - added;
      failed = branch->getSuccessor(negated ? 0 : 1);
      return loop_.contains(failed);
    }
    return false;
  }

  bool readBitTest(Attempt& attempt, llvm::BasicBlock*& failed) const {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(attempt.rmw->getParent()->getTerminator());
    const auto* compare = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
    const std::optional<BitTest> test = compare ? bitTestOf(*compare) : std::nullopt;
    if (!test || test->value != attempt.rmw || !attempt.rmw->hasOneUse() || !compare->hasOneUse() ||
        !compare->getOperand(0)->hasOneUse()) {
      return false;
    }
    const bool negated = loop_.contains(branch->getSuccessor(0));  // the loop is left if the test is not met
    attempt.comparison = test->ifNone != negated ? Comparison::noneOf : Comparison::anyOf;
    attempt.expected = test->mask;
    failed = branch->getSuccessor(negated ? 0 : 1);
    return loop_.contains(failed) && !loop_.contains(branch->getSuccessor(negated ? 1 : 0));
  }

  // A test-and-set: where the loop goes if what it sets was set.
  bool readTest(Attempt& attempt, llvm::BasicBlock*& failed) const {
    auto* set = llvm::dyn_cast<llvm::ConstantInt>(attempt.rmw->getValOperand());
    if (attempt.rmw->getOperation() != llvm::AtomicRMWInst::Xchg || !set) return false;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(attempt.rmw->getParent()->getTerminator());
    if (!branch || !branch->isConditional()) return false;
    llvm::Instruction* value = attempt.rmw;
    llvm::Constant* known = set;
    while (value != branch->getCondition()) {
      if (!value->hasOneUse()) return false;
      auto* next = llvm::dyn_cast<llvm::Instruction>(value->user_back());
      if (!next || next->getParent() != attempt.rmw->getParent() || next->mayReadOrWriteMemory()) return false;
      std::vector<llvm::Constant*> operands;
      for (llvm::Value* operand : next->operands()) {
        auto* constant = operand == value ? known : llvm::dyn_cast<llvm::Constant>(operand);
        if (!constant) return false;
        operands.push_back(constant);
      }
      known = llvm::ConstantFoldInstOperands(next, operands, attempt.rmw->getModule()->getDataLayout());
      if (!known) return false;
      value = next;
    }
    const auto* decided = llvm::dyn_cast<llvm::ConstantInt>(known);
    if (!decided || !value->hasOneUse()) return false;
    attempt.comparison = Comparison::notEqual;
    attempt.expected = set->getZExtValue();
    failed = branch->getSuccessor(decided->isZero() ? 1 : 0);
    return loop_.contains(failed) && !loop_.contains(branch->getSuccessor(decided->isZero() ? 0 : 1));
  }

  // From the header to the attempt there is no effect, and no way round it.
  bool isPureBefore(const llvm::AtomicRMWInst& rmw) const {
    llvm::BasicBlock* own = const_cast<llvm::BasicBlock*>(rmw.getParent());
    const Blocks before = reachable(loop_, loop_.getHeader(), own);
    if (!before.contains(own) || leadsToHeader(loop_, before, own)) return false;
    for (const llvm::BasicBlock* block : before) {
      for (const llvm::Instruction& instruction : *block) {
        if (&instruction == &rmw) break;
        if (effectOf(instruction, options_) != Effect::none) return false;
      }
    }
    return passesTheTime(rmw.getNextNode(), bytesOf(rmw));
  }

  bool isTakenBack(const Attempt& attempt, llvm::BasicBlock* failed) const {
    const llvm::AtomicRMWInst& rmw = *attempt.rmw;
    if (failed == loop_.getHeader()) return !adds(rmw);
    const Blocks after = reachable(loop_, failed, nullptr);
    const llvm::AtomicRMWInst* taker = nullptr;
    for (llvm::BasicBlock* block : after) {
      if (block == rmw.getParent() || !endsInTime(*block, attempt)) return false;
      for (const llvm::BasicBlock* next : llvm::successors(block)) {
        if (!loop_.contains(next)) return false;
      }
      for (const llvm::Instruction& instruction : *block) {
        const auto* other = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
        if (other ? taker != nullptr : !isPassing(instruction, bytesOf(rmw))) return false;
        if (other) taker = other;
      }
    }
    if (!adds(rmw)) return !taker;
    if (!taker || !taker->use_empty() || !cancels(rmw, *taker)) return false;
    if (loops_.getLoopFor(taker->getParent()) != &loop_) return false;
    const Blocks before = reachable(loop_, failed, taker->getParent());
    for (const llvm::BasicBlock* block : before) {
      const llvm::Loop* inner = loops_.getLoopFor(block);
      if (inner != &loop_ && !evolution_.hasLoopInvariantBackedgeTakenCount(inner)) return false;
    }
    return !leadsToHeader(loop_, before, taker->getParent());
  }

  // Do the loops inside, of which this is a header, end by themselves, or at a value with which the attempt succeeds?
  bool endsInTime(const llvm::BasicBlock& header, const Attempt& attempt) const {
    const llvm::Loop* inner = loops_.getLoopFor(&header);
    if (inner == &loop_ || inner->getHeader() != &header) return true;
    if (evolution_.hasLoopInvariantBackedgeTakenCount(inner)) return true;
    const llvm::BasicBlock* exiting = inner->getExitingBlock();
    if (!exiting || (exiting != &header && exiting != inner->getLoopLatch())) return false;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator());
    if (!branch || !branch->isConditional()) return false;
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
    if (attempt.comparison == Comparison::noneOf || attempt.comparison == Comparison::anyOf)
      return compare && endsWithBits(*inner, *branch, *compare, attempt);
    const auto* load = compare ? llvm::dyn_cast<llvm::LoadInst>(compare->getOperand(0)) : nullptr;
    const auto* constant = compare ? llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1)) : nullptr;
    if (!load || !constant || load->getParent() != exiting) return false;
    const bool negated = inner->contains(branch->getSuccessor(0));
    const auto ends = llvm::ConstantRange::makeExactICmpRegion(
        negated ? compare->getInversePredicate() : compare->getPredicate(), constant->getValue());
    const auto succeeds = llvm::ConstantRange::makeExactICmpRegion(predicateOf(attempt.comparison),
                                                                   llvm::APInt(constant->getBitWidth(), attempt.expected));
    return ends.contains(succeeds);
  }

  // Likewise if both are tests of bits.
  static bool endsWithBits(const llvm::Loop& inner, const llvm::BranchInst& branch, const llvm::ICmpInst& compare,
                           const Attempt& attempt) {
    const std::optional<BitTest> test = bitTestOf(compare);
    const auto* load = test ? llvm::dyn_cast<llvm::LoadInst>(test->value) : nullptr;
    if (!load || load->getParent() != branch.getParent()) return false;
    const bool negated = inner.contains(branch.getSuccessor(0));
    const bool ifNone = test->ifNone != negated;
    if (ifNone != (attempt.comparison == Comparison::noneOf)) return false;
    return ifNone ? (test->mask & ~attempt.expected) == 0 : (attempt.expected & ~test->mask) == 0;
  }

  bool passesTheTime(const llvm::Instruction* from, const Bytes& bytes) const {
    for (; from; from = from->getNextNode()) {
      if (!isPassing(*from, bytes)) return false;
    }
    return true;
  }

  // Can the instruction be left out, as far as others and errors are concerned?
  bool isPassing(const llvm::Instruction& instruction, const Bytes& bytes) const {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (isRuntimeVariable(load->getPointerOperand())) return true;
      return load->isAtomic() && bytesAt(*load->getPointerOperand(), *load->getType(), *load->getModule()) == bytes;
    }
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return isRuntimeVariable(store->getPointerOperand());
    if (llvm::isa<llvm::FenceInst>(instruction)) return true;
    if (llvm::isa<llvm::CallBase>(instruction)) return passesTime(llvm::cast<llvm::CallBase>(instruction));
    if (llvm::isa<llvm::UnreachableInst, llvm::ReturnInst, llvm::ResumeInst>(instruction)) return false;
    return !instruction.mayReadOrWriteMemory() && !instruction.mayThrow();
  }

  bool passesTime(const llvm::CallBase& call) const {
    return !call.doesNotReturn() && effectOf(call, options_) == Effect::none &&
           (llvm::isa<llvm::IntrinsicInst>(call) || (call.getCalledFunction() && call.getCalledFunction()->isDeclaration()) ||
            isShortLibraryCall(call));
  }

  // A library model such as sched_yield, in which effectOf has found nothing.
  static bool isShortLibraryCall(const llvm::CallBase& call) {
    const llvm::Function* callee = call.getCalledFunction();
    if (!callee || !callee->hasFnAttribute(kLibraryAttribute)) return false;
    for (const llvm::BasicBlock& block : *callee) {
      for (const llvm::Instruction& instruction : block) {
        if (instruction.mayReadFromMemory() && !llvm::isa<llvm::CallBase>(instruction)) return false;
      }
    }
    return true;
  }

  const llvm::Loop& loop_;
  const llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  const BuildOptions& options_;
  const std::unordered_set<const llvm::Instruction*>& relevant_;
};

}  // namespace

bool adds(const llvm::AtomicRMWInst& rmw) {
  return rmw.getOperation() == llvm::AtomicRMWInst::Add || rmw.getOperation() == llvm::AtomicRMWInst::Sub;
}

void markAllInVain(const llvm::Loop& loop, const llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution,
                   const BuildOptions& options, const std::unordered_set<const llvm::Instruction*>& relevant) {
  Finder(loop, loops, evolution, options, relevant).markAllInVain();
}

std::optional<Attempt> findAttempt(const llvm::Loop& loop, const llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution,
                                   const BuildOptions& options, const std::unordered_set<const llvm::Instruction*>& relevant) {
  return Finder(loop, loops, evolution, options, relevant).find();
}

}  // namespace heddle::native
