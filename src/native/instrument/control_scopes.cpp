#include "native/instrument/control_scopes.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <vector>

namespace heddle::native {

namespace {

class Scopes {
 public:
  explicit Scopes(llvm::Function& function) {
    for (llvm::BasicBlock& block : function) {
      numbers_[&block] = static_cast<unsigned>(blocks_.size());
      blocks_.push_back(&block);
    }
    findDeadEnds();
    findWaysOut();
    findPostDominators();
  }

  ControlScopes find() const {
    ControlScopes scopes;
    for (unsigned branch = 0; branch < blocks_.size(); ++branch) {
      if (ways_[branch].size() < 2) continue;
      for (const unsigned way : ways_[branch]) {
        for (const unsigned block : after_[way].set_bits()) {
          if (block != branch && after_[branch].test(block)) continue;
          auto& scope = scopes[blocks_[block]];
          if (!llvm::is_contained(scope, blocks_[branch])) scope.push_back(blocks_[branch]);
        }
      }
    }
    return scopes;
  }

 private:
  // Those from which the program ends in every run.
  void findDeadEnds() {
    dead_.resize(static_cast<unsigned>(blocks_.size()));
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned i = 0; i < blocks_.size(); ++i) {
        if (dead_.test(i)) continue;
        const llvm::Instruction* end = blocks_[i]->getTerminator();
        const bool isDead = end->getNumSuccessors() == 0
                                ? llvm::isa<llvm::UnreachableInst>(end)
                                : llvm::all_of(llvm::successors(blocks_[i]),
                                               [&](llvm::BasicBlock* next) { return dead_.test(numbers_.lookup(next)); });
        if (!isDead) continue;
        dead_.set(i);
        changed = true;
      }
    }
  }

  void findWaysOut() {
    ways_.resize(blocks_.size());
    for (unsigned i = 0; i < blocks_.size(); ++i) {
      for (llvm::BasicBlock* next : llvm::successors(blocks_[i])) {
        const unsigned way = numbers_.lookup(next);
        if (!dead_.test(way) && !llvm::is_contained(ways_[i], way)) ways_[i].push_back(way);
      }
    }
  }

  // The largest sets such that what comes after a block in every run comes after all its ways out.
  void findPostDominators() {
    const auto count = static_cast<unsigned>(blocks_.size());
    after_.assign(count, llvm::BitVector(count, true));
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned i = count; i-- > 0;) {
        llvm::BitVector after(count, !ways_[i].empty());
        for (const unsigned way : ways_[i]) after &= after_[way];
        after.set(i);
        if (after == after_[i]) continue;
        after_[i] = after;
        changed = true;
      }
    }
  }

  std::vector<llvm::BasicBlock*> blocks_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> numbers_;
  llvm::BitVector dead_;
  std::vector<llvm::SmallVector<unsigned, 2>> ways_;
  std::vector<llvm::BitVector> after_;  // in every run, with the block itself
};

}  // namespace

ControlScopes findControlScopes(llvm::Function& function) { return Scopes(function).find(); }

}  // namespace heddle::native
