#include "native/loops/overwritten.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>
#include <set>
#include <vector>

#include "native/instrument/local_variables.h"
#include "native/instrument/shared_state.h"
#include "native/loops/annotation_calls.h"
#include "native/loops/bytes.h"

namespace heddle::native {
namespace {

enum class Use { none, reads, overwrites };

// `store` is plain: it cannot be that of a race's other side.
Use useOf(const llvm::Instruction& instruction, const Bytes& bytes, bool hidden) {
  const llvm::Module& module = *instruction.getModule();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    const Bytes stored = bytesAt(*store->getPointerOperand(), *store->getValueOperand()->getType(), module);
    if (stored.contains(bytes)) return Use::overwrites;
    return store->isAtomic() ? Use::reads : Use::none;  // it may hand out the address of the bytes
  }
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (isRuntimeVariable(load->getPointerOperand())) return Use::none;
    const Bytes read = bytesAt(*load->getPointerOperand(), *load->getType(), module);
    if (!mayOverlap(read, bytes) || (hidden && comesFromMemory(*read.base))) return Use::none;
    return Use::reads;
  }
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    if (intrinsic->doesNotAccessMemory() || intrinsic->isAssumeLikeIntrinsic()) return Use::none;
  }
  if (isAnnotation(instruction)) return Use::none;
  // Also a read-modify-write, for the same reason.
  return instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects() ? Use::reads : Use::none;
}

// What the block does to the bytes first.
Use firstUse(const llvm::BasicBlock& block, const Bytes& bytes, bool hidden) {
  for (const llvm::Instruction& instruction : block) {
    if (const Use use = useOf(instruction, bytes, hidden); use != Use::none) return use;
  }
  return Use::none;
}

// Is this a variable that begins, and so ends, within an iteration?
bool livesInside(const llvm::Value* address, const llvm::Loop& loop) {
  const auto* variable = llvm::dyn_cast_or_null<llvm::AllocaInst>(address);
  if (!variable) return false;
  const std::vector<llvm::Instruction*> markers = lifetimeMarkers(*variable);
  return !markers.empty() && llvm::all_of(markers, [&](const llvm::Instruction* m) { return loop.contains(m); });
}

// A loop inside that fills an array: what it stores in all its rounds.
struct Filling {
  const llvm::Loop* loop = nullptr;  // none: the store is made once
  Bytes bytes;
};

// The loop goes round a constant number of times, is left nowhere else, and each round stores the next element.
std::optional<Filling> fillingOf(const llvm::StoreInst& store, const llvm::Loop& inner, const LoopAnalyses& analyses) {
  llvm::ScalarEvolution& evolution = analyses.evolution;
  const llvm::BasicBlock* const latch = inner.getLoopLatch();
  const unsigned rounds = inner.getExitingBlock() ? evolution.getSmallConstantTripCount(&inner) : 0;
  if (rounds == 0 || !latch || !inner.isInnermost()) return std::nullopt;
  // If the loop is left at its top the last round is not one, and comes no further.
  const bool wholeRounds = inner.getExitingBlock() == latch;
  if (!analyses.dominators.dominates(store.getParent(), latch)) return std::nullopt;
  if (!wholeRounds && analyses.dominators.dominates(store.getParent(), inner.getExitingBlock())) return std::nullopt;
  const auto* address =
      llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(const_cast<llvm::Value*>(store.getPointerOperand())));
  if (!address || address->getLoop() != &inner || !address->isAffine()) return std::nullopt;
  const auto* base = llvm::dyn_cast<llvm::SCEVUnknown>(evolution.getPointerBase(address));
  if (!base) return std::nullopt;
  const auto* first = llvm::dyn_cast<llvm::SCEVConstant>(evolution.getMinusSCEV(address->getStart(), base));
  const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(address->getStepRecurrence(evolution));
  const std::uint64_t size = bytesAt(*store.getPointerOperand(), *store.getValueOperand()->getType(), *store.getModule()).size;
  if (!first || !step || size == 0 || step->getAPInt() != size) return std::nullopt;
  const std::uint64_t stores = wholeRounds ? rounds : rounds - 1;
  return Filling{&inner, {base->getValue(), first->getAPInt().getSExtValue(), size * stores}};
}

// Does the loop inside read nothing of what it fills?
bool onlyFills(const Filling& filling, const llvm::StoreInst& store, bool hidden) {
  return llvm::all_of(filling.loop->blocks(), [&](const llvm::BasicBlock* block) {
    return llvm::all_of(*block, [&](const llvm::Instruction& instruction) {
      return &instruction == &store || useOf(instruction, filling.bytes, hidden) == Use::none;
    });
  });
}

}  // namespace

bool isOverwritten(const llvm::StoreInst& store, const llvm::Loop& loop, const LoopAnalyses& analyses,
                   const IsInVain& isInVain) {
  Filling filling{nullptr, bytesAt(*store.getPointerOperand(), *store.getValueOperand()->getType(), *store.getModule())};
  const llvm::Loop* const inner = analyses.loops.getLoopFor(store.getParent());
  if (inner != &loop && inner->getParentLoop() == &loop && !store.isAtomic())
    filling = fillingOf(store, *inner, analyses).value_or(filling);
  const Bytes& bytes = filling.bytes;
  if (livesInside(bytes.base, loop)) return true;
  if (bytes.size == 0 || !loop.isLoopInvariant(bytes.base)) return false;
  const bool hidden = isHidden(*bytes.base, loop, isInVain);
  std::set<const llvm::BasicBlock*> seen = {loop.getHeader()};
  std::vector<const llvm::BasicBlock*> work = {loop.getHeader()};
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.back();
    work.pop_back();
    if (filling.loop && filling.loop->getHeader() == block) {
      if (!onlyFills(filling, store, hidden)) return false;
      continue;
    }
    switch (firstUse(*block, bytes, hidden)) {
      case Use::reads: return false;
      case Use::overwrites: continue;
      case Use::none: break;
    }
    for (const llvm::BasicBlock* next : llvm::successors(block)) {
      if (!loop.contains(next)) return false;
      if (seen.insert(next).second) work.push_back(next);
    }
  }
  return true;
}

}  // namespace heddle::native
