// Has a thread changed memory, all in all?
//
// A thread that counts up and down again, or sets a flag and clears it, has changed nothing, unless somebody could have
// a look in between. What its segments wrote over is in the log, so going back in it shows what each byte was, at some
// event and in the beginning. In between no other thread can have written these bytes without a race or without the thread's
// having waited for it.

#include <algorithm>
#include <map>
#include <vector>

#include "memory/memory.h"

namespace heddle::memory {

bool Memory::isUnchangedSince(Lane index, std::span<const Lane> looks, std::span<const Range> except) const {
  using Bytes = std::map<Address, std::uint8_t>;  // those that were written later, as they were
  Bytes before;
  std::vector<Bytes> seen = {{}};
  for (SegmentId id = position_[thread_]; id != kNoSegment && log_.segment(id).index > index; id = log_.segment(id).previous) {
    for (; !looks.empty() && log_.segment(id).index <= looks.front(); looks = looks.subspan(1)) seen.push_back(before);
    for (std::uint32_t i = log_.endOf(id); i-- > log_.segment(id).start.entries;) {
      const Entry& entry = log_.entry(i);
      switch (entry.is()) {
        case EntryKind::write:
          for (unsigned b = 0; b < kGranule; ++b) {
            before[entry.address() + b] = static_cast<std::uint8_t>(entry.bytes >> (8 * b));
          }
          break;
        case EntryKind::byte: before[entry.address()] = static_cast<std::uint8_t>(entry.bytes); break;
        case EntryKind::allocate:
        case EntryKind::free:
        case EntryKind::forget:
        case EntryKind::tls: return false;
        default: break;  // reads, and frames, which are where they were or gone
      }
    }
  }
  const Address top = frameTop();
  return std::ranges::all_of(before, [&](const auto& each) {
    const auto& [address, byte] = each;
    const bool gone = address >= top && address - framesOf(thread_) < kFramesSize;
    if (gone || std::ranges::any_of(except, [a = address](const Range& r) { return a - r.address < r.size; })) return true;
    return std::ranges::all_of(seen, [a = address, b = byte](const Bytes& bytes) {
      const auto found = bytes.find(a);
      return (found != bytes.end() ? found->second : *reinterpret_cast<const std::uint8_t*>(a)) == b;
    });
  });
}

std::optional<Memory::Change> Memory::changeSince(Lane index) const {
  struct Byte {
    std::uint8_t value;
    std::uint32_t source;
  };
  std::map<Address, Byte> before;  // those that were written, as they were
  for (SegmentId id = position_[thread_]; id != kNoSegment && log_.segment(id).index > index; id = log_.segment(id).previous) {
    for (std::uint32_t i = log_.endOf(id); i-- > log_.segment(id).start.entries;) {
      const Entry& entry = log_.entry(i);
      switch (entry.is()) {
        case EntryKind::write:
          for (unsigned b = 0; b < kGranule; ++b) {
            before[entry.address() + b] = {static_cast<std::uint8_t>(entry.bytes >> (8 * b)), entry.source};
          }
          break;
        case EntryKind::byte: before[entry.address()] = {static_cast<std::uint8_t>(entry.bytes), entry.source}; break;
        case EntryKind::allocate:
        case EntryKind::free:
        case EntryKind::forget:
        case EntryKind::tls: return Change{.address = 0, .source = entry.source, .isLocal = false};
        default: break;
      }
    }
  }
  const Address top = frameTop();
  std::optional<Change> found;
  for (const auto& [address, byte] : before) {
    const bool isLocal = address - framesOf(thread_) < kFramesSize;
    if ((isLocal && address >= top) || *reinterpret_cast<const std::uint8_t*>(address) == byte.value) continue;
    if (!isLocal) return Change{.address = address, .source = byte.source, .isLocal = false};
    if (!found) found = Change{.address = address, .source = byte.source, .isLocal = true};
  }
  return found;
}

}  // namespace heddle::memory
