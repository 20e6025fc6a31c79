#include "native/checked.h"

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

// What is available at a point: addresses checked for reading (or writing), and for writing.
struct State {
  llvm::BitVector reads, writes;

  void meet(const State& other) {
    reads &= other.reads;
    writes &= other.writes;
  }
  void clear() {
    reads.reset();
    writes.reset();
  }
  bool operator==(const State& other) const { return reads == other.reads && writes == other.writes; }
};

class Availability {
 public:
  Availability(const llvm::Function& function, const std::vector<Access>& accesses, const AccessCheck& check)
      : function_(function) {
    for (const Access& access : accesses) {
      const Place place = check.placeOf(access.address);
      const auto key = place.offset ? std::make_tuple(place.base, *place.offset, access.size)
                                    : std::make_tuple(access.address, std::int64_t{0}, access.size);
      const auto [entry, isNew] = numbers_.try_emplace(key, static_cast<unsigned>(numbers_.size()));
      known_[access.instruction] = {entry->second, access.stored || access.asWrite};
    }
  }

  std::unordered_set<const llvm::Instruction*> solve() {
    std::unordered_set<const llvm::Instruction*> redundant;
    if (numbers_.empty() || numbers_.size() > kMaxAddresses) return redundant;
    const auto count = static_cast<unsigned>(numbers_.size());
    for (const llvm::BasicBlock& block : function_) in_[&block] = {llvm::BitVector(count, true), llvm::BitVector(count, true)};
    in_[&function_.getEntryBlock()] = {llvm::BitVector(count), llvm::BitVector(count)};
    const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function_);
    for (bool changed = true; changed;) {
      changed = false;
      for (const llvm::BasicBlock* block : order) {
        const State out = run(*block, nullptr);
        for (const llvm::BasicBlock* next : llvm::successors(block)) {
          State met = in_[next];
          met.meet(out);
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
  State run(const llvm::BasicBlock& block, std::unordered_set<const llvm::Instruction*>* redundant) {
    State state = in_[&block];
    for (const llvm::Instruction& instruction : block) {
      if (const auto found = known_.find(&instruction); found != known_.end()) {
        const auto [number, write] = found->second;
        const bool available = write ? state.writes[number] : state.reads[number];
        if (available && redundant) redundant->insert(&instruction);
        if (write && !available) state.clear();
        state.reads.set(number);
        if (write) state.writes.set(number);
      } else if (endsSegment(instruction)) {
        state.clear();
      }
    }
    return state;
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
  std::unordered_map<const llvm::BasicBlock*, State> in_;
};

}  // namespace

std::unordered_set<const llvm::Instruction*> checkedBefore(const llvm::Function& function,
                                                           const std::vector<Access>& accesses,
                                                           const AccessCheck& check) {
  return Availability(function, accesses, check).solve();
}

}  // namespace heddle::native
