#include "runtime/placed_objects.h"

#include <algorithm>
#include <vector>

#include "runtime/places.h"

namespace heddle::runtime {
namespace {

constexpr Address kGranule = 4;  // of the log

}  // namespace

const PlacedObject* PlacedObjects::find(Address address) const {
  if (collected_ != memory_.changes()) collect();
  auto next = objects_.upper_bound(address);
  if (next == objects_.begin()) return nullptr;
  const PlacedObject& object = std::prev(next)->second;
  return address - object.address < info_.types[object.type].size ? &object : nullptr;
}

void PlacedObjects::note(Address address, std::uint32_t source) const {
  failed_[address] = source;
  collected_ = 0;
}

void PlacedObjects::add(Address address, std::uint32_t source, bool exact) const {
  if (source >= info_.sources.size()) return;
  const Source::Member& member = info_.sources[source].member;
  if (member.object == 0) return;
  // A large member begins at its first granule, a small one somewhere in its only one.
  if (!exact && member.size > kGranule && address % (2 * kGranule) != 0) return;
  const Address begin = address - (exact ? member.offset : member.offset / kGranule * kGranule);
  std::uint32_t& type = candidates_[begin];
  if (type == 0 || info_.types[type].size < info_.types[member.object].size) type = member.object;
}

void PlacedObjects::collect() const {
  candidates_.clear();
  objects_.clear();
  memory_.forEachAccess([&](Address address, std::uint32_t source, bool exact) { add(address, source, exact); });
  for (const auto& [address, source] : failed_) add(address, source, true);
  std::vector<PlacedObject> found;
  for (const auto& [address, type] : candidates_) found.push_back({address, type});
  const auto sizeOf = [&](const PlacedObject& object) { return info_.types[object.type].size; };
  std::ranges::stable_sort(found, [&](const auto& a, const auto& b) { return sizeOf(a) > sizeOf(b); });
  for (const PlacedObject& object : found) {
    const auto next = objects_.lower_bound(object.address);
    const bool free = (next == objects_.end() || next->first >= object.address + sizeOf(object)) &&
                      (next == objects_.begin() || std::prev(next)->first + sizeOf(std::prev(next)->second) <= object.address);
    if (free) objects_.emplace(object.address, object);
  }
  collected_ = memory_.changes();
}

}  // namespace heddle::runtime
