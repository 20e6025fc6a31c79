// The operations on clocks, by the definition: on the chunks of this processor, and on the portable ones.
#include "graph/clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace heddle {
namespace {

constexpr unsigned kMostChunks = 3, kMostLanes = kMostChunks * kLanesPerChunk;

struct alignas(16) Clock : std::array<Lane, kMostLanes> {};

// Small numbers, so that equal lanes are frequent; and the largest there is.
Clock anyClock(std::mt19937& random) {
  Clock clock;
  for (Lane& lane : clock) lane = random() % 16 == 0 ? kNever : static_cast<Lane>(random() % 4);
  return clock;
}

template <class Chunk>
class Clocks : public testing::Test {};

using Chunks = testing::Types<Chunk, PortableChunk>;
TYPED_TEST_SUITE(Clocks, Chunks);

TYPED_TEST(Clocks, OperationsGoLaneByLane) {
  std::mt19937 random(1);
  unsigned atLeast = 0, greater = 0;
  for (unsigned round = 0; round < 20'000; ++round) {
    const unsigned chunks = 1 + round % kMostChunks, lanes = chunks * kLanesPerChunk;
    Clock a = anyClock(random), b = anyClock(random);
    // Often one of them is the smaller one everywhere.
    if (round % 2 == 0) std::ranges::transform(a, b, a.begin(), [](Lane x, Lane y) { return std::min(x, y); });
    if (round % 4 == 0) std::ranges::transform(b, b.begin(), [](Lane x) { return std::min<Lane>(x + 1, kNever); });

    bool someAtLeast = false, someGreater = false;
    Clock joined = a, copied = a, filled = a;
    for (unsigned i = 0; i < lanes; ++i) {
      someAtLeast = someAtLeast || a[i] >= b[i];
      someGreater = someGreater || a[i] > b[i];
      joined[i] = std::max(a[i], b[i]);
      copied[i] = b[i];
      filled[i] = kNever;
    }
    ASSERT_EQ(clock::someAtLeast<TypeParam>(a.data(), b.data(), chunks), someAtLeast);
    ASSERT_EQ(clock::someGreater<TypeParam>(a.data(), b.data(), chunks), someGreater);
    Clock result = a;
    clock::join<TypeParam>(result.data(), b.data(), chunks);
    ASSERT_EQ(result, joined);
    result = a;
    clock::copy<TypeParam>(result.data(), b.data(), chunks);
    ASSERT_EQ(result, copied);
    result = a;
    clock::fill<TypeParam>(result.data(), kNever, chunks);
    ASSERT_EQ(result, filled);
    atLeast += someAtLeast;
    greater += someGreater;
  }
  EXPECT_GT(atLeast, 1'000u);
  EXPECT_LT(atLeast, 19'000u);
  EXPECT_GT(greater, 1'000u);
  EXPECT_LT(greater, 19'000u);
}

}  // namespace
}  // namespace heddle
