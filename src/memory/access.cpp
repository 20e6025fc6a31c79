// Plain accesses: the check against the shadow, and the record of it there and in the log.
//
// An access is checked as a whole before anything of it is recorded. Most granules are plain, initialised, and were
// touched by few threads: the quick functions decide these on the cell alone and send everything else the slow way,
// which works on slots and knows every case.

#include <bit>
#include <cstring>

#include "memory/memory.h"

namespace heddle::memory {
namespace {

// Calls visit(granule, mask) for each granule of a range; stops at the first outcome that is not `ok`.
template <typename Visit>
Outcome forEachGranule(Address address, std::size_t size, Visit visit) {
  while (size != 0) {
    const Address granule = granuleOf(address);
    const std::size_t skipped = address - granule, count = std::min<std::size_t>(kGranule - skipped, size);
    const unsigned mask = (kAllBytes >> (kGranule - count)) << skipped;
    if (const Outcome outcome = visit(granule, mask); outcome != Outcome::ok) return outcome;
    address += count;
    size -= count;
  }
  return Outcome::ok;
}

template <typename Visit>
void forEachByte(unsigned mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<unsigned>(std::countr_zero(mask)));
}

std::uint32_t& wordAt(Address granule) { return *reinterpret_cast<std::uint32_t*>(granule); }

bool isAligned(Address address, std::size_t size) { return ((address | size) & (kGranule - 1)) == 0; }

bool isInside(Address address, std::size_t size) { return isProgramMemory(address) && isProgramMemory(address + size - 1); }

}  // namespace

// ---- The quick way.

inline Memory::Quick Memory::quickRead(const Cell& cell) const {
  if (cell.write == epoch_ || cell.read == epoch_) return Quick::done;
  if ((cell.write & ~kEpochMask) != kInitialised || !isOrdered(cell.write)) return Quick::slow;
  return cell.read == 0 || threadOf(cell.read) == thread_ ? Quick::record : Quick::slow;
}

inline Memory::Quick Memory::quickWrite(Address granule, const Cell& cell) const {
  if (cell.write == epoch_) return Quick::done;
  if (cell.read != 0 && !isOrdered(cell.read)) return Quick::slow;
  if ((cell.write & ~kEpochMask) == kInitialised) return isOrdered(cell.write) ? Quick::record : Quick::slow;
  // The first write to a new block.
  if (cell.write != 0 || !allocations_.isCached(granule) || !allocations_.isCached(granule + kGranule - 1)) return Quick::slow;
  const Block& block = *allocations_.cached();
  return block.kind != AllocationKind::constant && isOrdered(block.epoch) ? Quick::record : Quick::slow;
}

inline void Memory::quickRecordRead(Address granule, Cell& cell, std::uint32_t source) {
  Entry& entry = record(EntryKind::read, granule, kAllBytes, source);
  entry.read = indexOf(cell.read);
  cell.read = epoch_;
}

inline void Memory::quickRecordWrite(Address granule, Cell& cell, std::uint32_t source) {
  Entry& entry = record(EntryKind::write, granule, kAllBytes, source);
  entry.write = cell.write;
  entry.read = cell.read;
  entry.side = 0;
  entry.bytes = wordAt(granule);
  cell = {epoch_, 0};
}

Outcome Memory::read(Address address, std::size_t size, std::uint32_t source, unsigned reading) {
  if (isAligned(address, size) && isInside(address, size)) {
    Cell* cells = &shadow_.cell(address);
    const std::size_t count = size / kGranule;
    std::size_t i = 0;
    while (i < count && quickRead(cells[i]) != Quick::slow) ++i;
    if (i == count) {
      for (i = 0; i < count; ++i) {
        if (quickRead(cells[i]) == Quick::record) quickRecordRead(address + i * kGranule, cells[i], source);
      }
      return Outcome::ok;
    }
  }
  return isRepeated(address, size, false) ? Outcome::ok : readSlowly({address, size, source, false, reading});
}

Outcome Memory::write(Address address, std::size_t size, std::uint32_t source) {
  if (isAligned(address, size) && isInside(address, size)) {
    Cell* cells = &shadow_.cell(address);
    const std::size_t count = size / kGranule;
    std::size_t i = 0;
    while (i < count && quickWrite(address + i * kGranule, cells[i]) != Quick::slow) ++i;
    if (i == count) {
      for (i = 0; i < count; ++i) {
        const Address granule = address + i * kGranule;
        if (quickWrite(granule, cells[i]) == Quick::record) quickRecordWrite(granule, cells[i], source);
      }
      return Outcome::ok;
    }
  }
  return isRepeated(address, size, true) ? Outcome::ok : writeSlowly({address, size, source, true});
}

