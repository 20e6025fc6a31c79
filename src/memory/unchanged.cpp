// Has a thread changed memory, all in all?
//
// A thread that counts up and down again, or sets a flag and clears it, has changed nothing. What its segments wrote
// over is in the log: the oldest of it for each byte is compared with what is there now. In between no other thread can
// have written these bytes without a race or without the thread's having waited for it.

#include <algorithm>
#include <map>

#include "memory/memory.h"

namespace heddle::memory {

bool Memory::isUnchangedSince(Lane index, std::span<const Range> except) const {
  std::map<Address, std::uint8_t> before;
  for (SegmentId id = position_[thread_]; id != kNoSegment && log_.segment(id).index > index;
       id = log_.segment(id).previous) {
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
  for (const auto& [address, byte] : before) {
    const bool gone = address >= top && address - framesOf(thread_) < kFramesSize;
    const auto isIn = [a = address](const Range& range) { return a - range.address < range.size; };
    if (gone || std::ranges::any_of(except, isIn)) continue;
    if (*reinterpret_cast<const std::uint8_t*>(address) != byte) return false;
  }
  return true;
}

}  // namespace heddle::memory
