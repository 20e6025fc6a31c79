// What is wrong with an access, and which earlier access it clashes with.

#include "memory/memory.h"

namespace heddle::memory {

Outcome Memory::fail(FaultKind kind, Address address, const Access& access) {
  fault_ = {kind, address, access.size, access.write, {}, access.address};
  return Outcome::fault;
}

// The access is not ordered with the allocation. Where races are no errors, nobody can have told the thread the address.
Outcome Memory::failBegin(const Block& block, Address address, const Access& access) {
  fail(lives_ ? FaultKind::wildPointer : FaultKind::race, address, access);
  fault_.other = beginOf(block);
  return Outcome::fault;
}

Outcome Memory::failRace(Address address, const Access& access, std::uint32_t half, bool write) {
  fail(FaultKind::race, address, access);
  fault_.other = findAccess(half, address, write);
  return Outcome::fault;
}

Outcome Memory::failPlace(const Place& place, Address address, const Access& access) {
  switch (place.life) {
    case Life::live: break;
    case Life::freed:
      if (freesAreOpen_) break;
      fail(FaultKind::useAfterFree, address, access);
      fault_.other = endOf(*place.block);
      return Outcome::fault;
    case Life::dead: return fail(FaultKind::deadFrame, address, access);
    case Life::outOfBounds: return fail(FaultKind::outOfBounds, address, access);
    case Life::null: return fail(FaultKind::nullPointer, address, access);
    case Life::wild: return fail(FaultKind::wildPointer, address, access);
  }
  return Outcome::ok;
}

Outcome Memory::checkAlive(Address address, std::size_t size, std::uint32_t source) {
  for (Address at = address; at < address + size; ++at) {
    const Place place = allocations_.place(at);
    if (place.life != Life::live) return failPlace(place, at, {address, size, source, false});
  }
  return Outcome::ok;
}

// Where a segment reads and writes, the write stands for both: what orders it orders the read.
std::vector<AccessInfo> Memory::accessesTo(Address address, std::size_t size, const Lane* before) const {
  std::vector<AccessInfo> accesses;
  for (unsigned t = 0; t < kThreads; ++t) {
    for (SegmentId id = position_[t]; id != kNoSegment; id = log_.segment(id).previous) {
      const Segment& segment = log_.segment(id);
      if (segment.index <= before[t]) break;
      bool reads = false, writes = false;
      for (std::uint32_t i = segment.start.entries; i < log_.endOf(id) && !writes; ++i) {
        const Entry& entry = log_.entry(i);
        if (entry.address() >= address + size || entry.address() + kGranule <= address) continue;
        const bool isRead = entry.is() == EntryKind::read;
        const bool isWrite = entry.is() == EntryKind::write || entry.is() == EntryKind::byte;
        const Address end = entry.address() + (entry.is() == EntryKind::byte ? 1 : kGranule);
        if ((!isRead && !isWrite) || end <= address || (isRead && reads)) continue;
        if (isWrite && reads) accesses.pop_back();
        accesses.push_back({static_cast<ThreadId>(t), isWrite, false, false, entry.source, segment.index});
        (isWrite ? writes : reads) = true;
      }
    }
  }
  return accesses;
}

AccessInfo Memory::beginOf(const Block& block) {
  return {block.thread, false, false, true, block.source, indexOf(block.epoch)};
}

AccessInfo Memory::endOf(const Block& block) {
  return {threadOf(block.endEpoch), true, true, false, block.endSource, indexOf(block.endEpoch)};
}

// Looks up where an access was made: in the segment that has its epoch, the newest entry of its kind for the byte.
AccessInfo Memory::findAccess(std::uint32_t half, Address address, bool write) const {
  AccessInfo info{threadOf(half), write, false, false, 0, indexOf(half)};
  for (SegmentId id = position_[info.thread]; id != kNoSegment; id = log_.segment(id).previous) {
    const Segment& segment = log_.segment(id);
    if (segment.index < indexOf(half)) break;
    if (segment.index > indexOf(half)) continue;
    for (std::uint32_t i = log_.endOf(id); i-- > segment.start.entries;) {
      const Entry& entry = log_.entry(i);
      const EntryKind kind = entry.is();
      const bool same = write ? (kind == EntryKind::write && entry.address() == granuleOf(address)) ||
                                    (kind == EntryKind::byte && entry.address() == address)
                              : kind == EntryKind::read && entry.address() == granuleOf(address) &&
                                    (entry.mask >> (address - entry.address()) & 1);
      if (!same) continue;
      info.source = entry.source;
      return info;
    }
  }
  return info;
}

}  // namespace heddle::memory
