#include "native/instrument/dangling_uses.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <vector>

#include "native/instrument/local_variables.h"

namespace heddle::native {
namespace {

using Instructions = llvm::SmallPtrSet<const llvm::Instruction*, 8>;

// A pointer to the variable, with all that is computed from it.
struct Pointer {
  Instructions made, used, computed;
};

class Pointers {
 public:
  explicit Pointers(const llvm::AllocaInst& variable) {
    Pointer own;
    for (const llvm::Instruction* marker : lifetimeMarkers(variable)) {
      if (marksBegin(*marker)) own.made.insert(marker);
    }
    collect(variable, own);
    all.push_back(std::move(own));
    while (!open_.empty()) {
      const llvm::Instruction* made = open_.pop_back_val();
      Pointer pointer;
      pointer.made.insert(made);
      collect(*made, pointer);
      all.push_back(std::move(pointer));
    }
  }

  std::vector<Pointer> all;

 private:
  void collect(const llvm::Instruction& value, Pointer& pointer) {
    for (const llvm::Use& use : value.uses()) {
      const auto& user = *llvm::cast<llvm::Instruction>(use.getUser());
      if (user.isLifetimeStartOrEnd() || llvm::isa<llvm::CmpInst>(user)) continue;
      if (llvm::isa<llvm::GetElementPtrInst, llvm::SelectInst, llvm::FreezeInst, llvm::CastInst>(user)) {
        if (pointer.computed.insert(&user).second) collect(user, pointer);
      } else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&user)) {
        pointer.used.insert(phi->getIncomingBlock(use)->getTerminator());
        follow(user);
      } else {
        pointer.used.insert(&user);
        if (llvm::isa<llvm::CallBase>(user) && user.getType()->isPointerTy()) follow(user);
      }
    }
  }

  void follow(const llvm::Instruction& made) {
    if (followed_.insert(&made).second) open_.push_back(&made);
  }

  Instructions followed_;
  llvm::SmallVector<const llvm::Instruction*, 4> open_;
};

// Is one of `goals` reached from behind `from` before one of `walls`?
class Way {
 public:
  Way(const Instructions& goals, const Instructions& walls) : goals_(goals), walls_(walls) {}

  bool leads(const llvm::Instruction& from) {
    llvm::SmallVector<const llvm::BasicBlock*, 16> open;
    const auto walk = [&](const llvm::Instruction* instruction) {
      const llvm::BasicBlock* block = instruction->getParent();
      for (; instruction; instruction = instruction->getNextNode()) {
        // What makes a pointer may use an older one, as a phi does at the end of another block.
        if (goals_.contains(instruction)) return true;
        if (walls_.contains(instruction)) return false;
      }
      for (const llvm::BasicBlock* next : llvm::successors(block)) {
        if (seen_.insert(next).second) open.push_back(next);
      }
      return false;
    };
    if (walk(from.getNextNode())) return true;
    while (!open.empty()) {
      if (walk(&open.pop_back_val()->front())) return true;
    }
    return false;
  }

 private:
  const Instructions& goals_;
  const Instructions& walls_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen_;
};

}  // namespace

bool mayBeUsedAfterEnd(const llvm::AllocaInst& variable) {
  const Pointers pointers(variable);
  for (const llvm::Instruction* marker : lifetimeMarkers(variable)) {
    if (marksBegin(*marker)) continue;
    for (const Pointer& pointer : pointers.all) {
      if (Way(pointer.used, pointer.made).leads(*marker)) return true;
    }
  }
  return false;
}

bool mayBeginAgain(const llvm::AllocaInst& variable) {
  const std::vector<llvm::Instruction*> markers = lifetimeMarkers(variable);
  Instructions begins;
  for (const llvm::Instruction* marker : markers) {
    if (marksBegin(*marker)) begins.insert(marker);
  }
  return std::any_of(markers.begin(), markers.end(),
                     [&](const auto* marker) { return !marksBegin(*marker) && Way(begins, {}).leads(*marker); });
}

}  // namespace heddle::native
