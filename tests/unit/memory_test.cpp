// Plain memory: each kind of fault, and each just missed.

#include "unit/memory_fixture.h"

namespace heddle::memory {
namespace {

// ---- Races.

TEST_F(MemoryTest, WriteAndWriteRace) {
  ASSERT_TRUE(write(kCounter, 4, 5, 11));
  enter(1);
  ASSERT_FALSE(write(kCounter, 4, 6, 12));
  EXPECT_EQ(kind(), FaultKind::race);
  EXPECT_EQ(memory.fault().address, kCounter);
  EXPECT_TRUE(memory.fault().write);
  EXPECT_TRUE(memory.fault().other.write);
  EXPECT_EQ(memory.fault().other.thread, 0);
  EXPECT_EQ(memory.fault().other.source, 11u);
}

TEST_F(MemoryTest, OrderedWritesDoNotRace) {
  ASSERT_TRUE(write(kCounter));
  synchronise(0, 1);
  EXPECT_TRUE(write(kCounter));
}

TEST_F(MemoryTest, WhatHappensAfterTheLastEventIsNotOrdered) {
  enter(0);
  clocks[1][0] = clocks[0][0];  // thread 1 has seen that event, but not what follows
  ASSERT_TRUE(write(kCounter));
  enter(1);
  EXPECT_FALSE(write(kCounter));
  EXPECT_EQ(kind(), FaultKind::race);
}

TEST_F(MemoryTest, ReadAndWriteRace) {
  ASSERT_TRUE(read(kCounter, 4, 21));
  enter(1);
  ASSERT_TRUE(read(kCounter));
  ASSERT_FALSE(write(kCounter));
  EXPECT_EQ(kind(), FaultKind::race);
  EXPECT_FALSE(memory.fault().other.write);
  EXPECT_EQ(memory.fault().other.source, 21u);
}

TEST_F(MemoryTest, WriteAndReadRace) {
  ASSERT_TRUE(write(kCounter));
  enter(1);
  ASSERT_FALSE(read(kCounter));
  EXPECT_EQ(kind(), FaultKind::race);
  EXPECT_FALSE(memory.fault().write);
}

TEST_F(MemoryTest, ReadsDoNotRace) {
  for (ThreadId thread = 1; thread < 4; ++thread) {
    enter(thread);
    EXPECT_TRUE(read(kCounter));
  }
}

TEST_F(MemoryTest, OneOfManyReadsRaces) {
  for (ThreadId thread = 1; thread < 4; ++thread) {
    enter(thread);
    ASSERT_TRUE(read(kCounter, 4, 30u + thread));
  }
  synchronise(1, 0);
  synchronise(3, 0);
  ASSERT_FALSE(write(kCounter));
  EXPECT_EQ(memory.fault().other.thread, 2);
  EXPECT_EQ(memory.fault().other.source, 32u);
  synchronise(2, 0);
  EXPECT_TRUE(write(kCounter));
}

TEST_F(MemoryTest, NeighbouringBytesDoNotRace) {
  ASSERT_TRUE(write(kCounter, 1));
  enter(1);
  EXPECT_TRUE(write(kCounter + 1, 1));
  EXPECT_TRUE(read(kCounter + 2, 2));
  EXPECT_FALSE(read(kCounter, 2));
  EXPECT_EQ(memory.fault().address, kCounter);
  EXPECT_FALSE(write(kCounter, 4));
  enter(2);
  EXPECT_TRUE(read(kCounter + 2, 1));
  EXPECT_FALSE(write(kCounter, 8));
  EXPECT_EQ(memory.fault().other.thread, 0);
}

TEST_F(MemoryTest, FirstRacingByteOfAnAccess) {
  ASSERT_TRUE(write(kCounter + 5, 1));
  enter(1);
  ASSERT_FALSE(read(kCounter, 8));
  EXPECT_EQ(memory.fault().address, kCounter + 5);
  EXPECT_EQ(memory.fault().size, 8u);
  EXPECT_TRUE(read(kCounter, 5));
}

TEST_F(MemoryTest, AllocationMustHappenBefore) {
  const Address block = allocate(8);
  enter(1);
  ASSERT_FALSE(write(block));
  EXPECT_EQ(kind(), FaultKind::race);
  EXPECT_TRUE(memory.fault().other.allocation);
  EXPECT_EQ(memory.fault().other.source, 7u);
  synchronise(0, 1);
  EXPECT_TRUE(write(block));
}

// ---- Initialisation.

TEST_F(MemoryTest, UninitialisedMemory) {
  const Address block = allocate(8);
  ASSERT_FALSE(read(block));
  EXPECT_EQ(kind(), FaultKind::uninitialised);
  ASSERT_TRUE(write(block, 3));
  EXPECT_TRUE(read(block, 3));
  EXPECT_FALSE(read(block, 4));
  EXPECT_EQ(memory.fault().address, block + 3);
  EXPECT_EQ(memory.read(block, 8, 0, Memory::kMayBeUninitialised), Outcome::ok);
  EXPECT_FALSE(isSkipped(block + 4, false));
  EXPECT_FALSE(read(block + 4));
}

TEST_F(MemoryTest, CopiesStayUninitialised) {
  const Address from = allocate(16), to = allocate(16);
  ASSERT_TRUE(write(to, 16));
  ASSERT_TRUE(write(from, 6, 0x01010101));
  ASSERT_TRUE(write(from + 8, 4));
  ASSERT_EQ(memory.copy(to + 1, from, 12, 0), Outcome::ok);
  EXPECT_TRUE(read(to, 7));
  EXPECT_FALSE(read(to + 7, 1));
  EXPECT_EQ(kind(), FaultKind::uninitialised);
  EXPECT_FALSE(read(to + 8, 1));
  EXPECT_TRUE(read(to + 9, 7));
  EXPECT_FALSE(isSkipped(to + 4, true));
  ASSERT_TRUE(write(to + 7, 2));
  EXPECT_TRUE(read(to, 16));
}

TEST_F(MemoryTest, OverlappingCopy) {
  const Address block = allocate(12);
  ASSERT_TRUE(write(block, 4, 0x04030201));
  ASSERT_EQ(memory.copy(block + 3, block, 8, 0), Outcome::ok);
  EXPECT_EQ(std::memcmp(at(block), "\1\2\3\1\2\3\4", 7), 0);
  EXPECT_TRUE(read(block, 7));
  EXPECT_FALSE(read(block + 7, 1));
}

TEST_F(MemoryTest, CopiesRaceLikeReadsAndWrites) {
  const Address from = allocate(8), to = allocate(8);
  ASSERT_TRUE(write(from, 8));
  synchronise(0, 1);
  ASSERT_EQ(memory.copy(to, from, 8, 41), Outcome::ok);
  enter(0);
  EXPECT_FALSE(write(from));
  EXPECT_EQ(memory.fault().other.source, 41u);
  EXPECT_FALSE(read(to));
  EXPECT_TRUE(memory.fault().other.write);
  EXPECT_TRUE(read(from));
  EXPECT_EQ(memory.copy(to, from, 0, 0), Outcome::ok);
}

TEST_F(MemoryTest, SetWritesAndInitialises) {
  const Address block = allocate(100);
  ASSERT_EQ(memory.set(block + 1, 0x5a, 98, 0), Outcome::ok);
  EXPECT_TRUE(read(block + 1, 98));
  EXPECT_EQ(word(block + 48), 0x5a5a5a5au);
  EXPECT_FALSE(read(block, 4));
  EXPECT_FALSE(read(block + 98, 2));
  EXPECT_EQ(memory.set(block, 0, 101, 0), Outcome::fault);
  EXPECT_EQ(kind(), FaultKind::outOfBounds);
  EXPECT_EQ(memory.fault().address, block + 100);
}

// ---- Bounds and life.

TEST_F(MemoryTest, HeapBounds) {
  const Address block = allocate(10);
  EXPECT_TRUE(write(block, 10));
  for (const Address outside : {block - 1, block + 10, block + 13, block + 25, block - 16}) {
    EXPECT_FALSE(write(outside, 1)) << outside - block;
    EXPECT_EQ(kind(), FaultKind::outOfBounds) << outside - block;
    ASSERT_NE(memory.find(outside), nullptr) << outside - block;
    EXPECT_EQ(memory.find(outside)->address, block);
  }
  EXPECT_FALSE(write(block + 8, 4));
  EXPECT_EQ(memory.fault().address, block + 10);
  EXPECT_FALSE(write(block + 0x10000, 1));
  EXPECT_EQ(kind(), FaultKind::wildPointer);
  EXPECT_EQ(memory.find(block + 0x10000), nullptr);
}

TEST_F(MemoryTest, GlobalBounds) {
  EXPECT_TRUE(write(kCounter, 8));
  EXPECT_FALSE(write(kCounter + 8, 1));
  EXPECT_EQ(kind(), FaultKind::outOfBounds);
  EXPECT_FALSE(read(kCounter - 1, 1));
  EXPECT_EQ(kind(), FaultKind::outOfBounds);
  EXPECT_TRUE(write(kOdd, 3));
  EXPECT_FALSE(write(kOdd - 2, 4));
  EXPECT_EQ(memory.fault().address, kOdd - 2);
  EXPECT_FALSE(read(kOdd + 2, 2));
  EXPECT_EQ(memory.find(kOdd + 5)->tag, 3u);
  EXPECT_FALSE(read(kImage + 0x8000, 1));
  EXPECT_EQ(kind(), FaultKind::wildPointer);
}

TEST_F(MemoryTest, NowhereAtAll) {
  EXPECT_FALSE(read(0, 4));
  EXPECT_EQ(kind(), FaultKind::nullPointer);
  EXPECT_FALSE(write(16, 8));
  EXPECT_EQ(kind(), FaultKind::nullPointer);
  EXPECT_EQ(memory.fault().address, 16u);
  EXPECT_FALSE(write(0x123456789, 1));
  EXPECT_EQ(kind(), FaultKind::wildPointer);
  EXPECT_FALSE(read(heapOf(3) + 64, 1));
  EXPECT_EQ(kind(), FaultKind::wildPointer);
  EXPECT_FALSE(read(~Address{0}, 4));
  EXPECT_FALSE(read(kCounter, ~std::size_t{0} - 3));
  EXPECT_EQ(memory.fault().address, kCounter + 8);
}

TEST_F(MemoryTest, Constants) {
  EXPECT_TRUE(read(kText, 6));
  EXPECT_TRUE(isSkipped(kText, false));
  EXPECT_FALSE(isSkipped(kText, true));
  EXPECT_FALSE(isSkipped(kText + 4, false)) << "the granule has bytes that are not the constant's";
  EXPECT_FALSE(write(kText + 1, 1));
  EXPECT_EQ(kind(), FaultKind::readOnly);
  EXPECT_FALSE(write(kText + 4, 1));
  EXPECT_EQ(kind(), FaultKind::readOnly);
  EXPECT_FALSE(read(kText, 7));
  EXPECT_EQ(kind(), FaultKind::outOfBounds);
  EXPECT_EQ(memory.atomic(kText, 4, false, 0), Outcome::ok);
  EXPECT_EQ(memory.atomic(kText, 4, true, 0), Outcome::fault);
  EXPECT_TRUE(read(kText, 6)) << "a constant never becomes an atomic location";
}

TEST_F(MemoryTest, UseAfterFree) {
  const Address block = allocate(8);
  ASSERT_TRUE(write(block, 8));
  ASSERT_EQ(memory.free(block, AllocationKind::malloc, 51), Outcome::ok);
  EXPECT_FALSE(isSkipped(block, true));
  ASSERT_FALSE(read(block));
  EXPECT_EQ(kind(), FaultKind::useAfterFree);
  EXPECT_TRUE(memory.fault().other.free);
  EXPECT_EQ(memory.fault().other.source, 51u);
  ASSERT_NE(memory.find(block + 4), nullptr);
  EXPECT_FALSE(memory.find(block + 4)->live);
  EXPECT_EQ(memory.free(block, AllocationKind::malloc, 0), Outcome::fault);
  EXPECT_EQ(kind(), FaultKind::doubleFree);
  EXPECT_EQ(memory.fault().other.source, 51u);
  EXPECT_GE(allocate(8), block + 24) << "freed memory is not used again";
}

TEST_F(MemoryTest, WrongFrees) {
  const Address block = allocate(8);
  EXPECT_EQ(memory.free(block + 4, AllocationKind::malloc, 0), Outcome::fault);
  EXPECT_EQ(kind(), FaultKind::invalidFree);
  EXPECT_EQ(memory.free(kCounter, AllocationKind::malloc, 0), Outcome::fault);
  EXPECT_EQ(kind(), FaultKind::invalidFree);
  EXPECT_EQ(memory.free(block, AllocationKind::newArray, 0), Outcome::fault);
  EXPECT_EQ(kind(), FaultKind::mismatchedFree);
  EXPECT_EQ(memory.free(block, AllocationKind::malloc, 0), Outcome::ok);
  EXPECT_EQ(memory.free(0, AllocationKind::malloc, 0), Outcome::ok);
}

TEST_F(MemoryTest, FreeRaces) {
  const Address block = allocate(8);
  synchronise(0, 1);
  ASSERT_TRUE(write(block + 4, 4, 0, 61));
  enter(0);
  EXPECT_EQ(memory.free(block, AllocationKind::malloc, 0), Outcome::fault);
  EXPECT_EQ(kind(), FaultKind::race);
  EXPECT_EQ(memory.fault().address, block + 4);
  EXPECT_EQ(memory.fault().other.source, 61u);
  synchronise(1, 0);
  EXPECT_EQ(memory.free(block, AllocationKind::malloc, 0), Outcome::ok);
  enter(2);
  const Address other = allocate(0);
  enter(3);
  EXPECT_EQ(memory.free(other, AllocationKind::malloc, 0), Outcome::fault);
  EXPECT_TRUE(memory.fault().other.allocation);
}

TEST_F(MemoryTest, Alignment) {
  for (const std::size_t alignment : {1, 16, 64, 4096, 65536}) {
    const Address block = memory.allocate(100, alignment, AllocationKind::malloc, 0, 0);
    EXPECT_EQ(block % std::max<std::size_t>(alignment, 16), 0u);
    EXPECT_TRUE(write(block, 100));
  }
  EXPECT_EQ(memory.allocate(kHeapSize, 16, AllocationKind::malloc, 0, 0), 0u);
  EXPECT_EQ(kind(), FaultKind::outOfMemory);
  EXPECT_EQ(memory.allocate(~std::size_t{0}, 16, AllocationKind::malloc, 0, 0), 0u);
  EXPECT_EQ(memory.pushFrame(kFramesSize, 0), 0u);
  EXPECT_EQ(memory.liveHeap().size(), 5u);
}

// ---- Local variables.

TEST_F(MemoryTest, FrameVariables) {
  const Address base = memory.pushFrame(64, 71);
  memory.defineVariable(base + 16, 4, 81);
  memory.defineVariable(base + 40, 5, 82);
  EXPECT_FALSE(read(base + 16));
  EXPECT_EQ(kind(), FaultKind::uninitialised);
  EXPECT_TRUE(write(base + 16));
  EXPECT_TRUE(write(base + 40, 5));
  EXPECT_FALSE(write(base + 20, 1));
  EXPECT_EQ(kind(), FaultKind::outOfBounds);
  EXPECT_EQ(memory.find(base + 20)->tag, 81u);
  EXPECT_FALSE(write(base + 45, 1));
  EXPECT_EQ(kind(), FaultKind::outOfBounds);
  EXPECT_FALSE(write(base + 64, 1));
  EXPECT_EQ(kind(), FaultKind::outOfBounds);
  ASSERT_EQ(memory.popFrame(base, 72), Outcome::ok);
  EXPECT_FALSE(isSkipped(base + 16, true));
  EXPECT_FALSE(read(base + 16));
  EXPECT_EQ(kind(), FaultKind::deadFrame);
  ASSERT_NE(memory.find(base + 41), nullptr);
  EXPECT_EQ(memory.find(base + 41)->tag, 82u);
  EXPECT_FALSE(memory.find(base + 41)->live);
  EXPECT_EQ(memory.pushFrame(64, 0), base) << "space of frames is used again";
  EXPECT_FALSE(read(base + 16));
}

TEST_F(MemoryTest, PoppingEndsEverythingAbove) {
  const Address outer = memory.pushFrame(32, 0);
  memory.defineVariable(outer + 16, 4, 0);
  ASSERT_TRUE(write(outer + 16));
  enter(0);
  const Address top = memory.frameTop();
  const Address middle = memory.pushFrame(32, 0);
  memory.defineVariable(middle + 16, 4, 0);
  ASSERT_TRUE(write(middle + 16));
  enter(0);
  const Address inner = memory.pushFrame(32, 0);
  memory.defineVariable(inner + 16, 4, 0);
  ASSERT_TRUE(write(inner + 16));
  EXPECT_GE(middle, top);
  EXPECT_GE(middle, outer + 32 + 16);
  ASSERT_EQ(memory.popFrame(top, 0), Outcome::ok);
  EXPECT_FALSE(read(inner + 16));
  EXPECT_FALSE(read(middle + 16));
  EXPECT_EQ(kind(), FaultKind::deadFrame);
  EXPECT_TRUE(read(outer + 16));
}

TEST_F(MemoryTest, TheEndOfAFrameRaces) {
  const Address base = memory.pushFrame(32, 0);
  memory.defineVariable(base + 16, 8, 0);
  ASSERT_TRUE(write(base + 16, 8));
  synchronise(0, 1);
  ASSERT_TRUE(read(base + 20, 4, 91));
  enter(0);
  EXPECT_EQ(memory.popFrame(base, 0), Outcome::fault);
  EXPECT_EQ(kind(), FaultKind::race);
  EXPECT_EQ(memory.fault().other.source, 91u);
  synchronise(1, 0);
  EXPECT_EQ(memory.popFrame(base, 0), Outcome::ok);
}

TEST_F(MemoryTest, FramesOfOneSegmentLeaveNoLog) {
  const MemoryInspector inspector(memory);
  const Address first = memory.pushFrame(64, 0);
  memory.popFrame(first, 0);
  const std::size_t before = inspector.entries();
  for (unsigned i = 0; i < 1000; ++i) {
    const Address base = memory.pushFrame(64, 0);
    EXPECT_EQ(base, first);
    memory.defineVariable(base + 16, 8, 0);
    memory.defineVariable(base + 40, 7, 0);
    ASSERT_TRUE(write(base + 16, 8));
    ASSERT_TRUE(write(base + 41, 1));
    ASSERT_TRUE(write(kCounter + 4 * (i % 2)));
    ASSERT_EQ(memory.popFrame(base, 0), Outcome::ok);
  }
  EXPECT_EQ(inspector.entries(), before + 2);
  EXPECT_FALSE(read(first + 16));
  EXPECT_EQ(kind(), FaultKind::deadFrame);
  move(0, kNoSegment);
  EXPECT_EQ(inspector.records(), 0u);
  enter(1);
  EXPECT_FALSE(read(first + 16));
  EXPECT_EQ(kind(), FaultKind::wildPointer);
}

TEST_F(MemoryTest, NestedFramesOfOneSegment) {
  memory.popFrame(memory.pushFrame(32, 0), 0);  // the outer frame does not go further, but the inner one will
  const SegmentId before = position(0);
  enter(0);
  const Address outer = memory.pushFrame(32, 0);
  memory.defineVariable(outer + 16, 4, 0);
  ASSERT_EQ(memory.read(outer + 17, 1, 0, Memory::kMayBeUninitialised), Outcome::ok);
  ASSERT_TRUE(write(outer + 16)) << "sets aside what is known of the single bytes";
  const Address inner = memory.pushFrame(32, 0);
  memory.defineVariable(inner + 16, 4, 0);
  ASSERT_TRUE(write(inner + 16));
  ASSERT_EQ(memory.popFrame(outer, 0), Outcome::ok);
  EXPECT_FALSE(read(inner + 16));
  EXPECT_EQ(kind(), FaultKind::deadFrame);
  EXPECT_EQ(MemoryInspector(memory).records(), 0u);
  move(0, before);
  enter(1);
  EXPECT_FALSE(read(inner + 16));
  EXPECT_EQ(kind(), FaultKind::wildPointer);
}

TEST_F(MemoryTest, ALongFrameThatEndsInItsSegment) {
  const Address base = memory.pushFrame(32, 0);
  memory.defineVariable(base + 16, 4, 0);
  const Address block = allocate(4096);
  ASSERT_TRUE(write(block, 4096));  // more entries than are looked through
  ASSERT_TRUE(write(base + 16));
  ASSERT_EQ(memory.popFrame(base, 0), Outcome::ok);
  const SegmentId end = position(0);
  move(0, kNoSegment);
  EXPECT_EQ(MemoryInspector(memory).cell(block).write, 0u);
  move(0, end);
  enter(0);
  EXPECT_TRUE(read(block, 4096));
  EXPECT_FALSE(read(base + 16));
  EXPECT_EQ(kind(), FaultKind::deadFrame);
}

// The graph knows locations by their addresses.
TEST_F(MemoryTest, FramesWithAtomicsAreNotUsedAgain) {
  const auto frame = [&](unsigned how) {
    const Address base = memory.pushFrame(64, 0);
    memory.defineVariable(base + 16, 4, 0);
    EXPECT_TRUE(write(base + 16));
    if (how == 1) enter(0);
    EXPECT_TRUE(how == 0 || memory.atomic(base + 16, 4, true, 0) == Outcome::ok);
    EXPECT_TRUE(how != 3 || memory.makePlain(base + 16, 4, 0) == Outcome::ok);
    EXPECT_EQ(memory.popFrame(base, 0), Outcome::ok);
    return base;
  };
  const Address first = frame(0);
  EXPECT_EQ(frame(0), first);
  const SegmentId before = position(0);
  enter(0);
  EXPECT_EQ(frame(1), first) << "a location of another segment";
  const Address second = frame(2);
  EXPECT_GT(second, first) << "one of the same segment";
  const Address third = frame(3);
  EXPECT_GT(third, second) << "one that was made plain again";
  EXPECT_GT(frame(0), third);
  const SegmentId after = position(0);
  move(0, before);
  enter(0);
  EXPECT_EQ(frame(0), first);
  move(0, after);
  enter(0);
  EXPECT_GT(frame(0), third);
  move(0, kNoSegment);
  EXPECT_EQ(MemoryInspector(memory).records(), 0u);
}

// ---- Thread-local variables.

TEST_F(MemoryTest, ThreadLocals) {
  const std::array<std::byte, 6> image{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}, std::byte{5}, std::byte{6}};
  EXPECT_FALSE(read(tlsOf(1)));
  enter(1);
  memory.defineTls(image);
  EXPECT_EQ(std::memcmp(at(tlsOf(1)), image.data(), image.size()), 0);
  EXPECT_TRUE(read(tlsOf(1), 6));
  EXPECT_TRUE(write(tlsOf(1)));
  EXPECT_FALSE(read(tlsOf(1), 7));
  EXPECT_EQ(kind(), FaultKind::outOfBounds);
  EXPECT_EQ(memory.find(tlsOf(1) + 5)->kind, AllocationKind::tls);
  enter(2);
  EXPECT_FALSE(read(tlsOf(1)));
  EXPECT_EQ(kind(), FaultKind::race);
  const SegmentId there = position(1);
  move(1, kNoSegment);
  EXPECT_FALSE(read(tlsOf(1)));
  EXPECT_EQ(kind(), FaultKind::wildPointer);
  move(1, there);
  EXPECT_FALSE(read(tlsOf(1)));
  EXPECT_EQ(kind(), FaultKind::race);
}

// ---- Where races are no errors.

TEST_F(MemoryTest, LivesAreOrderedByReadsFromWhereRacesAreAllowed) {
  std::array<Lane, kThreads> order{};
  memory.allowRaces(order.data());
  const Address block = allocate(8);
  enter(1);
  EXPECT_FALSE(write(block));
  EXPECT_EQ(kind(), FaultKind::wildPointer) << "nobody can know the address";
  order[0] = 1;
  ASSERT_TRUE(write(block));
  order[0] = 0;
  enter(0);
  EXPECT_EQ(memory.free(block, AllocationKind::malloc, 0), Outcome::fault);
  EXPECT_EQ(kind(), FaultKind::unorderedEnd);
  EXPECT_EQ(memory.fault().other.thread, 1);
  EXPECT_FALSE(write(block)) << "another access is a race as ever";
  EXPECT_EQ(kind(), FaultKind::race);
  order[1] = 1;
  EXPECT_EQ(memory.free(block, AllocationKind::malloc, 0), Outcome::ok);
}

TEST_F(MemoryTest, WhatEventsReadIsNoPlainReadWhereRacesAreAllowed) {
  const std::array<Lane, kThreads> order{};
  memory.allowRaces(order.data());
  ASSERT_EQ(memory.atomic(kCounter, 4, false, 0), Outcome::ok);
  ASSERT_EQ(memory.read(kCounter, 8, 0, Memory::kMayBeAtomic), Outcome::ok);
  enter(1);
  EXPECT_EQ(memory.atomic(kCounter, 4, true, 0), Outcome::ok);
  EXPECT_FALSE(write(kCounter + 4));
}

}  // namespace
}  // namespace heddle::memory
