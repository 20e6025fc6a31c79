#include "runtime/dependencies.h"

#include <algorithm>
#include <utility>

#include "util/hash.h"

namespace heddle::runtime {

std::size_t DependencySets::Hash::operator()(const std::vector<std::uint32_t>& set) const {
  std::uint64_t hash = 1;
  for (const std::uint32_t operation : set) hash = util::mix(hash, operation);
  return hash;
}

DependencySet DependencySets::intern(std::vector<std::uint32_t> set) {
  const auto [found, isNew] = known_.try_emplace(std::move(set), static_cast<DependencySet>(sets_.size()));
  if (isNew) sets_.push_back(found->first);
  return found->second;
}

DependencySet DependencySets::joinTwo(DependencySet a, DependencySet b) {
  if (a > b) std::swap(a, b);
  const std::uint64_t key = std::uint64_t{a} << 32 | b;
  if (const auto found = joined_.find(key); found != joined_.end()) return found->second;
  std::vector<std::uint32_t> both;
  std::ranges::set_union(sets_[a], sets_[b], std::back_inserter(both));
  const DependencySet result = intern(std::move(both));
  joined_.emplace(key, result);
  return result;
}

// ---- Plain memory.

DependencySet DependentMemory::ofByte(Address address) const {
  if (!mayDepend(address)) return kIndependent;
  const memory::SegmentId segment = memory_.ownWriter(address);
  if (segment == memory::kNoSegment) return kIndependent;
  const auto found = granules_.find(keyOf(address, segment));
  return found == granules_.end() ? kIndependent : found->second[address % memory::kGranule];
}

DependencySet DependentMemory::load(Address address, std::uint64_t size) const {
  if (granules_.empty() || !memory::isProgramMemory(address)) return kIndependent;
  DependencySet all = kIndependent;
  for (std::uint64_t i = 0; i < size; ++i) all = sets_.join(all, ofByte(address + i));
  return all;
}

void DependentMemory::setByte(Address address, memory::SegmentId segment, DependencySet set) {
  const std::uint64_t key = keyOf(address, segment);
  if (set == kIndependent) {
    if (!mayDepend(address)) return;
    // There may be a row of a segment that had the same number, or of an earlier write of this one.
    if (const auto found = granules_.find(key); found != granules_.end())
      found->second[address % memory::kGranule] = kIndependent;
    return;
  }
  granules_[key][address % memory::kGranule] = set;
  mayDepend_[bitOf(address) / 64] |= std::uint64_t{1} << bitOf(address) % 64;
}

void DependentMemory::store(Address address, std::uint64_t size, DependencySet set) {
  if (set == kIndependent && granules_.empty()) return;
  if (!memory::isProgramMemory(address)) {
    noteControl_(set);
    return;
  }
  const memory::SegmentId segment = memory_.openSegment();
  for (std::uint64_t i = 0; i < size; ++i) setByte(address + i, segment, set);
}

bool DependentMemory::beginCopy(Address from, std::uint64_t size) {
  copied_.clear();
  isCopying_ = true;
  if (granules_.empty() || !memory::isProgramMemory(from)) return false;
  for (std::uint64_t i = 0; i < size; ++i) copied_.push_back(ofByte(from + i));
  return std::ranges::any_of(copied_, [](DependencySet set) { return set != kIndependent; });
}

bool DependentMemory::endCopy(Address to, Address from, std::uint64_t size, DependencySet set) {
  if (!std::exchange(isCopying_, false)) {
    store(to, size, sets_.join(set, load(from, size)));
    return false;
  }
  if (copied_.empty()) {
    store(to, size, set);
  } else if (!memory::isProgramMemory(to)) {
    for (const DependencySet each : copied_) noteControl_(sets_.join(set, each));
  } else {
    const memory::SegmentId segment = memory_.openSegment();
    for (std::uint64_t i = 0; i < size; ++i) setByte(to + i, segment, sets_.join(set, copied_[i]));
  }
  return true;
}

}  // namespace heddle::runtime
