#include "native/loops/loop_plan.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "native/compile/link.h"
#include "native/instrument/attempt_marks.h"
#include "native/loops/annotation_calls.h"
#include "native/loops/attempts.h"
#include "native/loops/effects.h"
#include "native/loops/guards.h"
#include "native/loops/loop_causes.h"
#include "native/loops/loop_shape.h"
#include "native/loops/overwritten.h"
#include "native/loops/redone_stores.h"
#include "native/loops/relevance.h"
#include "native/loops/reread.h"

namespace heddle::native {
namespace {

// "file:line=N" of --unroll-loop, if it is this loop's.
std::uint64_t boundFor(std::string_view option, const runtime::Source& source) {
  const std::size_t equals = option.rfind('=');
  const std::size_t colon = option.rfind(':', equals);
  if (equals == std::string_view::npos || colon == std::string_view::npos) return 0;
  const auto number = [](std::string_view digits) {
    std::uint64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
  };
  if (number(option.substr(colon + 1, equals - colon - 1)) != source.line) return 0;
  const std::string_view file = option.substr(0, colon);
  const std::string_view full = source.file;
  const bool same = full == file || (full.ends_with(file) && full[full.size() - file.size() - 1] == '/');
  return same ? number(option.substr(equals + 1)) : 0;
}

// The edges of a computed goto cannot be split.
bool hasComputedEdge(const llvm::Loop& loop) {
  return llvm::any_of(llvm::predecessors(loop.getHeader()), [](const llvm::BasicBlock* block) {
    return llvm::isa<llvm::IndirectBrInst, llvm::CallBrInst>(block->getTerminator());
  });
}

// Can the header be reached in the loop from these blocks, along edges that may be followed?
bool reachesHeader(const llvm::Loop& loop, std::vector<const llvm::BasicBlock*> work,
                   const std::function<bool(const llvm::BasicBlock*, const llvm::BasicBlock*)>& follow) {
  std::set<const llvm::BasicBlock*> seen(work.begin(), work.end());
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.back();
    work.pop_back();
    for (const llvm::BasicBlock* next : llvm::successors(block)) {
      if (!loop.contains(next) || !follow(block, next)) continue;
      if (next == loop.getHeader()) return true;
      if (seen.insert(next).second) work.push_back(next);
    }
  }
  return false;
}

// Can an iteration come round without any of the blocks?
template <class Blocks>
bool hasPathAround(const llvm::Loop& loop, const Blocks& blocks) {
  if (blocks.contains(loop.getHeader())) return false;
  return reachesHeader(loop, {loop.getHeader()},
                       [&](const llvm::BasicBlock*, const llvm::BasicBlock* to) { return !blocks.contains(to); });
}

// Where a branch on the success of a compare-exchange goes if it failed; null if it is no such branch.
const llvm::BasicBlock* successorAfterFailure(const llvm::BasicBlock& block, const llvm::Instruction& exchange) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return nullptr;
  const auto* success = llvm::dyn_cast<llvm::ExtractValueInst>(branch->getCondition());
  if (!success || success->getAggregateOperand() != &exchange || success->getIndices()[0] != 1) return nullptr;
  return branch->getSuccessor(1);
}

// Has a compare-exchange failed whenever the loop goes round afterwards (thesis 7.2.3)?
bool failsIfGoingRound(const llvm::Loop& loop, const llvm::Instruction& exchange) {
  const llvm::BasicBlock* own = exchange.getParent();
  bool again = false;  // it may be made twice in an iteration: the one that is tested is not the only one
  const bool round = reachesHeader(loop, {own}, [&](const llvm::BasicBlock* from, const llvm::BasicBlock* to) {
    if (to == successorAfterFailure(*from, exchange)) return false;
    again |= to == own && to != loop.getHeader();
    return true;
  });
  return !round && !again;
}

class Planner {
 public:
  Planner(Instrumentation& instrumentation, const VisibleCode& visible, llvm::Function& function)
      : ins_(instrumentation), visible_(visible), function_(function), dominators_(function), loops_(dominators_) {}

