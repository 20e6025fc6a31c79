// Sets of threads, held against std::set.
#include "program/thread_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace heddle {
namespace {

void expectSame(const ThreadSet& found, const std::set<ThreadId>& expected) {
  std::vector<ThreadId> members;
  for (const ThreadId thread : found) members.push_back(thread);
  EXPECT_EQ(members, std::vector<ThreadId>(expected.begin(), expected.end()));
  EXPECT_EQ(found.size(), expected.size());
  EXPECT_EQ(found.empty(), expected.empty());
  if (!expected.empty()) {
    EXPECT_EQ(found.first(), *expected.begin());
  }
}

TEST(ThreadSet, HasTheFirstAndTheLastThread) {
  ThreadSet set;
  for (const unsigned thread : {0u, 62u, 63u, 64u, 126u, 127u, kMostThreads - 1}) {
    const auto id = static_cast<ThreadId>(thread);
    EXPECT_FALSE(set.contains(id));
    set.insert(id);
    EXPECT_TRUE(set.contains(id));
  }
  expectSame(set, {0, 62, 63, 64, 126, 127, kMostThreads - 1});
  set.clear();
  expectSame(set, {});
  set.insert(100);
  expectSame(set, {100});
}

TEST(ThreadSet, IsWhatASetIs) {
  std::mt19937 random(1);
  for (const unsigned threads : {8u, 64u, kMostThreads}) {
    ThreadSet a, b;
    std::set<ThreadId> expectedA, expectedB;
    for (int i = 0; i < 5000; ++i) {
      const auto thread = static_cast<ThreadId>(random() % threads);
      switch (random() % 8) {
        case 0: a.insert(thread), expectedA.insert(thread); break;
        case 1: b.insert(thread), expectedB.insert(thread); break;
        case 2: a.erase(thread), expectedA.erase(thread); break;
        case 3: b.erase(thread), expectedB.erase(thread); break;
        case 4: std::swap(a, b), std::swap(expectedA, expectedB); break;
        case 5:
          if (!a.empty()) a.eraseFirst(), expectedA.erase(expectedA.begin());
          break;
        case 6: {
          std::set<ThreadId> both = expectedA, rest = expectedA;
          both.insert(expectedB.begin(), expectedB.end());
          for (const ThreadId other : expectedB) rest.erase(other);
          expectSame(a | b, both);
          expectSame(a - b, rest);
          break;
        }
        default: EXPECT_EQ(a == b, expectedA == expectedB);
      }
      expectSame(a, expectedA);
      EXPECT_EQ(a.contains(thread), expectedA.contains(thread));
    }
  }
}

}  // namespace
}  // namespace heddle
