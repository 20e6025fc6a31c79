// The bytes that are raced for: what is added, what of it is found, and how it grows.

#include "memory/racy_bytes.h"

#include <gtest/gtest.h>

namespace heddle::memory {
namespace {

constexpr Address kArray = kBase + 4096;
constexpr Range kWhole{kArray, 400};

TEST(RacyBytes, FindsWhatWasAdded) {
  RacyBytes racy;
  EXPECT_TRUE(racy.empty());
  EXPECT_FALSE(racy.touches(kArray, 400));
  EXPECT_TRUE(racy.add({kArray + 8, 4}, kWhole));
  EXPECT_FALSE(racy.empty());
  EXPECT_FALSE(racy.touches(kArray, 8));
  EXPECT_TRUE(racy.touches(kArray, 9));
  EXPECT_TRUE(racy.touches(kArray + 11, 1));
  EXPECT_FALSE(racy.touches(kArray + 12, 100));
  EXPECT_FALSE(racy.touches(kArray + 9, 0));
  const RacyBytes::Run run = racy.first(kArray + 9, kArray + 400);
  EXPECT_EQ(run.begin, kArray + 9);
  EXPECT_EQ(run.end, kArray + 12);
  EXPECT_EQ(run.unit, 4u);
}

TEST(RacyBytes, AddsNothingTwice) {
  RacyBytes racy;
  ASSERT_TRUE(racy.add({kArray, 8}, kWhole));
  EXPECT_FALSE(racy.add({kArray, 8}, kWhole));
  EXPECT_FALSE(racy.add({kArray + 4, 2}, kWhole));
  EXPECT_TRUE(racy.add({kArray + 4, 8}, kWhole)) << "half of it is new";
  EXPECT_EQ(racy.first(kArray + 4, kArray + 12).unit, 8u) << "what was known stays as it was";
}

TEST(RacyBytes, GrowsWithinItsObject) {
  RacyBytes racy;
  unsigned races = 0;
  for (Address at = kArray; at < kArray + kWhole.size; at += 4) races += racy.add({at, 4}, kWhole);
  EXPECT_LE(races, 6u);
  EXPECT_FALSE(racy.touches(kArray - 64, 64));
  EXPECT_FALSE(racy.touches(kArray + kWhole.size, 64));
}

TEST(RacyBytes, ObjectsGrowOnTheirOwn) {
  RacyBytes racy;
  for (unsigned i = 0; i < 8; ++i) {
    const Address object = kArray + 64 * i;
    ASSERT_TRUE(racy.add({object, 1}, {object, 64}));
    EXPECT_FALSE(racy.touches(object + 1, 63));
  }
}

TEST(RacyBytes, TravelsAsText) {
  RacyBytes racy, other;
  racy.add({kArray, 2}, kWhole);
  racy.add({kArray + 40, 8}, kWhole);
  other.add({kArray + 100, 1}, kWhole);
  other.set(racy.toText());
  EXPECT_EQ(other.toText(), racy.toText());
  EXPECT_FALSE(other.touches(kArray + 100, 1));
  EXPECT_EQ(other.first(kArray, kArray + 400).unit, 2u);
  racy.add({kArray + 20, 1}, kWhole);  // as much as if it had stayed here
  other.add({kArray + 20, 1}, kWhole);
  EXPECT_EQ(other.toText(), racy.toText());
}

}  // namespace
}  // namespace heddle::memory