  std::vector<LoopPlan> plan() {
    std::vector<LoopPlan> plans;
    if (loops_.empty()) return plans;
    llvm::TargetLibraryInfoImpl libraries{llvm::Triple(ins_.module.getTargetTriple())};
    llvm::TargetLibraryInfo library(libraries);
    llvm::AssumptionCache assumptions(function_);
    llvm::ScalarEvolution evolution(function_, library, assumptions, dominators_, loops_);
    evolution_ = &evolution;
    for (llvm::Loop* loop : loops_.getLoopsInPreorder()) {
      LoopPlan plan = planOf(*loop, evolution);
      if (plan.spin || plan.attempt || plan.bound != 0 || plan.silent || plan.marked.isMarked())
        plans.push_back(std::move(plan));
    }
    return plans;
  }

 private:
  LoopPlan planOf(llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
    LoopPlan plan;
    plan.header = loop.getHeader();
    plan.source = placeOf(loop);
    plan.index = static_cast<std::uint32_t>(ins_.info.loops.size());
    runtime::Loop entry{.source = plan.source};
    const bool counted = evolution.hasLoopInvariantBackedgeTakenCount(&loop);
    const bool finite = counted || isFinite(loop, evolution);
    std::optional<Attempt> attempt;
    const bool isUsual = !plan.header->isEHPad() && !hasComputedEdge(loop);
    if (isUsual) {
      plan.bound = boundOf(loop, finite);
      if (isCandidate(loop, counted)) attempt = findAttempt(loop, loops_, evolution, ins_.options, relevant());
      const bool takesBack = attempt && adds(*attempt->rmw);
      plan.spin = !counted && mayWait(plan) && isSpinLoop(loop, plan, evolution, takesBack);
      if (plan.mutex.base) attempt.reset();
      plan.silent = !counted && !isVisible(loop);
      findMarks(loop, plan);
      if (plan.spin) markAllInVain(loop, loops_, evolution, ins_.options, relevant());
    }
    entry.bound = plan.bound;
    plan.attempt = attempt.has_value();
    if (attempt) markAttempt(*attempt, plan.index);
    if (!isUsual) refuse(plan, [] { return "a computed goto or an exception leads to its beginning"; });
    if ((attempt && adds(*attempt->rmw)) || (plan.spin && plan.mutex.base)) {
      entry.kind = runtime::LoopKind::zeroNetEffect;
    } else if (plan.spin) {
      const bool isStatic = attempt || (plan.effects.empty() && plan.carried.empty() && !plan.asks);
      entry.kind = isStatic ? runtime::LoopKind::effectFree : runtime::LoopKind::dynamic;
      if (plan.limit) entry.rounds = mostRounds(loop, evolution);
      if (ins_.options.explainLoops && !isStatic) entry.why = watchedText(ins_, plan.effects, plan.carried);
    } else if (plan.marked.isMarked()) {
      entry.kind = runtime::LoopKind::marked;
    } else if (finite) {
      entry.kind = runtime::LoopKind::finite;
      entry.rounds = mostRounds(loop, evolution);
    } else {
      entry.why = plan.why;
    }
    const llvm::Loop* const parent = loop.getParentLoop();
    entry.parent = parent ? indices_.at(parent) : runtime::kNoLoop;
    entry.places = visiblePlaces(loop);
    indices_[&loop] = plan.index;
    ins_.info.loops.push_back(std::move(entry));
    llvm::SmallVector<llvm::BasicBlock*, 4> latches;
    loop.getLoopLatches(latches);
    for (llvm::BasicBlock* latch : latches) {  // one may have two edges
      if (!llvm::is_contained(plan.latches, latch)) plan.latches.push_back(latch);
    }
    for (llvm::BasicBlock* block : llvm::predecessors(plan.header)) {
      const bool known = std::find(plan.entries.begin(), plan.entries.end(), block) != plan.entries.end();
      if (!loop.contains(block) && !known) plan.entries.push_back(block);
    }
    return plan;
  }

  // For an attempt that is taken back (attempts.h)? Not if the program marks writes as local (heddle.h): an attempt
  // that waits does not read what it would find in vain, and if that is local to another thread it has to be noticed.
  bool isCandidate(const llvm::Loop& loop, bool counted) const {
    const auto updates = [](const llvm::Instruction& instruction) { return llvm::isa<llvm::AtomicRMWInst>(instruction); };
    return !counted && !marksLocalWrites(ins_.module) &&
           llvm::any_of(loop.blocks(), [&](const llvm::BasicBlock* block) { return llvm::any_of(*block, updates); });
  }

