// Atomic locations: bytes whose value is in the execution graph.
//
// The first atomic access makes bytes an atomic location; that is undone with its segment. Several threads may get
// there without knowing of each other, and any of them may be undone while the others stay. So a location has a set of
// makers: an access is added to it unless some maker happens before the access, for then that one cannot be undone
// without it. A location without makers is gone, and its bytes are plain again.
//
// Locations may overlap. A granule has the list of those that cover some of its bytes, and each byte of any of them
// has the flag kAtomic and its initial value in the side record.

#include <algorithm>
#include <bit>
#include <cstring>

#include "memory/memory.h"

namespace heddle::memory {

// The bytes of a range that are in a granule, as a mask.
unsigned Memory::bytesIn(Address granule, Address address, std::size_t size) {
  const Address begin = std::max(granule, address), end = std::min(granule + kGranule, address + size);
  return begin >= end ? 0 : (kAllBytes >> (kGranule - (end - begin))) << (begin - granule);
}

// Another maker of a location that has one.
template <class Location>
[[gnu::always_inline]] static inline void addMakerTo(Location& location, Shadow& shadow, ThreadId thread, Lane index) {
  if (location.makers == 0) {
    location.makers = shadow.clocks().take();
    shadow.clocks()[location.makers].set(threadOf(location.maker), indexOf(location.maker));
  }
  shadow.clocks()[location.makers].set(thread, index);
}

// ---- The access.

// A location of whole granules that was initialised plainly and then used atomically only.
inline Memory::Quick Memory::quickAtomic(Address address, unsigned size, bool write) const {
  if (((address | size) & (kGranule - 1)) != 0 || !isProgramMemory(address)) return Quick::slow;
  for (Address granule = address; granule < address + size; granule += kGranule) {
    const Cell& cell = shadow_.cell(granule);
    const std::uint32_t state = cell.write & ~kEpochMask;
    if ((state != kInitialised && state != (kInitialised | kAtomic | kSide)) || !isOrdered(cell.write)) return Quick::slow;
    if (!write) continue;
    if (cell.read != 0 && !isOrdered(cell.read)) return Quick::slow;
    if (state != kInitialised && shadow_.side(granule).reads != 0) return Quick::slow;
  }
  return Quick::record;
}

Outcome Memory::atomic(Address address, unsigned size, bool write, std::uint32_t source, bool mayBeUninitialised) {
  if (quickAtomic(address, size, write) == Quick::slow) {
    const unsigned reading = kMayBeAtomic | (mayBeUninitialised || lives_ != nullptr ? kMayBeUninitialised : 0);
    const Access access{address, size, source, write, reading, true};
    if (const Outcome outcome = checkRange(access); outcome != Outcome::ok) return outcome;
    if (isConstant(granuleOf(address), 1u << (address & (kGranule - 1)))) return Outcome::ok;  // no plain access can clash
  }
  const std::uint32_t location = findLocation(address, size);
  if (location != 0 && isMade(locations_[location])) return Outcome::ok;
  record(EntryKind::flag, address, size, source);
  if (location != 0) {
    addMakerTo(locations_[location], shadow_, thread_, index_);
  } else {
    addMaker(address, size, thread_, index_);
  }
  return Outcome::ok;
}

Outcome Memory::makePlain(Address address, unsigned size, std::uint32_t source) {
  const Access access{address, size, source, true, kMayBeAtomic};
  if (const Outcome outcome = checkRange(access); outcome != Outcome::ok) return outcome;
  for (const AtomicPart& part : atomicParts(address, size)) {
    const std::uint32_t id = findLocation(part.address, part.size);
    Entry& entry = record(EntryKind::forget, part.address, part.size, source);
    forget(entry, id);
    if (Frame* frame = allocations_.frameOf(part.address)) ++frame->plainAgain;
  }
  recordWrites(access);
  return Outcome::ok;
}

void Memory::initialBytes(Address address, std::span<std::byte> bytes) const {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const Address at = address + i;
    const bool covered = shadow_.byteAt(at).write & kAtomic;
    bytes[i] = std::byte{covered ? shadow_.side(at).initial[at & (kGranule - 1)] : byteAt(at)};
  }
}

Value Memory::initialValue(Address address, unsigned size) const {
  Value value = 0;
  initialBytes(address, std::as_writable_bytes(std::span(&value, 1)).first(std::min<std::size_t>(size, sizeof value)));
  return value;
}

void Memory::hideShown() {
  for (const auto& [address, size] : shown_) {
    for (Address at = address; at < address + size; ++at) {
      if (shadow_.byteAt(at).write & kAtomic) byteAt(at) = shadow_.side(at).initial[at & (kGranule - 1)];
    }
  }
  shown_.clear();
}

std::vector<AtomicPart> Memory::atomicParts(Address address, std::size_t size) const {
  std::vector<AtomicPart> parts;
  if (size == 0) return parts;
  for (Address granule = granuleOf(address); granule < address + size; granule += kGranule) {
    if (!isProgramMemory(granule)) continue;
    for (Covering each = shadow_.atomicsOf(granule); each.location != 0; each = shadow_.coverings()[each.next]) {
      const Location& location = locations_[each.location];
      if (location.address >= address + size || location.address + location.size <= address) continue;
      parts.push_back({location.address, location.size});
    }
  }
  const auto key = [](const AtomicPart& part) { return std::pair(part.address, part.size); };
  std::sort(parts.begin(), parts.end(), [&](const AtomicPart& a, const AtomicPart& b) { return key(a) < key(b); });
  parts.erase(
      std::unique(parts.begin(), parts.end(), [&](const AtomicPart& a, const AtomicPart& b) { return key(a) == key(b); }),
      parts.end());
  return parts;
}

