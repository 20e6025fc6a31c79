#include "native/loops.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "native/access_check.h"
#include "native/control_flow.h"
#include "native/effects.h"
#include "native/relevance.h"

namespace heddle::native {
namespace {

// What is to be done to one loop; found for all loops before the first is changed.
struct Plan {
  llvm::BasicBlock* header = nullptr;
  std::vector<llvm::BasicBlock*> latches;
  std::vector<llvm::BasicBlock*> entries;  // the blocks outside that lead to the header
  std::uint32_t index = 0;                 // into ProgramInfo::loops
  std::uint64_t bound = 0;
  std::uint32_t source = 0;
  bool spin = false;
  bool silent = false;  // may run for ever without a visible operation
  std::vector<llvm::PHINode*> carried;
  std::vector<llvm::Instruction*> effects;
};

// "file:line=N" of --unroll-loop, if it is this loop's.
std::uint64_t boundFor(std::string_view option, const Source& source) {
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

class Loops {
 public:
  Loops(Instrumentation& instrumentation, llvm::Function& function) : ins_(instrumentation), function_(function) {}

  void instrument() {
    std::vector<Plan> plans = makePlans();
    for (const Plan& plan : plans) apply(plan);
    for (llvm::BasicBlock& block : function_) block.getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
  }

 private:
  std::vector<Plan> makePlans() {
    llvm::DominatorTree dominators(function_);
    llvm::LoopInfo loops(dominators);
    std::vector<Plan> plans;
    if (loops.empty()) return plans;
    llvm::TargetLibraryInfoImpl libraries{llvm::Triple(ins_.module.getTargetTriple())};
    llvm::TargetLibraryInfo library(libraries);
    llvm::AssumptionCache assumptions(function_);
    llvm::ScalarEvolution evolution(function_, library, assumptions, dominators, loops);
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
      if (loop->getHeader()->isEHPad() || hasComputedEdge(*loop)) continue;
      Plan plan;
      plan.header = loop->getHeader();
      plan.spin = isSpinLoop(*loop, plan);
      plan.bound = boundOf(*loop, evolution);
      plan.silent = !isVisible(*loop) && !evolution.hasLoopInvariantBackedgeTakenCount(loop);
      if (!plan.spin && plan.bound == 0 && !plan.silent) continue;
      llvm::SmallVector<llvm::BasicBlock*, 4> latches;
      loop->getLoopLatches(latches);
      plan.latches.assign(latches.begin(), latches.end());
      for (llvm::BasicBlock* block : llvm::predecessors(plan.header)) {
        const bool known = std::find(plan.entries.begin(), plan.entries.end(), block) != plan.entries.end();
        if (!loop->contains(block) && !known) plan.entries.push_back(block);
      }
      plan.source = placeOf(*loop);
      if (plan.spin || plan.bound != 0) {
        plan.index = static_cast<std::uint32_t>(ins_.info.loops.size());
        ins_.info.loops.push_back({plan.source, plan.bound, plan.spin});
      }
      plans.push_back(std::move(plan));
    }
    return plans;
  }

  // The edges of a computed goto cannot be split.
  static bool hasComputedEdge(const llvm::Loop& loop) {
    return llvm::any_of(llvm::predecessors(loop.getHeader()), [](const llvm::BasicBlock* block) {
      return llvm::isa<llvm::IndirectBrInst, llvm::CallBrInst>(block->getTerminator());
    });
  }

  std::uint32_t placeOf(const llvm::Loop& loop) {
    if (const llvm::DebugLoc start = loop.getStartLoc()) return ins_.sources.of(start.get());
    return ins_.sources.of(*loop.getHeader()->getTerminator());
  }

  // ---- Bounds

  std::uint64_t boundOf(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
    const Source source = ins_.sources[placeOf(loop)];
    for (const std::string& option : ins_.options.unrollLoops) {
      if (const std::uint64_t bound = boundFor(option, source)) return bound;
    }
    if (ins_.options.unroll == 0 || !isVisible(loop) || evolution.hasLoopInvariantBackedgeTakenCount(&loop)) return 0;
    return ins_.options.unroll;
  }

  bool isVisible(const llvm::Loop& loop) const {
    for (const llvm::BasicBlock* block : loop.blocks()) {
      for (const llvm::Instruction& instruction : *block) {
        const bool isCall = llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction);
        if (isCall || instruction.isAtomic() || readsShared(instruction, ins_.options)) return true;
      }
    }
    return false;
  }

  // ---- Spin loops

