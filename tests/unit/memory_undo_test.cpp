// Plain memory: atomic locations, and going back.

#include "unit/memory_fixture.h"

namespace heddle::memory {
namespace {

// ---- Atomic locations.

TEST_F(MemoryTest, AtomicLocations) {
  EXPECT_TRUE(memory.atomicParts(kCounter, 8).empty());
  ASSERT_EQ(memory.atomic(kCounter, 4, true, 0), Outcome::ok);
  EXPECT_EQ(memory.read(kCounter, 4, 0), Outcome::atomic);
  EXPECT_EQ(memory.write(kCounter + 3, 2, 0), Outcome::atomic);
  EXPECT_TRUE(read(kCounter + 4));
  ASSERT_EQ(memory.atomic(kCounter, 8, false, 0), Outcome::ok);
  const std::vector<AtomicPart> parts = memory.atomicParts(kCounter, 8);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].size, 4u);
  EXPECT_EQ(parts[1].size, 8u);
  EXPECT_EQ(memory.atomicParts(kCounter + 4, 1).size(), 1u);
  EXPECT_EQ(memory.initialValue(kCounter, 8), 0x0807060504030201u);
}

TEST_F(MemoryTest, AtomicAccessesRaceWithPlainOnes) {
  ASSERT_TRUE(write(kCounter, 4, 0, 11));
  ASSERT_TRUE(read(kCounter + 4, 4, 12));
  enter(1);
  EXPECT_EQ(memory.atomic(kCounter, 4, false, 0), Outcome::fault);
  EXPECT_EQ(kind(), FaultKind::race);
  EXPECT_EQ(memory.fault().other.source, 11u);
  EXPECT_EQ(memory.atomic(kCounter + 4, 4, true, 0), Outcome::fault);
  EXPECT_EQ(memory.fault().other.source, 12u);
  EXPECT_EQ(memory.atomic(kCounter + 4, 4, false, 0), Outcome::ok);
  synchronise(0, 1);
  EXPECT_EQ(memory.atomic(kCounter, 4, false, 0), Outcome::ok);
  EXPECT_EQ(memory.atomic(kCounter + 4, 4, true, 0), Outcome::ok);
  enter(2);
  EXPECT_EQ(memory.atomic(kCounter, 4, false, 0), Outcome::fault) << "each access is checked, not only the first";
  EXPECT_EQ(memory.atomic(kCounter + 4, 4, true, 0), Outcome::fault);
}

TEST_F(MemoryTest, AtomicWritesRaceWithReadsOfManyThreads) {
  for (ThreadId thread = 1; thread < 4; ++thread) {
    enter(thread);
    ASSERT_TRUE(read(kCounter, 8, 20u + thread));
  }
  ASSERT_EQ(memory.atomic(kCounter, 8, false, 0), Outcome::ok);
  synchronise(1, 0);
  synchronise(3, 0);
  ASSERT_EQ(memory.atomic(kCounter, 8, false, 0), Outcome::ok);
  EXPECT_EQ(memory.atomic(kCounter, 8, true, 0), Outcome::fault);
  EXPECT_EQ(memory.fault().other.source, 22u);
  synchronise(2, 0);
  EXPECT_EQ(memory.atomic(kCounter, 8, true, 0), Outcome::ok);
}

TEST_F(MemoryTest, AtomicAccessesNeedALivingInitialisedLocation) {
  const Address block = allocate(16);
  EXPECT_EQ(memory.atomic(block, 8, true, 0), Outcome::fault);
  EXPECT_EQ(kind(), FaultKind::uninitialised);
  EXPECT_EQ(memory.atomic(block + 12, 8, false, 0), Outcome::fault);
  EXPECT_EQ(memory.atomic(block + 16, 4, false, 0), Outcome::fault);
  EXPECT_EQ(kind(), FaultKind::outOfBounds);
  ASSERT_TRUE(write(block, 16));
  EXPECT_EQ(memory.atomic(block, 16, true, 0), Outcome::ok);
  EXPECT_EQ(memory.atomicParts(block, 16).size(), 1u);
  ASSERT_EQ(memory.free(block, AllocationKind::malloc, 0), Outcome::ok);
  EXPECT_EQ(memory.atomic(block, 16, true, 0), Outcome::fault);
  EXPECT_EQ(kind(), FaultKind::useAfterFree);
  EXPECT_TRUE(memory.atomicParts(block, 16).empty());
  move(0, kNoSegment);
  EXPECT_EQ(MemoryInspector(memory).records(), 0u);
}

