// The representation of the shadow: side records, splitting and merging. See shadow.h.

#include "memory/shadow.h"

#include <sys/mman.h>

#include <cerrno>
#include <system_error>

namespace heddle::memory {
namespace {

constexpr int kProtection = PROT_READ | PROT_WRITE;
constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;

struct Area {
  Address base;
  std::size_t size;
};
constexpr std::array<Area, 3> kAreas = {{{kBase, kSize}, {kShadow, 2 * kSize}, {kSides, kSize}}};

void* at(Address address) { return reinterpret_cast<void*>(address); }

}  // namespace

Shadow::Shadow() {
  for (std::size_t i = 0; i < kAreas.size(); ++i) {
    const Area& area = kAreas[i];
    void* mapped = mmap(at(area.base), area.size, kProtection, kFlags, -1, 0);
    if (mapped != at(area.base)) {
      const int problem = mapped == MAP_FAILED ? errno : EEXIST;
      if (mapped != MAP_FAILED) munmap(mapped, area.size);
      while (i-- > 0) munmap(at(kAreas[i].base), kAreas[i].size);
      throw std::system_error(problem, std::generic_category(),
                              "cannot reserve the address space of the checked program (16 TB; is there a limit on virtual "
                              "memory, as of ulimit -v?)");
    }
    // Touched sparsely: a huge page for each place would cost more than it saves; nor is it for a core dump.
    madvise(mapped, area.size, MADV_NOHUGEPAGE);
    madvise(mapped, area.size, MADV_DONTDUMP);
  }
}

Shadow::~Shadow() {
  for (const Area& area : kAreas) munmap(at(area.base), area.size);
}

void Shadow::discard(Address begin, Address end) {
  const Address from = begin / kPage * kPage, size = (end + kPage - 1) / kPage * kPage - from;
  madvise(at(shadowOf(from)), size * 2, MADV_DONTNEED);
  madvise(at(kSides + (from - kBase)), size, MADV_DONTNEED);
}

void Shadow::clear() {
  sides_.clear();
  clocks_.clear();
  coverings_.clear();
}

Side& Shadow::needSide(Address granule) {
  Cell& at = cell(granule);
  if (!(at.write & kSide)) {
    sideId(granule) = sides_.take();
    at.write |= kSide;
  }
  return side(granule);
}

void Shadow::setWhole(Address granule, const Slot& slot) {
  Cell& at = cell(granule);
  if (slot.reads != 0) needSide(granule);
  at.write = slot.write | (at.write & kSide);
  at.read = slot.read;
  if (at.write & kSide) side(granule).reads = slot.reads;
}

std::uint32_t Shadow::copyOf(std::uint32_t clock) {
  if (clock == 0) return 0;
  const std::uint32_t copy = clocks_.take();
  clocks_[copy] = clocks_[clock];
  return copy;
}

Side& Shadow::split(Address granule) {
  Cell& at = cell(granule);
  if (at.write & kSplit) return side(granule);
  const Slot slot = whole(granule);
  Side& record = needSide(granule);
  record.bytes[0] = slot;
  for (unsigned b = 1; b < kGranule; ++b) record.bytes[b] = {slot.write, slot.read, copyOf(slot.reads)};
  record.reads = 0;
  at = {kSplit | kSide, 0};
  return record;
}

bool Shadow::agree(const Slot& a, const Slot& b) const {
  if (a.write != b.write || (a.reads == 0) != (b.reads == 0)) return false;
  if (a.reads == 0) return (a.read & kEpochMask) == (b.read & kEpochMask);
  return clocks_[a.reads] == clocks_[b.reads];
}

void Shadow::merge(Address granule) {
  Cell& at = cell(granule);
  if (!(at.write & kSide)) return;
  Side& record = side(granule);
  if (at.write & kSplit) {
    // If the first byte's read half matches, that thread's last read of the others is the same, and so is their state.
    const Slot common = record.bytes[0];
    for (unsigned b = 1; b < kGranule; ++b) {
      if (!agree(common, record.bytes[b])) return;
    }
    for (unsigned b = 1; b < kGranule; ++b) releaseClock(record.bytes[b].reads);
    record.bytes = {};
    record.reads = common.reads;
    at = {common.write | kSide, common.read};
  }
  dropSide(granule);
}

void Shadow::dropSide(Address granule) {
  const Side& record = side(granule);
  if (record.reads != 0 || record.atomics.location != 0) return;
  sides_.give(sideId(granule));
  cell(granule).write &= ~kSide;
}

Slot Shadow::byteAt(Address address) const {
  const Address granule = granuleOf(address);
  return cell(granule).write & kSplit ? side(granule).bytes[address - granule] : whole(granule);
}

void Shadow::exchange(Address granule, Cell& other, std::uint32_t& otherSide) {
  Cell& at = cell(granule);
  const std::uint32_t own = at.write & kSide ? sideId(granule) : 0;
  std::swap(at, other);
  if (at.write & kSide) sideId(granule) = otherSide;
  otherSide = own;
}

void Shadow::release(std::uint32_t id) {
  const Side& record = sides_[id];
  releaseClock(record.reads);
  for (const Slot& slot : record.bytes) releaseClock(slot.reads);
  sides_.give(id);
}

void Shadow::setRead(Slot& slot, ThreadId thread, Lane index) {
  if (slot.reads == 0) {
    if (slot.read == 0 || threadOf(slot.read) == thread) {
      slot.read = index == 0 ? 0 : epochBits(thread, index);
      return;
    }
    slot.reads = clocks_.take();
    clocks_[slot.reads].set(threadOf(slot.read), indexOf(slot.read));
  }
  ReadClock& clock = clocks_[slot.reads];
  clock.set(thread, index);
  if (slot.read != 0 && threadOf(slot.read) == thread) slot.read = 0;
  if (clock.used() == 0) {
    clocks_.give(slot.reads);
    slot.reads = 0;
    slot.read = 0;
  }
}

}  // namespace heddle::memory