// Instrumented code knows whole granules only. Did this segment access these bytes before, and may it again?
bool Memory::isRepeated(Address address, std::size_t size, bool write) const {
  const Address granule = granuleOf(address);
  if (address - granule + size > kGranule || !isProgramMemory(address) || !(shadow_.cell(granule).write & kSplit)) return false;
  const Slot* const slots = &shadow_.side(granule).bytes[address - granule];
  for (std::size_t i = 0; i < size; ++i) {
    if (slots[i].write != epoch_ && (write || slots[i].read != epoch_)) return false;
  }
  return true;
}

// ---- The slow way.

Outcome Memory::readSlowly(const Access& access) {
  const Outcome outcome = checkRange(access);
  if (outcome == Outcome::ok) recordReads(access);
  return outcome;
}

Outcome Memory::writeSlowly(const Access& access) {
  const Outcome outcome = checkRange(access);
  if (outcome == Outcome::ok) recordWrites(access);
  return outcome;
}

Outcome Memory::checkRange(const Access& access) {
  return judgeAlike([&] { return checkRangeOnce(access); });
}

Outcome Memory::checkRangeOnce(const Access& access) {
  return forEachGranule(access.address, access.size, [&](Address granule, unsigned mask) {
    if (!isProgramMemory(granule)) {
      const Address first = std::max(granule, access.address);
      return failPlace(allocations_.place(first), first, access);
    }
    if (mask == kAllBytes && !access.atomic) {
      const Cell& cell = shadow_.cell(granule);
      if ((access.write ? quickWrite(granule, cell) : quickRead(cell)) != Quick::slow) return Outcome::ok;
    }
    return check(granule, mask, access);
  });
}

Outcome Memory::check(Address granule, unsigned mask, const Access& access) {
  Cell& cell = shadow_.cell(granule);
  const auto first = static_cast<unsigned>(std::countr_zero(mask));
  if (!(cell.write & kSplit)) {
    Slot slot = shadow_.whole(granule);
    const bool known = slot.write & kKnown;
    const Place place = known ? Place{Life::live, nullptr} : allocations_.place(granule);
    if (!known && place.life == Life::live && place.block->contains(granule + kGranule - 1) && place.block->isGlobal()) {
      // The table's answer for a whole granule of a global never changes: the cell may say it as well.
      const std::uint32_t state = place.block->kind == AllocationKind::constant ? kConstant : kInitialised;
      cell.write |= state;
      slot.write |= state;
    }
    const bool uniform = (slot.write & kKnown) || (place.life == Life::live && place.block->contains(granule + kGranule - 1));
    if (uniform) return checkSlot(slot, granule + first, access);
  }
  for (unsigned left = mask; left != 0; left &= left - 1) {
    const Address address = granule + static_cast<unsigned>(std::countr_zero(left));
    const Outcome outcome = checkSlot(shadow_.byteAt(address), address, access);
    if (outcome != Outcome::ok) return outcome;
  }
  return Outcome::ok;
}

Outcome Memory::checkSlot(const Slot& slot, Address address, const Access& access) {
  if (!(slot.write & kKnown)) return checkUnknown(slot, address, access);
  if (slot.write & kConstant) return access.write ? fail(FaultKind::readOnly, address, access) : Outcome::ok;
  if (slot.write & kAtomic) {
    if (!(access.reading & kMayBeAtomic)) return Outcome::atomic;
    if (isReadByEvents(slot, access)) return Outcome::ok;
  }
  if (!isOrdered(slot.write)) return failRace(address, access, slot.write, true);
  if ((slot.write & kUninitialised) && (!access.write || access.atomic) && !(access.reading & kMayBeUninitialised)) {
    return fail(FaultKind::uninitialised, address, access);
  }
  return access.write ? checkReads(slot, address, access) : Outcome::ok;
}