TEST_F(MemoryTest, BecomingAtomicInASegmentThatHasReadIt) {
  ASSERT_TRUE(read(kCounter));
  ASSERT_TRUE(isSkipped(kCounter, false));
  ASSERT_EQ(memory.atomic(kCounter, 4, false, 0), Outcome::ok);
  EXPECT_FALSE(isSkipped(kCounter, false));
  ASSERT_TRUE(read(kCounter + 4));
  for (unsigned b = 4; b < 8; ++b) ASSERT_EQ(memory.atomic(kCounter + b, 1, false, 0), Outcome::ok);
  EXPECT_FALSE(isSkipped(kCounter + 4, false)) << "byte by byte";
  ASSERT_TRUE(write(kOdd, 1));
  ASSERT_EQ(memory.atomic(kOdd, 1, true, 0), Outcome::ok);
  EXPECT_EQ(memory.write(kOdd, 1, 0), Outcome::atomic);
}

TEST_F(MemoryTest, BecomingAtomicInASegmentThatHasWrittenIt) {
  ASSERT_TRUE(write(kCounter, 8));
  ASSERT_TRUE(isSkipped(kCounter, true));
  ASSERT_EQ(memory.atomic(kCounter, 8, true, 0), Outcome::ok);
  EXPECT_FALSE(isSkipped(kCounter, true));
  EXPECT_FALSE(isSkipped(kCounter + 4, true));
}

TEST_F(MemoryTest, PlainReadsOfAtomicLocations) {
  ASSERT_EQ(memory.atomic(kCounter, 4, false, 0), Outcome::ok);
  enter(1);
  ASSERT_EQ(memory.read(kCounter, 4, 31, Memory::kMayBeAtomic), Outcome::ok);
  memory.saveBytes(kCounter, 4);
  word(kCounter) = 77;
  EXPECT_EQ(memory.initialValue(kCounter, 4), 0x04030201u);
  enter(2);
  EXPECT_EQ(word(kCounter), 0x04030201u) << "for one segment only";
  EXPECT_EQ(memory.atomic(kCounter, 4, true, 0), Outcome::fault);
  EXPECT_EQ(memory.fault().other.source, 31u);
  EXPECT_EQ(memory.atomic(kCounter, 4, false, 0), Outcome::ok);
}

TEST_F(MemoryTest, TheInitialValueOutlivesWhatIsShown) {
  const Address block = allocate(8);
  ASSERT_TRUE(write(block, 8, 6));
  enter(0);
  ASSERT_EQ(memory.atomic(block, 4, false, 0), Outcome::ok);
  const SegmentId before = position(0);
  enter(0);
  memory.saveBytes(block, 4);
  word(block) = 77;
  ASSERT_EQ(memory.atomic(block, 8, false, 0), Outcome::ok) << "another location";
  EXPECT_EQ(memory.initialValue(block, 4), 6u);
  ASSERT_EQ(memory.free(block, AllocationKind::malloc, 0), Outcome::ok) << "the end of its life";
  move(0, before);
  EXPECT_EQ(word(block), 6u);
  EXPECT_EQ(memory.initialValue(block, 4), 6u);
}

TEST_F(MemoryTest, MadePlainAgain) {
  ASSERT_EQ(memory.atomic(kCounter, 8, true, 0), Outcome::ok);
  enter(0);
  ASSERT_EQ(memory.makePlain(kCounter, 8, 33), Outcome::ok);
  word(kCounter) = 5;
  const SegmentId plain = position(0);
  EXPECT_TRUE(read(kCounter, 8));
  enter(1);
  EXPECT_EQ(memory.atomic(kCounter, 4, false, 0), Outcome::fault);
  EXPECT_EQ(memory.fault().other.source, 33u);
  synchronise(0, 1);
  EXPECT_EQ(memory.atomic(kCounter, 4, false, 0), Outcome::ok);
  EXPECT_EQ(memory.initialValue(kCounter, 4), 5u);
  const std::array<Memory::Target, 2> back{{{1, kNoSegment}, {0, plain - 1}}};
  memory.moveTo(back);
  EXPECT_EQ(memory.atomicParts(kCounter, 8).size(), 1u);
  EXPECT_EQ(memory.initialValue(kCounter, 4), 0x04030201u);
  enter(2);
  EXPECT_EQ(memory.write(kCounter, 4, 0), Outcome::atomic);
}

