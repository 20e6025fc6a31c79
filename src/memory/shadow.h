// The shadow: what is known about each byte of program memory, and how it is written down.
//
// Logically every byte has a slot: the state of its value with the epoch of its last plain write, and for each thread
// the index of its last plain read since. Almost always the four bytes of a granule agree and at most one thread has
// read them, and then the granule's cell says it all:
//
//     write half   31    30  29      28     27    26        25       24        23     16 15       0
//                  |      | atomic | split | side | const | uninit. | init. | thread     | index    |
//     read half                                                      | match | thread     | index    |
//
//   init.     the bytes are initialised; with epoch alone this is what instrumented code compares with
//   uninit.   they were written, but with a copy of uninitialised bytes
//   const     they may only be read
//   (none)    nothing was written here yet: the table of allocations knows (allocations.h), for every byte on its own.
//             So fresh allocations and freed ones cost no shadow at all.
//   atomic    part of an atomic location
//   side      there is more in a side record
//   split     the bytes differ; everything is in the side record, and the cell's own halves mean nothing
//   match     only a read half with this bit can equal an epoch. It is set where a second read in the same
//             segment needs no check: not on atomic bytes, nor on uninitialised ones, which may only be copied.
//
// When a second thread reads, the reads become a clock in the side record, and the read half is merely the last of
// them, kept for instrumented code to match. Reads are kept for each thread on its own (none stands for another that
// happens before it), because any of them may be taken back while the others stay.
//
// How a granule is written down is no part of its state: splitting and merging are not logged. The number of a
// granule's side record is in a third area, parallel to the cells, which is touched only where there are side records.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "graph/clock.h"
#include "memory/layout.h"
#include "memory/pool.h"

namespace heddle::memory {

inline constexpr Address kSides = kShadow + 2 * kSize;  // u32 for each granule
static_assert(kSides + kSize <= kStacks);
inline constexpr std::uint32_t kGranule = 4;
inline constexpr unsigned kAllBytes = 15;  // of a granule, as a mask

inline constexpr std::uint32_t kEpochMask = (1u << 24) - 1;
inline constexpr std::uint32_t kInitialised = 1u << 24;
inline constexpr std::uint32_t kMatch = kInitialised;
inline constexpr std::uint32_t kUninitialised = 1u << 25;
inline constexpr std::uint32_t kConstant = 1u << 26;
inline constexpr std::uint32_t kSide = 1u << 27;
inline constexpr std::uint32_t kSplit = 1u << 28;
inline constexpr std::uint32_t kAtomic = 1u << 29;
inline constexpr std::uint32_t kKnown = kInitialised | kUninitialised | kConstant;  // no need to ask the table

constexpr std::uint32_t epochBits(ThreadId thread, Lane index) { return std::uint32_t{thread} << 16 | index; }
static_assert(kMostThreads << 16 == kEpochMask + 1);
constexpr ThreadId threadOf(std::uint32_t half) { return static_cast<ThreadId>(half >> 16 & (kThreads - 1)); }
constexpr Lane indexOf(std::uint32_t half) { return static_cast<Lane>(half); }
constexpr Address granuleOf(Address address) { return address & ~Address{kGranule - 1}; }

struct Cell {
  std::uint32_t write = 0, read = 0;
};

// One byte, or several that agree.
struct Slot {
  std::uint32_t write = 0;  // without kSide and kSplit
  std::uint32_t read = 0;
  std::uint32_t reads = 0;  // a ReadClock, or none if at most one thread has read
};

// The last read of each thread. There are no lanes beyond that of the highest thread that has one: most programs have few
// threads, and clocks come and go.
class ReadClock {
 public:
  ReadClock() {}
  ReadClock(const ReadClock& other) { *this = other; }
  ReadClock& operator=(const ReadClock& other) {
    lanes_ = other.lanes_;
    used_ = other.used_;
    std::copy_n(other.lane_.begin(), lanes_, lane_.begin());
    return *this;
  }