// A byte that was not written yet: what it is, the table of allocations knows.
Outcome Memory::checkUnknown(const Slot& slot, Address address, const Access& access) {
  const Place place = allocations_.place(address);
  if (place.life != Life::live) return failPlace(place, address, access);
  const Block& block = *place.block;
  if (block.kind == AllocationKind::constant) {
    return access.write ? fail(FaultKind::readOnly, address, access) : Outcome::ok;
  }
  if (slot.write & kAtomic) {
    if (!(access.reading & kMayBeAtomic)) return Outcome::atomic;
    if (isReadByEvents(slot, access)) return Outcome::ok;
  }
  if (!isBegun(block)) return failBegin(block, address, access);
  if (!block.isGlobal() && (!access.write || access.atomic) && !(access.reading & kMayBeUninitialised)) {
    return fail(FaultKind::uninitialised, address, access);
  }
  return access.write ? checkReads(slot, address, access) : Outcome::ok;
}

// The thread of a read that is not before the current point, or -1.
int Memory::unorderedReader(const Slot& slot) const {
  if (slot.reads == 0) return slot.read == 0 || isOrdered(slot.read) ? -1 : threadOf(slot.read);
  const ReadClock& clock = shadow_.clocks()[slot.reads];
  for (ThreadId t = 0; t < clock.lanes(); ++t) {
    if (clock[t] > view_[t] && t != thread_) return t;
  }
  return -1;
}

Outcome Memory::checkReads(const Slot& slot, Address address, const Access& access) {
  const int reader = unorderedReader(slot);
  if (reader < 0) return Outcome::ok;
  const auto thread = static_cast<ThreadId>(reader);
  return failRace(address, access, epochBits(thread, shadow_.lastRead(slot, thread)), false);
}

// ---- Recording what was checked.

void Memory::recordReads(const Access& access) {
  forEachGranule(access.address, access.size, [&](Address granule, unsigned mask) {
    Cell& cell = shadow_.cell(granule);
    const Quick quick = mask == kAllBytes ? quickRead(cell) : Quick::slow;
    if (quick == Quick::record) quickRecordRead(granule, cell, access.source);
    if (quick == Quick::slow) recordRead(granule, mask, access.source);
    return Outcome::ok;
  });
}

void Memory::recordRead(Address granule, unsigned mask, std::uint32_t source) {
  Cell& cell = shadow_.cell(granule);
  if (!(cell.write & kSplit)) {
    if (cell.write & kConstant) {
      // Nothing can change about it: no need to log it, nor harm if the epoch stays when the segment is undone.
      cell.read = epoch_;
      return;
    }
    if (isCurrent(cell.write) || cell.read == epoch_) return;
    if (!(cell.write & kKnown) && isConstant(granule, mask)) return;  // the rest of a granule, as at the end of a string
    if (mask == kAllBytes) {
      Slot slot = shadow_.whole(granule);
      recordReadOf(slot, granule, mask, source);
      shadow_.setWhole(granule, slot);
      return;
    }
  }
  Side& side = shadow_.split(granule);
  forEachByte(mask, [&](unsigned b) { recordReadOf(side.bytes[b], granule, 1u << b, source); });
  shadow_.merge(granule);
}

void Memory::recordReadOf(Slot& slot, Address granule, unsigned mask, std::uint32_t source) {
  if (isCurrent(slot.write) || (slot.write & kConstant)) return;
  if ((slot.write & kAtomic) && lives_ != nullptr) return;  // an event has read it
  const Lane old = shadow_.lastRead(slot, thread_);
  if (old == index_) return;
  record(EntryKind::read, granule, mask, source).read = old;
  shadow_.setRead(slot, thread_, index_);
  if ((slot.write & kInitialised) && !(slot.write & kAtomic)) slot.read = epoch_;
}

bool Memory::isConstant(Address granule, unsigned mask) const {
  if (shadow_.cell(granule).write & kConstant) return true;
  for (unsigned left = mask; left != 0; left &= left - 1) {
    const Place place = allocations_.place(granule + static_cast<unsigned>(std::countr_zero(left)));
    if (place.life != Life::live || place.block->kind != AllocationKind::constant) return false;
  }
  return true;
}

void Memory::recordWrites(const Access& access) {
  forEachGranule(access.address, access.size, [&](Address granule, unsigned mask) {
    Cell& cell = shadow_.cell(granule);
    const Quick quick = mask == kAllBytes ? quickWrite(granule, cell) : Quick::slow;
    if (quick == Quick::record) quickRecordWrite(granule, cell, access.source);
    if (quick == Quick::slow) recordWrite(granule, mask, access.source);
    return Outcome::ok;
  });
}

// Can a write of the whole granule set aside everything that the shadow has on it? Not if this segment has written
// some bytes before: these are logged already.
bool Memory::mayReplace(Address granule) const {
  if (!(shadow_.cell(granule).write & kSplit)) return true;
  for (const Slot& slot : shadow_.side(granule).bytes) {
    if (isCurrent(slot.write)) return false;
  }
  return true;
}