  // Fills in what there is to watch, and tells whether an iteration without effect is possible at all.
  bool isSpinLoop(const llvm::Loop& loop, Plan& plan) {
    bool reads = false;
    std::set<const llvm::BasicBlock*> effective;  // blocks that certainly have an effect
    for (llvm::BasicBlock* block : loop.blocks()) {
      for (llvm::Instruction& instruction : *block) {
        reads |= readsShared(instruction, ins_.options);
        const Effect effect = effectOf(instruction, ins_.options);
        if (effect == Effect::certain) effective.insert(block);
        if (effect != Effect::none) plan.effects.push_back(&instruction);
      }
    }
    if (!reads || !hasPathAround(loop, effective)) return false;
    if (!relevant_) relevant_ = relevantValues(function_, ins_.options);
    for (llvm::PHINode& value : plan.header->phis()) {
      if (!relevant_->contains(&value)) continue;
      if (!value.getType()->isSingleValueType() || value.getType()->isVectorTy()) return false;
      plan.carried.push_back(&value);
    }
    return true;
  }

  // Can the header be reached from itself without going through one of the blocks?
  static bool hasPathAround(const llvm::Loop& loop, const std::set<const llvm::BasicBlock*>& blocks) {
    std::set<const llvm::BasicBlock*> seen;
    std::vector<const llvm::BasicBlock*> work = {loop.getHeader()};
    while (!work.empty()) {
      const llvm::BasicBlock* block = work.back();
      work.pop_back();
      if (blocks.contains(block) || !seen.insert(block).second) continue;
      for (const llvm::BasicBlock* next : llvm::successors(block)) {
        if (next == loop.getHeader()) return true;
        if (loop.contains(next)) work.push_back(next);
      }
    }
    return false;
  }

  // ---- Changing the code