TEST_F(MemoryTest, ALocationLastsAsLongAsOneOfItsMakers) {
  enter(1);
  ASSERT_EQ(memory.atomic(kCounter, 4, true, 0), Outcome::ok);
  enter(2);
  ASSERT_EQ(memory.atomic(kCounter, 4, true, 0), Outcome::ok);
  const SegmentId first = position(1), second = position(2);
  move(1, kNoSegment);
  EXPECT_EQ(memory.atomicParts(kCounter, 4).size(), 1u);
  move(2, kNoSegment);
  EXPECT_TRUE(memory.atomicParts(kCounter, 4).empty());
  move(1, first);
  EXPECT_EQ(memory.atomicParts(kCounter, 4).size(), 1u);
  move(2, second);
  move(1, kNoSegment);
  EXPECT_EQ(memory.atomicParts(kCounter, 4).size(), 1u);
}

// ---- Going back.

TEST_F(MemoryTest, UndoRestoresBytesAndShadow) {
  enter(0);
  const SegmentId start = memory.openSegment();
  enter(0);
  ASSERT_TRUE(write(kCounter, 4, 99));
  const Address block = allocate(8);
  ASSERT_TRUE(write(block, 8, 3));
  const SegmentId end = position(0);
  move(0, start);
  EXPECT_FALSE(memory.isLive(end));
  EXPECT_TRUE(memory.isLive(start));
  EXPECT_EQ(word(kCounter), 0x04030201u);
  enter(1);
  EXPECT_TRUE(write(kCounter + 4));
  EXPECT_TRUE(read(kCounter));
  EXPECT_FALSE(read(block));
  EXPECT_EQ(kind(), FaultKind::wildPointer);
  move(1, kNoSegment);
  move(0, end);
  EXPECT_EQ(word(kCounter), 99u);
  EXPECT_EQ(word(block), 3u);
  enter(1);
  EXPECT_FALSE(read(kCounter));
  EXPECT_EQ(kind(), FaultKind::race);
}

TEST_F(MemoryTest, AFreeIsRedone) {
  const Address block = allocate(12);
  ASSERT_TRUE(write(block, 8, 4));
  enter(0);
  const SegmentId before = position(0);
  enter(0);
  ASSERT_EQ(memory.free(block, AllocationKind::malloc, 17), Outcome::ok);
  const SegmentId after = position(0);
  move(0, before);
  EXPECT_EQ(memory.liveHeap().size(), 1u);
  enter(0);
  EXPECT_TRUE(read(block, 8));
  EXPECT_FALSE(read(block + 8));
  EXPECT_EQ(kind(), FaultKind::uninitialised);
  move(0, before);
  EXPECT_EQ(memory.find(block)->live, true);
  move(0, after);
  enter(0);
  EXPECT_FALSE(read(block + 8));
  EXPECT_EQ(kind(), FaultKind::useAfterFree);
  EXPECT_EQ(memory.fault().other.source, 17u);
  EXPECT_NE(memory.fault().other.index, 0);
}

TEST_F(MemoryTest, AReadGoesWhileLaterReadsStay) {
  enter(1);
  ASSERT_TRUE(read(kCounter));
  enter(2);
  ASSERT_TRUE(read(kCounter));
  enter(3);
  ASSERT_TRUE(read(kCounter, 1));
  move(1, kNoSegment);
  synchronise(2, 0);
  EXPECT_FALSE(write(kCounter));
  EXPECT_EQ(memory.fault().other.thread, 3);
  EXPECT_TRUE(write(kCounter + 1, 1));
}

TEST_F(MemoryTest, NeighbouringBytesGoAndStay) {
  enter(1);
  ASSERT_TRUE(write(kCounter, 1, 0xaa));
  enter(2);
  ASSERT_TRUE(write(kCounter + 1, 1, 0xbb));
  const SegmentId first = position(1);
  move(1, kNoSegment);
  EXPECT_EQ(word(kCounter), 0x0403bb01u);
  move(2, kNoSegment);
  EXPECT_EQ(word(kCounter), 0x04030201u);
  move(1, first);
  EXPECT_EQ(word(kCounter), 0x040302aau);
}

TEST_F(MemoryTest, AReadOfTheUndoneSegmentIsNotSkippedByTheNext) {
  enter(1);
  const SegmentId start = position(1);
  enter(1);
  ASSERT_TRUE(read(kCounter));
  enter(2);
  ASSERT_TRUE(read(kCounter));
  move(1, start);
  memory.truncate(memory.logTop());
  memory.enter(1, static_cast<std::uint16_t>(clocks[1][1] + 1), clocks[1].data());  // the same epoch, another segment
  EXPECT_FALSE(isSkipped(kCounter, false));
}