// ---- The set of makers.

std::uint32_t Memory::findLocation(Address address, unsigned size) const {
  // Covering 0 has no location, and ends every list.
  for (Covering each = shadow_.atomicsOf(granuleOf(address)); each.location != 0; each = shadow_.coverings()[each.next]) {
    const Location& location = locations_[each.location];
    if (location.address == address && location.size == size) return each.location;
  }
  return 0;
}

bool Memory::isMade(const Location& location) const {
  if (isOrdered(location.maker)) return true;
  if (location.makers == 0) return false;
  const ReadClock& makers = shadow_.clocks()[location.makers];
  for (ThreadId t = 0; t < makers.lanes(); ++t) {
    const Lane lane = makers[t];
    if (lane != 0 && (t == thread_ || lane <= view_[t])) return true;
  }
  return false;
}

void Memory::addMaker(Address address, unsigned size, ThreadId thread, Lane index) {
  const std::uint32_t id = findLocation(address, size);
  if (id == 0) {
    locations_[createLocation(address, size)].maker = epochBits(thread, index);
    return;
  }
  addMakerTo(locations_[id], shadow_, thread, index);
}

void Memory::removeMaker(Address address, unsigned size, ThreadId thread) {
  const std::uint32_t id = findLocation(address, size);
  Location& location = locations_[id];
  if (location.makers == 0) {
    removeLocation(id);
    return;
  }
  ReadClock& makers = shadow_.clocks()[location.makers];
  makers.set(thread, 0);
  ThreadId other = 0;
  while (makers[other] == 0) ++other;
  location.maker = epochBits(other, makers[other]);
  if (makers.used() == 1) {
    shadow_.releaseClock(location.makers);
    location.makers = 0;
  }
}

// ---- The bytes.

std::uint32_t Memory::createLocation(Address address, unsigned size) {
  const std::uint32_t id = locations_.take();
  locations_[id].address = address;
  locations_[id].size = size;
  for (Address granule = granuleOf(address); granule < address + size; granule += kGranule) {
    cover(granule, bytesIn(granule, address, size), id);
  }
  return id;
}

// Its makers go into the log.
void Memory::forget(Entry& entry, std::uint32_t id) {
  entry.write = locations_[id].maker;
  entry.side = locations_[id].makers;
  locations_[id].makers = 0;
  removeLocation(id);
}

void Memory::removeLocation(std::uint32_t id) {
  const Location location = locations_[id];
  for (Address granule = granuleOf(location.address); granule < location.address + location.size; granule += kGranule) {
    uncover(granule, id);
  }
  shadow_.releaseClock(location.makers);
  locations_.give(id);
}

// A read half that matched must not do so any more: from here on the way is the slow one.
void Memory::cover(Address granule, unsigned mask, std::uint32_t location) {
  Side& side = shadow_.needSide(granule);
  if (side.atomics.location != 0) {
    const std::uint32_t more = shadow_.coverings().take();
    shadow_.coverings()[more] = side.atomics;
    side.atomics.next = more;
  }
  side.atomics.location = location;
  Cell& cell = shadow_.cell(granule);
  if (mask == kAllBytes && !(cell.write & kSplit)) {
    if (!(cell.write & kAtomic)) std::memcpy(side.initial.data(), &byteAt(granule), kGranule);
    cell.write |= kAtomic;
    cell.read &= ~kMatch;
    return;
  }
  for (unsigned b = 0; b < kGranule; ++b) {
    if ((mask >> b & 1) && !(shadow_.byteAt(granule + b).write & kAtomic)) side.initial[b] = byteAt(granule + b);
  }
  shadow_.split(granule);
  for (unsigned b = 0; b < kGranule; ++b) {
    if (!(mask >> b & 1)) continue;
    side.bytes[b].write |= kAtomic;
    side.bytes[b].read &= ~kMatch;
  }
  shadow_.merge(granule);
}

void Memory::uncover(Address granule, std::uint32_t location) {
  Side& side = shadow_.side(granule);
  Cell& cell = shadow_.cell(granule);
  unsigned covered = 0;  // by others
  for (Covering* each = &side.atomics; each->location != 0;) {
    if (each->location == location) {
      const std::uint32_t next = each->next;
      *each = shadow_.coverings()[next];
      if (next != 0) shadow_.coverings().give(next);
    } else {
      covered |= bytesIn(granule, locations_[each->location].address, locations_[each->location].size);
      if (each->next == 0) break;
      each = &shadow_.coverings()[each->next];
    }
  }
  const unsigned plain = bytesIn(granule, locations_[location].address, locations_[location].size) & ~covered;
  if (plain == kAllBytes && !(cell.write & kSplit)) {
    std::memcpy(&byteAt(granule), side.initial.data(), kGranule);
    cell.write &= ~kAtomic;
    shadow_.dropSide(granule);
  } else if (plain != 0) {
    shadow_.split(granule);
    for (unsigned b = 0; b < kGranule; ++b) {
      if (!(plain >> b & 1)) continue;
      byteAt(granule + b) = side.initial[b];
      side.bytes[b].write &= ~kAtomic;
    }
    shadow_.merge(granule);
  }
}

}  // namespace heddle::memory