  Lane operator[](ThreadId thread) const { return thread < lanes_ ? lane_[thread] : Lane{0}; }
  void set(ThreadId thread, Lane index) {
    if (thread >= lanes_) {
      std::fill(lane_.begin() + lanes_, lane_.begin() + thread + 1, Lane{0});
      lanes_ = thread + 1u;
    }
    used_ += static_cast<unsigned>(index != 0) - static_cast<unsigned>(lane_[thread] != 0);
    lane_[thread] = index;
  }
  unsigned lanes() const { return lanes_; }
  unsigned used() const { return used_; }  // how many are not 0
  bool operator==(const ReadClock& other) const {
    if (used_ != other.used_) return false;
    return std::equal(lane_.begin(), lane_.begin() + std::min(lanes_, other.lanes_), other.lane_.begin());
  }

 private:
  unsigned lanes_ = 0, used_ = 0;
  std::array<Lane, kThreads> lane_;
};

// The atomic locations that overlap a granule are a list. Most have one element.
struct Covering {
  std::uint32_t location = 0;
  std::uint32_t next = 0;
};

struct Side {
  std::uint32_t reads = 0;                       // of the whole granule, if it is not split
  Covering atomics;                              // the first, and a list of more
  std::array<Slot, kGranule> bytes{};            // if it is split
  std::array<std::uint8_t, kGranule> initial{};  // of atomic bytes: the value before all events
};

class Shadow {
 public:
  Shadow();
  ~Shadow();
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

  Cell& cell(Address address) { return *reinterpret_cast<Cell*>(shadowOf(address)); }
  const Cell& cell(Address address) const { return *reinterpret_cast<const Cell*>(shadowOf(address)); }
  std::uint32_t& sideId(Address address) { return *reinterpret_cast<std::uint32_t*>(kSides + (address - kBase) / 4 * 4); }
  std::uint32_t sideId(Address address) const {
    return *reinterpret_cast<const std::uint32_t*>(kSides + (address - kBase) / 4 * 4);
  }
  // The side record of a granule that has one, and of any granule.
  Side& side(Address address) { return sides_[sideId(address)]; }
  const Side& side(Address address) const { return sides_[sideId(address)]; }
  Side& needSide(Address granule);
  Covering atomicsOf(Address granule) const { return cell(granule).write & kSide ? side(granule).atomics : Covering{}; }
  void dropSide(Address granule);  // if there is nothing in it

  // A granule that is not split, as a slot.
  Slot whole(Address granule) const;
  void setWhole(Address granule, const Slot& slot);
  // Writes a granule down byte by byte, and back again if the bytes agree. Merging drops a side record without content.
  Side& split(Address granule);
  void merge(Address granule);
  // The slot of a byte, however it is written down.
  Slot byteAt(Address address) const;

  // Takes the granule's cell and side record and leaves those given in exchange; `side` counts if `cell` has kSide.
  void exchange(Address granule, Cell& cell, std::uint32_t& side);
  void release(std::uint32_t side);  // of a granule that nothing refers to any more
  void releaseClock(std::uint32_t clock) {
    if (clock != 0) clocks_.give(clock);
  }

  Lane lastRead(const Slot& slot, ThreadId thread) const;
  // Sets a thread's last read (0 for none), not to be matched.
  void setRead(Slot& slot, ThreadId thread, Lane index);

  Pool<ReadClock>& clocks() { return clocks_; }
  const Pool<ReadClock>& clocks() const { return clocks_; }
  Pool<Covering>& coverings() { return coverings_; }
  const Pool<Covering>& coverings() const { return coverings_; }

  std::size_t sides() const { return sides_.used(); }

  // Forgets everything about a range of whole pages.
  static void discard(Address begin, Address end);
  void clear();  // the pools; the caller has discarded what was touched

 private:
  std::uint32_t copyOf(std::uint32_t clock);
  bool agree(const Slot& a, const Slot& b) const;

  Pool<Side> sides_;
  Pool<ReadClock> clocks_;
  Pool<Covering> coverings_;
};

inline Slot Shadow::whole(Address granule) const {
  const Cell& at = cell(granule);
  return {at.write & ~kSide, at.read, at.write & kSide ? side(granule).reads : 0};
}

inline Lane Shadow::lastRead(const Slot& slot, ThreadId thread) const {
  if (slot.reads != 0) return clocks_[slot.reads][thread];
  return slot.read != 0 && threadOf(slot.read) == thread ? indexOf(slot.read) : Lane{0};
}

}  // namespace heddle::memory