TEST_F(MemoryTest, AFrameWhoseEndWasUndoneEndsAgain) {
  enter(0);
  const Address frame = memory.pushFrame(64, 0);
  memory.defineVariable(frame + 16, 8, 0);
  ASSERT_TRUE(write(frame + 16, 8));
  const SegmentId before = position(0);
  for (int i = 0; i < 2; ++i) {
    enter(0);
    ASSERT_EQ(memory.popFrame(frame, 0), Outcome::ok);
    EXPECT_FALSE(read(frame + 16, 8));
    move(0, before);
    EXPECT_TRUE(read(frame + 16, 8));
  }
}

TEST_F(MemoryTest, SegmentsWithoutEffectLeaveNothingInTheLog) {
  enter(1);
  ASSERT_TRUE(write(kCounter, 4, 8));
  const SegmentId before = position(1);
  const std::size_t top = memory.logTop();
  enter(1);
  enter(1);
  EXPECT_EQ(position(1), before);
  EXPECT_EQ(memory.logTop(), top);
  EXPECT_FALSE(isSkipped(kCounter, true));
}

TEST_F(MemoryTest, TakingBackAPartOfASegment) {
  enter(1);
  ASSERT_TRUE(write(kCounter, 4, 8));
  const std::uint32_t height = memory.height();
  const std::uint64_t changes = memory.changes();
  ASSERT_TRUE(write(kCounter + 4, 4, 9));
  ASSERT_TRUE(write(kOdd + 1, 1, 10));
  ASSERT_TRUE(read(kOdd, 1));
  memory.takeBack(height);
  EXPECT_NE(memory.changes(), changes);
  EXPECT_EQ(word(kCounter), 8u);
  EXPECT_EQ(word(kCounter + 4), 0x08070605u);
  EXPECT_EQ(std::memcmp(at(kOdd), "abc", 3), 0);
  enter(2);
  EXPECT_TRUE(write(kCounter + 4));
  EXPECT_TRUE(write(kOdd, 1));
  EXPECT_TRUE(write(kOdd + 1, 1));
  EXPECT_FALSE(write(kCounter));
}

TEST_F(MemoryTest, TruncatingKeepsWhatIsNotUndone) {
  const std::size_t top = memory.logTop();
  enter(1);
  memory.openSegment();
  enter(2);
  ASSERT_TRUE(write(kCounter, 4, 8));
  enter(3);
  memory.openSegment();
  move(3, kNoSegment);
  memory.truncate(top);
  EXPECT_EQ(memory.logTop(), top + 2);
  EXPECT_EQ(word(kCounter), 8u);
  move(2, kNoSegment);
  move(1, kNoSegment);
  memory.truncate(top);
  EXPECT_EQ(memory.logTop(), top);
  EXPECT_EQ(word(kCounter), 0x04030201u);
}

TEST_F(MemoryTest, Reset) {
  ASSERT_TRUE(write(kCounter, 8, 9));
  const Address block = allocate(8);
  ASSERT_TRUE(write(block, 8, 9));
  const Address base = memory.pushFrame(32, 0);
  memory.defineVariable(base + 16, 4, 0);
  ASSERT_TRUE(write(base + 16));
  ASSERT_EQ(memory.atomic(block, 4, true, 0), Outcome::ok);
  ASSERT_EQ(memory.globals().size(), 2u);
  memory.reset();
  EXPECT_EQ(word(kCounter), 0x04030201u);
  EXPECT_EQ(MemoryInspector(memory).cell(kCounter).write, 0u);
  EXPECT_EQ(MemoryInspector(memory).cell(block).write, 0u);
  EXPECT_EQ(MemoryInspector(memory).records(), 0u);
  EXPECT_EQ(memory.logTop(), 1u);
  EXPECT_EQ(position(0), kNoSegment);
  enter(1);
  EXPECT_TRUE(write(kCounter, 8));
  EXPECT_FALSE(read(block));
  enter(0);
  EXPECT_EQ(allocate(8), block);
  EXPECT_EQ(memory.pushFrame(32, 0), base);
}

TEST_F(MemoryTest, OnlyOneAtATime) { EXPECT_THROW(Memory(), std::runtime_error); }

}  // namespace
}  // namespace heddle::memory
