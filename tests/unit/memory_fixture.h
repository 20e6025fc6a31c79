// Plain memory with a few globals, and threads that synchronise as told.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "unit/memory_inspector.h"

namespace heddle::memory {

inline constexpr Address kCounter = kImage + 0x100, kText = kImage + 0x140, kOdd = kImage + 0x182;

class MemoryTest : public ::testing::Test {
 protected:
  MemoryTest() {
    std::memcpy(at(kCounter), "\1\2\3\4\5\6\7\10", 8);
    std::memcpy(at(kText), "hello", 6);
    std::memcpy(at(kOdd), "abc", 3);
    memory.defineGlobal(kCounter, 8, false, 1);
    memory.defineGlobal(kText, 6, true, 2);
    memory.defineGlobal(kOdd, 3, false, 3);
    enter(0);
  }

  static void* at(Address address) { return reinterpret_cast<void*>(address); }
  static std::uint32_t& word(Address address) { return *reinterpret_cast<std::uint32_t*>(address); }

  // The thread has its next event, and sees what it saw before.
  void enter(ThreadId thread) {
    clocks[thread][thread] = ran[thread] ? static_cast<Lane>(clocks[thread][thread] + 1) : Lane{0};
    ran[thread] = true;
    memory.enter(thread, static_cast<std::uint16_t>(clocks[thread][thread] + 1), clocks[thread].data());
  }
  // The next event of `to` sees all events of `from` that there will be by then: its last segment is over.
  void synchronise(ThreadId from, ThreadId to) {
    clocks[from][from] = static_cast<Lane>(clocks[from][from] + 1);
    for (unsigned t = 0; t < kThreads; ++t) clocks[to][t] = std::max(clocks[to][t], clocks[from][t]);
    enter(to);
  }
  SegmentId position(ThreadId thread) const { return memory.position(thread); }
  void move(ThreadId thread, SegmentId to) {
    const Memory::Target target{thread, to};
    memory.moveTo({&target, 1});
  }

  // Not inlined: the compiler would warn of stores to the null pointers that never get that far.
  [[gnu::noinline]] bool write(Address address, std::size_t size = 4, std::uint32_t value = 0, std::uint32_t source = 0) {
    if (memory.write(address, size, source) != Outcome::ok) return false;
    std::memcpy(at(address), &value, std::min<std::size_t>(size, sizeof value));
    return true;
  }
  bool read(Address address, std::size_t size = 4, std::uint32_t source = 0) {
    return memory.read(address, size, source) == Outcome::ok;
  }
  Address allocate(std::size_t size) { return memory.allocate(size, 16, AllocationKind::malloc, 7, 9); }
  FaultKind kind() const { return memory.fault().kind; }
  bool isSkipped(Address address, bool writes) const {
    const Cell& cell = MemoryInspector(memory).cell(address);
    return cell.write == memory.epoch() || (!writes && cell.read == memory.epoch());
  }

  Memory memory;
  std::array<std::array<Lane, kThreads>, 4> clocks{};
  std::array<bool, 4> ran{};
};

}  // namespace heddle::memory