  void apply(const Plan& plan) {
    if (plan.silent && !ins_.sources.isLibrary(plan.source)) leavePlace(plan);
    llvm::Value* counter = plan.bound != 0 ? makeCounter(plan) : nullptr;
    llvm::Value* changed = plan.spin && !plan.effects.empty() ? watchEffects(plan) : nullptr;
    llvm::Value* begin = plan.spin ? noteBegin(plan) : nullptr;
    if (!plan.spin && !counter) return;
    for (llvm::BasicBlock* latch : plan.latches) {
      llvm::BasicBlock* edge = splitEdge(*latch, *plan.header);
      llvm::IRBuilder<> builder(edge->getTerminator());
      builder.SetCurrentDebugLocation(locationOf(*latch));
      if (plan.spin) {
        if (llvm::Value* idle = idleCondition(builder, plan, edge, changed)) {
          leaveIf(builder, idle, ins_.hooks.spin, plan.index, plan.source, begin);
        }
      }
      if (counter) {
        llvm::Value* rounds = builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), counter), builder.getInt64(1));
        builder.CreateStore(rounds, counter);
        llvm::Value* over = builder.CreateICmpUGE(rounds, builder.getInt64(plan.bound));
        leaveIf(builder, over, ins_.hooks.loopBound, plan.index, plan.source);
      }
    }
  }

  void leaveIf(llvm::IRBuilder<>& builder, llvm::Value* condition, llvm::FunctionCallee hook, std::uint32_t loop,
               std::uint32_t source, llvm::Value* begin = nullptr) {
    llvm::IRBuilder<> leaving(ins_.unlikely(builder, condition, true));
    leaving.SetCurrentDebugLocation(builder.getCurrentDebugLocation());
    llvm::SmallVector<llvm::Value*, 3> arguments = {leaving.getInt32(loop), leaving.getInt32(source)};
    if (begin) arguments.push_back(leaving.CreateLoad(leaving.getInt32Ty(), begin));
    leaving.CreateCall(hook, arguments);
  }

  // Where the thread is at the beginning of an iteration: the reads since then decided it.
  llvm::Value* noteBegin(const Plan& plan) {
    llvm::AllocaInst* begin = makeVariable(llvm::Type::getInt32Ty(ins_.module.getContext()));
    llvm::IRBuilder<> builder(&*plan.header->getFirstInsertionPt());
    builder.SetCurrentDebugLocation(locationOf(*plan.header));
    builder.CreateStore(builder.CreateCall(ins_.hooks.position, {}), begin);
    return begin;
  }

  llvm::AllocaInst* makeVariable(llvm::Type* type) {
    llvm::BasicBlock& entry = function_.getEntryBlock();
    return llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
  }

  // In front of the loop: whoever stops it later knows where it was.
  void leavePlace(const Plan& plan) {
    for (llvm::BasicBlock* entry : plan.entries) {
      llvm::IRBuilder<> builder(entry->getTerminator());
      builder.CreateStore(builder.getInt32(plan.source), ins_.hooks.callSource);
    }
  }

  llvm::Value* makeCounter(const Plan& plan) {
    llvm::AllocaInst* counter = makeVariable(llvm::Type::getInt64Ty(ins_.module.getContext()));
    for (llvm::BasicBlock* entry : plan.entries) {
      llvm::IRBuilder<> builder(entry->getTerminator());
      builder.CreateStore(builder.getInt64(0), counter);
    }
    return counter;
  }

  // A variable that says whether the iteration has changed anything.
  llvm::Value* watchEffects(const Plan& plan) {
    llvm::AllocaInst* changed = makeVariable(llvm::Type::getInt1Ty(ins_.module.getContext()));
    llvm::IRBuilder<> start(&*plan.header->getFirstInsertionPt());
    start.CreateStore(start.getFalse(), changed);
    for (llvm::Instruction* effect : plan.effects) watch(*effect, changed);
    return changed;
  }

  void watch(llvm::Instruction& effect, llvm::Value* changed) {
    llvm::IRBuilder<> builder(&effect);
    switch (effectOf(effect, ins_.options)) {
      case Effect::none: break;
      case Effect::certain: builder.CreateStore(builder.getTrue(), changed); break;
      case Effect::ifSucceeds:
        builder.SetInsertPoint(effect.getNextNode());
        orInto(builder, changed, builder.CreateExtractValue(&effect, 1));
        break;
      case Effect::ifChanges: watchStore(builder, llvm::cast<llvm::StoreInst>(effect), changed); break;
    }
  }

  // The store's own check comes before the load that compares (see accesses.cpp).
  void watchStore(llvm::IRBuilder<>& builder, llvm::StoreInst& store, llvm::Value* changed) {
    llvm::Type* type = store.getValueOperand()->getType();
    if (!type->isSingleValueType() || type->isVectorTy()) {
      builder.CreateStore(builder.getTrue(), changed);
      return;
    }
    llvm::LoadInst* old = builder.CreateAlignedLoad(type, store.getPointerOperand(), store.getAlign());
    markOwn(*old);
    builder.SetInsertPoint(store.getNextNode());
    orInto(builder, changed, differ(builder, old, store.getValueOperand()));
  }

  static void orInto(llvm::IRBuilder<>& builder, llvm::Value* variable, llvm::Value* condition) {
    builder.CreateStore(builder.CreateOr(builder.CreateLoad(builder.getInt1Ty(), variable), condition), variable);
  }

  // Bit by bit: -0.0 is not 0.0, and NaN is NaN.
  llvm::Value* differ(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b) const {
    llvm::Type* type = a->getType();
    if (type->isFloatingPointTy()) {
      auto* bits = builder.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits()));
      a = builder.CreateBitCast(a, bits);
      b = builder.CreateBitCast(b, bits);
    }
    return builder.CreateICmpNE(a, b);
  }

  // Nothing has changed in the iteration that ends at this edge. Null if something always has.
  llvm::Value* idleCondition(llvm::IRBuilder<>& builder, const Plan& plan, llvm::BasicBlock* edge, llvm::Value* changed) {
    llvm::Value* idle = builder.getTrue();
    for (llvm::PHINode* value : plan.carried) {
      llvm::Value* next = value->getIncomingValueForBlock(edge);
      if (next == value) continue;
      idle = builder.CreateAnd(idle, builder.CreateNot(differ(builder, value, next)));
    }
    if (changed) idle = builder.CreateAnd(idle, builder.CreateNot(builder.CreateLoad(builder.getInt1Ty(), changed)));
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(idle);
    return known && known->isZero() ? nullptr : idle;
  }

  llvm::DebugLoc locationOf(const llvm::BasicBlock& block) const {
    if (const llvm::DebugLoc& own = block.getTerminator()->getDebugLoc()) return own;
    llvm::DISubprogram* subprogram = function_.getSubprogram();
    if (!subprogram) return {};
    return llvm::DILocation::get(ins_.module.getContext(), 0, 0, subprogram);
  }

  Instrumentation& ins_;
  llvm::Function& function_;
  std::optional<std::unordered_set<const llvm::Instruction*>> relevant_;  // found when it is needed
};

}  // namespace

void instrumentLoops(Instrumentation& instrumentation, llvm::Function& function) {
  Loops(instrumentation, function).instrument();
}

}  // namespace heddle::native
