// Dependencies in native code: what values owe to the reads and choices of their thread.
//
// Memory models with dependencies (src/causal) ask of each operation which reads its address, its value and its being there at all
// depend on. The instrumented code (native/instrument/dependencies.h) computes with every value a set of operations of the
// thread: a word, the number of a set, which is the same for equal sets. 0 is the empty set, and nearly every set is.
//
//     of a value in a register    a value of its own, on the stack of the fiber, so it is part of what a state saves
//     of plain memory             here: by the bytes and by the segment that wrote them. When segments are undone and redone,
//                                 what was there before them is found again, as the shadow says which segment wrote a byte last
//     of control                  one set for each thread, which only grows: what comes after a branch depends on it for ever
//
// A value that another thread has written depends on nothing here: a race-free program has synchronised in between.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "memory/memory.h"
#include "program/operation.h"

namespace heddle::runtime {

using DependencySet = std::uint32_t;
inline constexpr DependencySet kIndependent = 0;

// Of a paused thread; part of its Context.
struct Tracking {
  std::uint32_t operations = 0;  // how many the thread has been resumed from
  DependencySet control = kIndependent;
  DependencySet storedThrough = kIndependent;                 // of the addresses of plain stores, where a branch ends
  DependencySet result = kIndependent;                        // of operations that have returned, for who has begun several
  DependencySet address = kIndependent, data = kIndependent;  // of the operation that it is paused at
};

// Sets of numbers of operations.
class DependencySets {
 public:
  DependencySets() { sets_.emplace_back(); }

  DependencySet of(std::uint32_t operation) {
    while (operation >= singles_.size()) singles_.push_back(intern({static_cast<std::uint32_t>(singles_.size())}));
    return singles_[operation];
  }
  DependencySet join(DependencySet a, DependencySet b) {
    if (a == kIndependent || a == b) return b;
    if (b == kIndependent) return a;
    return joinTwo(a, b);
  }
  std::span<const std::uint32_t> operator[](DependencySet set) const { return sets_[set]; }

 private:
  struct Hash {
    std::size_t operator()(const std::vector<std::uint32_t>& set) const;
  };

  DependencySet intern(std::vector<std::uint32_t> set);
  DependencySet joinTwo(DependencySet a, DependencySet b);

  std::vector<std::vector<std::uint32_t>> sets_;
  std::vector<DependencySet> singles_;  // by operation
  std::unordered_map<std::vector<std::uint32_t>, DependencySet, Hash> known_;
  std::unordered_map<std::uint64_t, DependencySet> joined_;
};

class DependentMemory {
 public:
  // Memory outside of the program's own, such as that of an exception which is thrown, has no sets: `noteControl` is told, so that
  // all that comes after depends on what is written there.
  DependentMemory(memory::Memory& memory, DependencySets& sets, void (*noteControl)(DependencySet))
      : memory_(memory), sets_(sets), noteControl_(noteControl) {}

  // Of what the running thread is about to read, and of what it has just written.
  DependencySet load(Address address, std::uint64_t size) const;
  void store(Address address, std::uint64_t size, DependencySet set);
  // Around a copy, which may overwrite the original: looks at the bytes, and then gives their sets to the copy, with `set` besides.
  // Where the thread has paused in between (`forgetCopy`), others may have copied as well; then every byte of the copy owes to all of
  // the original. Beginning: does some byte depend on anything? At the end: had the thread not paused?
  bool beginCopy(Address from, std::uint64_t size);
  bool endCopy(Address to, Address from, std::uint64_t size, DependencySet set);
  void forgetCopy() { isCopying_ = false; }
  void clear() {
    granules_.clear();
    mayDepend_ = {};
  }

 private:
  using Bytes = std::array<DependencySet, memory::kGranule>;

  static std::uint64_t keyOf(Address address, memory::SegmentId segment) {
    return (address - memory::kBase) / memory::kGranule << 26 | segment;
  }
  // Nearly all memory never depends on anything: a table of bits, by granule, says so at once.
  static std::size_t bitOf(Address address) { return (address / memory::kGranule) % kBits; }
  bool mayDepend(Address address) const { return (mayDepend_[bitOf(address) / 64] >> bitOf(address) % 64 & 1) != 0; }
  DependencySet ofByte(Address address) const;
  void setByte(Address address, memory::SegmentId segment, DependencySet set);

  memory::Memory& memory_;
  DependencySets& sets_;
  void (*noteControl_)(DependencySet);
  // What a segment has written to a granule. Without a row a segment's writes depend on nothing.
  std::unordered_map<std::uint64_t, Bytes> granules_;
  static constexpr std::size_t kBits = 4096;
  std::array<std::uint64_t, kBits / 64> mayDepend_ = {};
  std::vector<DependencySet> copied_;
  bool isCopying_ = false;
};

}  // namespace heddle::runtime
