#include "native/loops/overwritten.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <set>
#include <vector>

#include "native/instrument/local_variables.h"
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

}  // namespace

bool isOverwritten(const llvm::StoreInst& store, const llvm::Loop& loop, const IsInVain& isInVain) {
  const Bytes bytes = bytesAt(*store.getPointerOperand(), *store.getValueOperand()->getType(), *store.getModule());
  if (livesInside(bytes.base, loop)) return true;
  if (bytes.size == 0 || !loop.isLoopInvariant(bytes.base)) return false;
  const bool hidden = isHidden(*bytes.base, loop, isInVain);
  std::set<const llvm::BasicBlock*> seen = {loop.getHeader()};
  std::vector<const llvm::BasicBlock*> work = {loop.getHeader()};
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.back();
    work.pop_back();
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
