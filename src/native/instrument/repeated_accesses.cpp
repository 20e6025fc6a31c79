#include "native/instrument/repeated_accesses.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>
#include <tuple>
#include <unordered_map>

namespace heddle::native {
namespace {

constexpr unsigned kMaxAddresses = 4096;  // of a function; beyond, its checks all stay

class Availability {
 public:
  Availability(const llvm::Function& function, const std::vector<Access>& accesses, const AccessHook& check)
      : function_(function) {
    for (const Access& access : accesses) {
      const Place place = check.placeOf(access.address);
      const auto key = place.offset ? std::make_tuple(place.base, *place.offset, access.size)
                                    : std::make_tuple(access.address, std::int64_t{0}, access.size);
      const auto [entry, isNew] = numbers_.try_emplace(key, static_cast<unsigned>(numbers_.size()));
      known_[access.instruction] = {entry->second, access.stored != nullptr};
    }
  }

  std::unordered_set<const llvm::Instruction*> solve() {
    std::unordered_set<const llvm::Instruction*> redundant;
    if (numbers_.empty() || numbers_.size() > kMaxAddresses) return redundant;
    const auto count = static_cast<unsigned>(numbers_.size());
    for (const llvm::BasicBlock& block : function_) in_[&block] = llvm::BitVector(count, true);
    in_[&function_.getEntryBlock()] = llvm::BitVector(count);
    const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function_);
    for (bool changed = true; changed;) {
      changed = false;
      for (const llvm::BasicBlock* block : order) {
        const llvm::BitVector out = run(*block, nullptr);
        for (const llvm::BasicBlock* next : llvm::successors(block)) {
          llvm::BitVector met = in_[next];
          met &= out;
          if (met == in_[next]) continue;
          in_[next] = std::move(met);
          changed = true;
        }
      }
    }
    for (const llvm::BasicBlock& block : function_) run(block, &redundant);
    return redundant;
  }

 private:
  // The addresses that are available at the end of a block. A write to an atomic location is an event, each time.
  llvm::BitVector run(const llvm::BasicBlock& block, std::unordered_set<const llvm::Instruction*>* redundant) {
    llvm::BitVector available = in_[&block];
    for (const llvm::Instruction& instruction : block) {
      if (const auto found = known_.find(&instruction); found != known_.end()) {
        const auto [number, write] = found->second;
        if (write) {
          available.reset();
        } else if (available[number] && redundant) {
          redundant->insert(&instruction);
        }
        available.set(number);
      } else if (endsSegment(instruction)) {
        available.reset();
      }
    }
    return available;
  }

  static bool endsSegment(const llvm::Instruction& instruction) {
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
      return llvm::isa<llvm::MemIntrinsic>(intrinsic);
    }
    return llvm::isa<llvm::CallBase>(instruction);
  }

  const llvm::Function& function_;
  std::map<std::tuple<llvm::Value*, std::int64_t, std::uint64_t>, unsigned> numbers_;
  std::unordered_map<const llvm::Instruction*, std::pair<unsigned, bool>> known_;
  std::unordered_map<const llvm::BasicBlock*, llvm::BitVector> in_;  // addresses checked before, in the same segment
};

}  // namespace

std::unordered_set<const llvm::Instruction*> checkedBefore(const llvm::Function& function, const std::vector<Access>& accesses,
                                                           const AccessHook& check) {
  return Availability(function, accesses, check).solve();
}

}  // namespace heddle::native