  // Is there an end to it, though it may be left earlier: by a failed assertion, an exception, a break? An exit that is an
  // error is none: a loop that counts its rounds and asserts that there are few waits for something else.
  bool isFinite(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) const {
    llvm::SmallVector<llvm::BasicBlock*, 4> exits, latches;
    loop.getExitingBlocks(exits);
    loop.getLoopLatches(latches);
    return llvm::any_of(exits, [&](llvm::BasicBlock* block) {
      const auto comesBy = [&](const llvm::BasicBlock* latch) { return dominators_.dominates(block, latch); };
      if (!llvm::all_of(latches, comesBy) || !leavesForGood(loop, *block)) return false;
      const llvm::SCEV* count = evolution.getExitCount(&loop, block, llvm::ScalarEvolution::SymbolicMaximum);
      return !llvm::isa<llvm::SCEVCouldNotCompute>(count) || isEndOfRange(loop, *block, evolution);
    });
  }

  // Does the program go on where the block leaves the loop?
  static bool leavesForGood(const llvm::Loop& loop, const llvm::BasicBlock& block) {
    return llvm::any_of(llvm::successors(&block), [&](const llvm::BasicBlock* next) {
      if (loop.contains(next)) return false;
      for (unsigned steps = 0; steps < 8 && next->getSingleSuccessor(); ++steps) next = next->getSingleSuccessor();
      return !llvm::isa<llvm::UnreachableInst>(next->getTerminator());
    });
  }