void Memory::recordWrite(Address granule, unsigned mask, std::uint32_t source) {
  Cell& cell = shadow_.cell(granule);
  if (!(cell.write & kSplit) && isCurrent(cell.write) && (mask == kAllBytes || (cell.write & kInitialised))) {
    cell.write = (cell.write & kSide) | epoch_;
    return;
  }
  if (mask == kAllBytes && mayReplace(granule)) {
    Entry& entry = record(EntryKind::write, granule, mask, source);
    Cell old{epoch_, 0};
    std::uint32_t oldSide = 0;
    shadow_.exchange(granule, old, oldSide);
    entry.write = old.write;
    entry.read = old.read;
    entry.side = oldSide;
    entry.bytes = wordAt(granule);
    return;
  }
  Side& side = shadow_.split(granule);
  forEachByte(mask, [&](unsigned b) {
    Slot& slot = side.bytes[b];
    if (!isCurrent(slot.write)) {
      Entry& entry = record(EntryKind::byte, granule + b, 1, source);
      entry.write = slot.write;
      entry.read = slot.read;
      entry.side = slot.reads;
      entry.bytes = byteAt(granule + b);
      slot.read = slot.reads = 0;
    }
    slot.write = epoch_;
  });
  shadow_.merge(granule);
}

// ---- Ranges.

Outcome Memory::copy(Address to, Address from, std::size_t size, std::uint32_t source, unsigned reading) {
  if (size == 0) return Outcome::ok;
  const Access in{from, size, source, false, reading | kMayBeUninitialised};
  const Access out{to, size, source, true};
  if (const Outcome outcome = checkRange(in); outcome != Outcome::ok) return outcome;
  if (const Outcome outcome = checkRange(out); outcome != Outcome::ok) return outcome;
  const bool spread = noteUninitialised(from, size);
  recordReads(in);
  recordWrites(out);
  std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), size);
  if (spread) spreadUninitialised(to, size);
  return Outcome::ok;
}

Outcome Memory::set(Address to, int byte, std::size_t size, std::uint32_t source) {
  const Outcome outcome = write(to, size, source);
  if (outcome == Outcome::ok && size != 0) std::memset(reinterpret_cast<void*>(to), byte, size);
  return outcome;
}

bool Memory::isUninitialised(Address address) const {
  const Slot slot = shadow_.byteAt(address);
  if (slot.write & kKnown) return slot.write & kUninitialised;
  const Place place = allocations_.place(address);
  return place.life == Life::live && !place.block->isGlobal();
}

bool Memory::isUninitialised(Address address, std::size_t size) const {
  for (std::size_t i = 0; i < size; ++i) {
    if (isUninitialised(address + i)) return true;
  }
  return false;
}

// Which bytes of a range are uninitialised; false if none is. What atomic locations hold is in the graph.
bool Memory::noteUninitialised(Address from, std::size_t size) {
  bool some = false;
  forEachGranule(from, size, [&](Address granule, unsigned mask) {
    const std::uint32_t write = shadow_.cell(granule).write;
    if (!(write & kSplit) && (write & (kInitialised | kConstant))) return Outcome::ok;
    forEachByte(mask, [&](unsigned b) {
      const Address address = granule + b;
      if (!isUninitialised(address) || (shadow_.byteAt(address).write & kAtomic)) return;
      if (!some) uninitialised_.assign(size, false);
      some = true;
      uninitialised_[address - from] = true;
    });
    return Outcome::ok;
  });
  return some;
}

void Memory::spreadUninitialised(Address to, std::size_t size) {
  const std::uint32_t state = kUninitialised | (epoch_ & kEpochMask);
  forEachGranule(to, size, [&](Address granule, unsigned mask) {
    unsigned which = 0;
    forEachByte(mask, [&](unsigned b) { which |= static_cast<unsigned>(uninitialised_[granule + b - to]) << b; });
    Cell& cell = shadow_.cell(granule);
    if (which == kAllBytes && !(cell.write & kSplit)) {
      cell.write = (cell.write & kSide) | state;
    } else if (which != 0) {
      Side& side = shadow_.split(granule);
      forEachByte(which, [&](unsigned b) { side.bytes[b].write = state; });
      shadow_.merge(granule);
    }
    return Outcome::ok;
  });
}

}  // namespace heddle::memory
