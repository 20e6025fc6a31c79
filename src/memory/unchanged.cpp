// Has a thread changed memory, all in all?
//
// A thread that counts up and down again, or sets a flag and clears it, has changed nothing, unless somebody could have
// a look in between. What its segments wrote over is in the log, so going back in it shows what each byte was, at some
// event and in the beginning. In between no other thread can have written these bytes without a race or without the thread's
// having waited for it.
//
// The log has what a segment wrote over first. If a round of a loop begins in the middle of a segment, what was there then is not
// known where the segment had written before. So these bytes are hashed when the round begins (moment): if they have the same
// hash in the end they are what they were.

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "memory/memory.h"
#include "util/hash.h"

namespace heddle::memory {

// What is there now where the first entries of a segment have written.
std::uint64_t Memory::hashOfWrites(SegmentId segment, std::uint32_t entries) const {
  std::uint64_t hash = entries;
  const std::uint32_t first = log_.segment(segment).start.entries;
  for (std::uint32_t i = first; i < first + entries; ++i) {
    const Entry& entry = log_.entry(i);
    const bool wide = entry.is() == EntryKind::write;
    if ((!wide && entry.is() != EntryKind::byte) || isInGoneFrame(entry.address())) continue;
    std::uint32_t now = 0;
    std::memcpy(&now, reinterpret_cast<const void*>(entry.address()), wide ? kGranule : 1);
    hash = util::mix(util::mix(hash, entry.address()), now);
  }
  return hash;
}

Memory::Moment Memory::moment() const {
  const SegmentId id = position_[thread_];
  if (id == kNoSegment || log_.segment(id).index != index_) return {};
  const std::uint32_t entries = log_.endOf(id) - log_.segment(id).start.entries;
  return {.entries = entries, .bytes = hashOfWrites(id, entries)};
}

bool Memory::isUnchangedSince(Lane index, std::span<const Lane> looks, std::span<const Range> except,
                              const Moment& start) const {
  using Bytes = std::map<Address, std::uint8_t>;  // those that were written later, as they were
  Bytes before;
  std::vector<Bytes> seen = {{}};
  for (SegmentId id = position_[thread_]; id != kNoSegment && log_.segment(id).index > index; id = log_.segment(id).previous) {
    for (; !looks.empty() && log_.segment(id).index <= looks.front(); looks = looks.subspan(1)) seen.push_back(before);
    std::uint32_t from = log_.segment(id).start.entries;
    if (start.entries != 0 && log_.segment(id).index == index + 1) {
      if (log_.endOf(id) < from + start.entries || hashOfWrites(id, start.entries) != start.bytes) return false;
      from += start.entries;
    }
    for (std::uint32_t i = log_.endOf(id); i-- > from;) {
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
    for (std::uint32_t i = log_.segment(id).start.entries; i < from; ++i) {  // what the hash is of has not changed
      const Entry& entry = log_.entry(i);
      const unsigned size = entry.is() == EntryKind::write ? kGranule : entry.is() == EntryKind::byte ? 1 : 0;
      for (unsigned b = 0; b < size; ++b) before.erase(entry.address() + b);
    }
  }
  return std::ranges::all_of(before, [&](const auto& each) {
    const auto& [address, byte] = each;
    if (isInGoneFrame(address) || std::ranges::any_of(except, [a = address](const Range& r) { return a - r.address < r.size; }))
      return true;
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