  // Does the block compare a pointer, which moves on by a fixed step, with one that stays where it is? Scalar
  // evolution must take it that the one may miss the other; but it would have to leave the object that it points into.
  static bool isEndOfRange(const llvm::Loop& loop, const llvm::BasicBlock& block, llvm::ScalarEvolution& evolution) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional()) return false;
    llvm::Value* condition = branch->getCondition();
    unsigned ifEqual = 0;  // which way it goes
    while (llvm::PatternMatch::match(condition, llvm::PatternMatch::m_Not(llvm::PatternMatch::m_Value(condition))))
      ifEqual ^= 1;
    const auto* test = llvm::dyn_cast<llvm::ICmpInst>(condition);
    if (!test || !test->isEquality() || !test->getOperand(0)->getType()->isPointerTy()) return false;
    if (test->getPredicate() == llvm::ICmpInst::ICMP_NE) ifEqual ^= 1;
    if (loop.contains(branch->getSuccessor(ifEqual))) return false;
    const auto moves = [&](llvm::Value* value) { return alwaysChanges(*value, loop, evolution); };
    const auto stays = [&](llvm::Value* value) { return evolution.isLoopInvariant(evolution.getSCEV(value), &loop); };
    llvm::Value* const left = test->getOperand(0);
    llvm::Value* const right = test->getOperand(1);
    return (moves(left) && stays(right)) || (moves(right) && stays(left));
  }

  // 0 if it is not a constant, or so large that it may as well be none.
  static std::uint64_t mostRounds(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
    constexpr unsigned kLarge = 1'000'000;
    const unsigned reached = evolution.getSmallConstantMaxTripCount(&loop);
    if (reached == 0 || reached >= kLarge) return 0;
    // That is how often the header is reached; if it is there that the loop ends, the last time is not a round.
    llvm::BasicBlock* header = loop.getHeader();
    if (!loop.isLoopExiting(header) || loop.isLoopLatch(header)) return reached;
    const auto* left =
        llvm::dyn_cast<llvm::SCEVConstant>(evolution.getExitCount(&loop, header, llvm::ScalarEvolution::ConstantMaximum));
    return left && left->getAPInt().ult(reached) ? reached - 1 : reached;
  }

  std::uint32_t placeOf(const llvm::Loop& loop) {
    if (const llvm::DebugLoc start = loop.getStartLoc()) return ins_.sources.of(start.get());
    return ins_.sources.of(*loop.getHeader()->getTerminator());
  }

  // ---- Bounds

  // A loop that has an end is cut only if it is named.
  std::uint64_t boundOf(const llvm::Loop& loop, bool finite) {
    const runtime::Source source = ins_.sources[placeOf(loop)];
    for (const std::string& option : ins_.options.unrollLoops) {
      if (const std::uint64_t bound = boundFor(option, source)) return bound;
    }
    return finite || !isVisible(loop) ? 0 : ins_.options.unroll;
  }

  bool isVisible(const llvm::Loop& loop) const {
    return llvm::any_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
      return llvm::any_of(*block, [&](const llvm::Instruction& i) { return visible_.contains(i); });
    });
  }

  std::vector<std::uint32_t> visiblePlaces(const llvm::Loop& loop) {
    std::vector<std::uint32_t> places;
    for (const llvm::BasicBlock* block : loop.blocks()) {
      if (loops_.getLoopFor(block) != &loop) continue;
      for (const llvm::Instruction& instruction : *block) {
        if (visible_.contains(instruction)) places.push_back(ins_.sources.shown(ins_.sources.of(instruction)));
      }
    }
    return places;
  }

  // ---- Spin loops

  // Library models rely on it that their loops wait.
  bool mayWait(LoopPlan& plan) const {
    const bool may = ins_.options.waitingLoops || function_.hasFnAttribute(kLibraryAttribute);
    return may || refuse(plan, [] { return "loops are not to wait (--without spin-loops)"; });
  }

  // That the loop does not wait. Why, only if somebody has asked.
  template <class Text>
  bool refuse(LoopPlan& plan, Text text) const {
    if (ins_.options.explainLoops) plan.why = text();
    return false;
  }

  // Blocks that certainly have an effect, and which.
  using Effective = std::map<const llvm::BasicBlock*, const llvm::Instruction*>;

  // One that all rounds come by, or else the first.
  std::string certainEffect(const llvm::Loop& loop, const Effective& effective) const {
    const llvm::Instruction* found = nullptr;
    bool isAlone = false;
    for (const llvm::BasicBlock* block : loop.blocks()) {
      const auto known = effective.find(block);
      if (known == effective.end() || isAlone) continue;
      isAlone = !hasPathAround(loop, std::set<const llvm::BasicBlock*>{block});
      if (isAlone || !found) found = known->second;
    }
    return found ? "each round changes something, as by " + effectText(ins_, *found) : "";
  }

  // Fills in what there is to watch, and tells whether an iteration without effect is possible at all. `takesBack`: it has an
  // addition that waits by itself.
  bool isSpinLoop(const llvm::Loop& loop, LoopPlan& plan, llvm::ScalarEvolution& evolution, bool takesBack) {
    bool reads = false;
    Effective effective;
    std::vector<llvm::StoreInst*> overwritten, stores;  // atomic ones
    std::vector<llvm::Instruction*> guards;
    if (!takesBack) {
      guards = findGuards(loop, evolution, [&](const llvm::Instruction& cas) { return failsIfGoingRound(loop, cas); });
    }
    for (llvm::BasicBlock* block : loop.blocks()) {
      for (llvm::Instruction& instruction : *block) {
        reads |= readsShared(instruction, ins_.options) || callsVisible(instruction);
        if (isOwn(loop, instruction, plan) || isIrrelevant(instruction)) continue;
        if (llvm::is_contained(guards, &instruction)) {
          plan.asks = true;
          plan.effects.push_back(&instruction);
          continue;
        }
        Effect effect = effectOf(instruction, ins_.options);
        if ((effect == Effect::lock || effect == Effect::unlock) && !isOnlyMutex(loop, instruction, plan))
          effect = Effect::certain;
        if (effect == Effect::certain) effective.try_emplace(block, &instruction);
        plan.asks |= effect == Effect::unknown || effect == Effect::ifNew || effect == Effect::ifRaced;
        plan.calls |= effect == Effect::unknown;
        if (effect == Effect::ifNew) {
          auto& store = llvm::cast<llvm::StoreInst>(instruction);
          const bool repeated = markedStore(store).mayBeRepeated;  // in an outer loop
          (isWrittenAnew(loop, store) && !repeated ? overwritten : stores).push_back(&store);
        }
        if (effect == Effect::none || isNoEffectGoingRound(loop, instruction, effect)) continue;
        plan.effects.push_back(&instruction);
      }
    }
    for (const llvm::Instruction* effect : plan.effects) {
      if (effectOf(*effect, ins_.options) != Effect::unlock || isTakenBefore(*effect, plan)) continue;
      effective.try_emplace(effect->getParent(), effect);
    }
    if (plan.frees.empty()) {
      for (const llvm::Instruction* allocation : plan.allocations) effective.try_emplace(allocation->getParent(), allocation);
    }
    if (!reads) return refuse(plan, [] { return "it reads nothing that another thread may change"; });
    if (!hasPathAround(loop, effective)) return refuse(plan, [&] { return certainEffect(loop, effective); });
    const llvm::PHINode* counter = nullptr;
    for (llvm::PHINode& value : plan.header->phis()) {
      if (!relevant().contains(&value)) continue;
      if (!value.getType()->isSingleValueType() || value.getType()->isVectorTy())
        return refuse(plan, [&] { return "it goes on with " + nameOf(value) + ", which is not compared"; });
      if (alwaysChanges(value, loop, evolution)) {
        const bool isFirst = plan.bound == 0 && !plan.limit;
        if (isFirst) plan.limit = limitOf(value, loop, evolution, dominators_, ins_.options, relevant());
        if (!isFirst || !plan.limit) return refuse(plan, [&] { return nameOf(value) + " changes in each round, and matters"; });
        counter = &value;
        continue;
      }
      if (isInvariant(value, loop)) continue;
      (isReread(value, loop, plan) ? plan.reread : plan.carried).push_back(&value);
    }
    if (plan.limit && !(plan.reread.empty() && canGiveUp(loop, plan)))
      return refuse(plan, [&] { return nameOf(*counter) + " counts the rounds, and their number may matter"; });
    // That the load before the loop might as well have read what an iteration has is of use only if nothing else has changed.
    if (!plan.carried.empty() || !plan.effects.empty()) {
      plan.carried.insert(plan.carried.end(), plan.reread.begin(), plan.reread.end());
      plan.loads.clear();
    }
    plan.failsOnce = hasToFailOnce(loop, plan);
    for (const llvm::BasicBlock* latch : plan.latches) plan.mayReadNothing |= mayReadNothing(loop, *latch);
    markStores(loop, overwritten, stores);
    for (llvm::Instruction* guard : guards) markGuard(*guard);
    return true;
  }

  // ---- Rounds that the program says are in vain (marked_rounds.h)

  // Nothing if every round waits anyway.
  void findMarks(const llvm::Loop& loop, LoopPlan& plan) {
    const bool waits = plan.spin && ((plan.effects.empty() && plan.carried.empty() && !plan.asks) || plan.limit);
    if (waits) return;
    MarkedLoop marked;
    for (llvm::BasicBlock* block : loop.blocks()) {
      for (llvm::Instruction& instruction : *block) {
        const bool own = loops_.getLoopFor(block) == &loop;
        if (own && endsRound(instruction)) marked.marks.push_back(&llvm::cast<llvm::CallInst>(instruction));
        const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        const bool anew =
            store && !store->isAtomic() && !isRuntimeVariable(store->getPointerOperand()) && isWrittenAnew(loop, *store);
        marked.rewrites |= anew && !writesLocal(instruction);
        if (!anew && writesLocal(instruction) && !isIrrelevant(instruction)) marked.unclear.push_back(&instruction);
      }
    }
    if (!marked.isMarked()) return;
    for (llvm::PHINode& value : plan.header->phis()) {
      if (!relevant().contains(&value) || isInvariant(value, loop)) continue;
      LoopPlan other;
      other.header = plan.header;
      (isReread(value, loop, other) ? marked.reread : marked.carried).push_back(&value);
    }
    plan.marked = std::move(marked);
  }

  // Does it write a local variable, or an argument that is passed in memory?
  static bool writesLocal(const llvm::Instruction& instruction) {
    const llvm::Value* address = nullptr;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) address = store->getPointerOperand();
    if (const auto* range = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) address = range->getDest();
    const llvm::Value* const base = address ? llvm::getUnderlyingObject(address, 0) : nullptr;
    const auto* argument = llvm::dyn_cast_or_null<llvm::Argument>(base);
    return llvm::isa_and_nonnull<llvm::AllocaInst>(base) || (argument && argument->hasByValAttr());
  }

  // Is every round in vain, and could come again, or is seen not to be like that (limits.h)?
  bool canGiveUp(const llvm::Loop& loop, LoopPlan& plan) {
    if (!plan.effects.empty() || !plan.carried.empty() || plan.asks || plan.mutex.base) return false;
    std::vector<llvm::Instruction*> reads;
    for (llvm::BasicBlock* block : loop.blocks()) {
      for (llvm::Instruction& instruction : *block) {
        if (callsVisible(instruction)) return false;
        if (!readsShared(instruction, ins_.options)) continue;
        if (loops_.getLoopFor(block) != &loop) return false;
        reads.push_back(&instruction);
      }
    }
    if (reads.size() == 1) return true;
    plan.looks = lookBeforeExchange(reads, loop, dominators_);
    return plan.looks.has_value();
  }

  // May the loop go round by this way without having read anything? That is no round in vain, as nothing would end the wait.
  bool mayReadNothing(const llvm::Loop& loop, const llvm::BasicBlock& latch) const {
    const auto reads = [&](const llvm::BasicBlock& block) {
      return llvm::any_of(block, [&](const llvm::Instruction& instruction) {
        return readsShared(instruction, ins_.options) || callsVisible(instruction);
      });
    };
    if (reads(*loop.getHeader())) return false;
    std::set<const llvm::BasicBlock*> seen = {loop.getHeader()};
    std::vector<const llvm::BasicBlock*> work = {loop.getHeader()};
    while (!work.empty()) {
      const llvm::BasicBlock* block = work.back();
      work.pop_back();
      if (block == &latch) return true;
      for (const llvm::BasicBlock* next : llvm::successors(block)) {
        if (loop.contains(next) && !reads(*next) && seen.insert(next).second) work.push_back(next);
      }
    }
    return false;
  }

  // Does it write a local variable that nothing depends on?
  bool isIrrelevant(const llvm::Instruction& instruction) {
    const llvm::Value* address = nullptr;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) address = store->getPointerOperand();
    if (const auto* range = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) address = range->getDest();
    if (!address) return false;
    const Bytes bytes = bytesAt(*address, *llvm::Type::getInt8Ty(instruction.getContext()), *instruction.getModule());
    return llvm::isa<llvm::AllocaInst>(bytes.base) && !relevant().contains(&instruction);
  }

  bool callsVisible(const llvm::Instruction& instruction) const {
    return llvm::isa<llvm::CallBase>(instruction) && visible_.contains(instruction);
  }

  bool isNoEffectGoingRound(const llvm::Loop& loop, const llvm::Instruction& instruction, Effect effect) const {
    if (effect == Effect::ifSucceeds) return failsIfGoingRound(loop, instruction);
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    const bool mayBeAnew = effect == Effect::ifChanges || effect == Effect::ifRaced || effect == Effect::ifNew;
    return mayBeAnew && store && isWrittenAnew(loop, *store);
  }

  bool isWrittenAnew(const llvm::Loop& loop, const llvm::StoreInst& store) const {
    return isOverwritten(store, loop, {loops_, dominators_, *evolution_}, [&](const llvm::Instruction& instruction) {
      return llvm::isa<llvm::AtomicCmpXchgInst>(instruction) && failsIfGoingRound(loop, instruction);
    });
  }

  // Memory that an iteration allocates nobody else knows until it is published, which is an effect of its own. If it is
  // freed in the same iteration nothing is left of it (thesis 7.2.5, escape analysis).
  static bool isOwn(const llvm::Loop& loop, llvm::Instruction& instruction, LoopPlan& plan) {
    const auto isOwnMemory = [&](const llvm::Value& address) {
      const llvm::Value* base =
          bytesAt(address, *llvm::Type::getInt8Ty(instruction.getContext()), *instruction.getModule()).base;
      return isAllocation(*base) && loop.contains(llvm::cast<llvm::Instruction>(base));
    };
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      return isOwnMemory(*store->getPointerOperand());
    }
    if (const auto* copy = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) return isOwnMemory(*copy->getRawDest());
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee) return false;
    const llvm::StringRef name = callee->getName();
    const bool frees = name == "free" || name.starts_with("_Zdl") || name.starts_with("_Zda");
    if (!isAllocation(*call) && !(frees && isOwnMemory(*call->getArgOperand(0)))) return false;
    plan.effects.push_back(&instruction);
    (frees ? plan.frees : plan.allocations).push_back(&instruction);
    return true;
  }

  // Has the iteration taken the mutex before it gives it back here, whichever way it comes?
  bool isTakenBefore(const llvm::Instruction& unlock, const LoopPlan& plan) const {
    return llvm::any_of(plan.effects, [&](const llvm::Instruction* effect) {
      return effectOf(*effect, ins_.options) == Effect::lock && dominators_.dominates(effect, &unlock);
    });
  }

  // Is it the one mutex that the loop takes and gives back, known when the loop begins?
  static bool isOnlyMutex(const llvm::Loop& loop, const llvm::Instruction& instruction, LoopPlan& plan) {
    const Bytes mutex = mutexOf(instruction);
    if (!plan.mutex.base && loop.isLoopInvariant(mutex.base)) plan.mutex = mutex;
    return plan.mutex == mutex;
  }

  bool isReread(llvm::PHINode& value, const llvm::Loop& loop, LoopPlan& plan) {
    const Reread reread = rereadOf(value, loop);
    if (!reread.load) return false;
    for (const llvm::AtomicCmpXchgInst* exchange : reread.exchanges) {
      if (!loop.contains(exchange) || !failsIfGoingRound(loop, *exchange)) return false;
    }
    for (const llvm::PHINode& other : plan.header->phis()) {
      if (&other != &value && relevant().contains(&other) && goApart(value, other, *reread.load)) return false;
    }
    if (!llvm::is_contained(plan.loads, reread.load)) plan.loads.push_back(reread.load);
    return true;
  }

  // Is all that a round reads an exchange that fails, and all that it hands on what that has found?
  bool hasToFailOnce(const llvm::Loop& loop, const LoopPlan& plan) const {
    if (plan.carried.size() != 1 || !plan.reread.empty() || !plan.effects.empty() || plan.asks || plan.limit || plan.mutex.base)
      return false;
    const llvm::AtomicCmpXchgInst* const exchange = foundAgain(*plan.carried.front(), loop);
    if (!exchange || loops_.getLoopFor(exchange->getParent()) != &loop || !failsIfGoingRound(loop, *exchange)) return false;
    llvm::SmallVector<llvm::BasicBlock*, 4> latches;
    loop.getLoopLatches(latches);
    const auto comesBy = [&](const llvm::BasicBlock* latch) { return dominators_.dominates(exchange->getParent(), latch); };
    if (!llvm::all_of(latches, comesBy)) return false;
    return llvm::all_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
      return llvm::all_of(*block, [&](const llvm::Instruction& instruction) {
        const bool reads = readsShared(instruction, ins_.options) || callsVisible(instruction);
        return &instruction == exchange || !(reads || llvm::isa<llvm::FenceInst>(instruction));
      });
    });
  }

  const std::unordered_set<const llvm::Instruction*>& relevant() {
    if (!relevant_) relevant_ = relevantValues(function_, ins_.options);
    return *relevant_;
  }

  // A count that matters: no iteration ends as it began.
  static bool alwaysChanges(llvm::Value& value, const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
    if (!evolution.isSCEVable(value.getType())) return false;
    const auto* count = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(&value));
    return count && count->getLoop() == &loop && count->isAffine() &&
           evolution.isKnownNonZero(count->getStepRecurrence(evolution));
  }

  static bool isInvariant(const llvm::PHINode& value, const llvm::Loop& loop) {
    for (unsigned i = 0; i < value.getNumIncomingValues(); ++i) {
      if (loop.contains(value.getIncomingBlock(i)) && value.getIncomingValue(i) != &value) return false;
    }
    return true;
  }

  Instrumentation& ins_;
  const VisibleCode& visible_;
  llvm::Function& function_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::ScalarEvolution* evolution_ = nullptr;
  std::map<const llvm::Loop*, std::uint32_t> indices_;                    // into ProgramInfo::loops
  std::optional<std::unordered_set<const llvm::Instruction*>> relevant_;  // found when it is needed
};

}  // namespace

Bytes mutexOf(const llvm::Instruction& call) {
  return bytesAt(*llvm::cast<llvm::CallBase>(call).getArgOperand(0), *llvm::Type::getInt8Ty(call.getContext()),
                 *call.getModule());
}

std::vector<LoopPlan> planLoops(Instrumentation& instrumentation, const VisibleCode& visible, llvm::Function& function) {
  shapeLoops(function);
  return Planner(instrumentation, visible, function).plan();
}

}  // namespace heddle::native
