// The order in which executions are shown, against all orders that there are.
#include "trace/interleaving.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace heddle::trace {
namespace {

// How many steps an order leaves without an explanation, by the definition; a read from below counts for a thousand.
std::size_t costOf(const std::vector<Step>& steps, const std::vector<std::size_t>& order) {
  std::map<std::size_t, std::size_t> memory;
  std::size_t cost = 0;
  for (const std::size_t s : order) {
    bool isExplained = true, isEarly = false, isLate = false;
    for (const Step::Access& read : steps[s].reads) {
      isExplained = isExplained && memory[read.cell] == read.place;
      isEarly = isEarly || memory[read.cell] < read.place;
      isLate = isLate || memory[read.cell] > read.place;
    }
    for (const Step::Access& write : steps[s].writes) isExplained = isExplained && memory[write.cell] < write.place;
    for (const Step::Access& write : steps[s].writes) memory[write.cell] = std::max(memory[write.cell], write.place);
    for (const Step::Access& write : steps[s].writes) isLate = isLate || memory[write.cell] > write.place;
    cost += isExplained ? 0 : isEarly && !isLate ? 1000 : 1;
  }
  return cost;
}

bool isAllowed(const std::vector<Step>& steps, const std::vector<std::size_t>& order) {
  std::set<std::size_t> above;
  for (const std::size_t s : order) {
    for (const std::size_t before : steps[s].after) {
      if (!above.contains(before)) return false;
    }
    above.insert(s);
  }
  return above.size() == steps.size();
}

std::size_t leastCost(const std::vector<Step>& steps) {
  std::vector<std::size_t> order(steps.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::size_t least = 1000 * (steps.size() + 1);
  do {
    if (isAllowed(steps, order)) least = std::min(least, costOf(steps, order));
  } while (std::ranges::next_permutation(order).found);
  return least;
}

// Any reads-from and coherence, consistent or not; a read-modify-write comes right after what it reads.
std::vector<Step> randomSteps(std::mt19937& random) {
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  std::vector<Step> steps;
  std::map<std::size_t, std::size_t> last;
  std::vector<std::size_t> writes(2);
  for (std::size_t i = 0; i < 7; ++i) {
    Step step;
    step.thread = below(3);
    if (last.contains(step.thread)) step.after.push_back(last[step.thread]);
    last[step.thread] = i;
    const std::size_t cell = below(2);
    if (below(2) == 0) {
      step.writes.push_back({cell, ++writes[cell]});
    } else {
      step.reads.push_back({cell, 0});
    }
    steps.push_back(step);
  }
  for (std::size_t cell = 0; cell < 2; ++cell) {
    std::vector<std::size_t> places(writes[cell]);
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i + 1;
    std::ranges::shuffle(places, random);
    std::size_t next = 0;
    for (Step& step : steps) {
      for (Step::Access& write : step.writes) {
        if (write.cell == cell) write.place = places[next++];
      }
      for (Step::Access& read : step.reads) {
        if (read.cell == cell) read.place = below(writes[cell] + 1);
      }
    }
  }
  for (Step& step : steps) {
    if (!step.writes.empty() && below(3) == 0) step.reads.push_back({step.writes[0].cell, step.writes[0].place - 1});
  }
  return steps;
}

TEST(Interleaving, LeavesAsFewStepsUnexplainedAsThereCanBe) {
  std::mt19937 random(7);
  std::size_t explained = 0;
  for (int i = 0; i < 200; ++i) {
    const std::vector<Step> steps = randomSteps(random);
    const Interleaving found = interleave(steps);
    ASSERT_TRUE(isAllowed(steps, found.order));
    EXPECT_EQ(found.unexplained.empty(), costOf(steps, found.order) == 0);
    EXPECT_EQ(costOf(steps, found.order), leastCost(steps));
    // Nobody stands against a step in which everything can be explained.
    EXPECT_EQ(found.unexplained.empty(), findCycle(steps).empty());
    explained += found.unexplained.empty();
  }
  EXPECT_GT(explained, 10U);
  EXPECT_LT(explained, 180U);
}

// Store buffering: two threads, each overlooks the other's store. One of the loads is odd, and the cycle has all four.
TEST(Interleaving, OfStoreBufferingHasOneStaleLoad) {
  const std::vector<Step> steps = {{.thread = 0, .after = {}, .reads = {}, .writes = {{0, 1}}},
                                   {.thread = 0, .after = {0}, .reads = {{1, 0}}, .writes = {}},
                                   {.thread = 1, .after = {}, .reads = {}, .writes = {{1, 1}}},
                                   {.thread = 1, .after = {2}, .reads = {{0, 0}}, .writes = {}}};
  const Interleaving found = interleave(steps);
  EXPECT_EQ(found.order, (std::vector<std::size_t>{0, 1, 2, 3}));
  ASSERT_EQ(found.unexplained.size(), 1U);
  EXPECT_EQ(found.unexplained[0].step, 3U);
  EXPECT_EQ(found.unexplained[0].by, 0U);
  EXPECT_FALSE(found.unexplained[0].isEarly);
  EXPECT_EQ(findCycle(steps).size(), 4U);
}

// Load buffering: what is read first is written below.
TEST(Interleaving, OfLoadBufferingHasOneEarlyLoad) {
  const std::vector<Step> steps = {{.thread = 0, .after = {}, .reads = {{0, 1}}, .writes = {}},
                                   {.thread = 0, .after = {0}, .reads = {}, .writes = {{1, 1}}},
                                   {.thread = 1, .after = {}, .reads = {{1, 1}}, .writes = {}},
                                   {.thread = 1, .after = {2}, .reads = {}, .writes = {{0, 1}}}};
  const Interleaving found = interleave(steps);
  ASSERT_EQ(found.unexplained.size(), 1U);
  EXPECT_TRUE(found.unexplained[0].isEarly);
}

// A load of the initial value comes before the store that overwrites it, whatever thread it is in; and a thread is left only if it has to be.
TEST(Interleaving, StaysWithAThread) {
  const std::vector<Step> steps = {{.thread = 0, .after = {}, .reads = {}, .writes = {{0, 1}}},
                                   {.thread = 1, .after = {}, .reads = {{1, 0}}, .writes = {}},
                                   {.thread = 0, .after = {0}, .reads = {}, .writes = {{1, 1}}},
                                   {.thread = 1, .after = {1}, .reads = {{1, 0}}, .writes = {}},
                                   {.thread = 1, .after = {3}, .reads = {{1, 1}}, .writes = {}}};
  EXPECT_EQ(interleave(steps).order, (std::vector<std::size_t>{0, 1, 3, 2, 4}));
}

TEST(Interleaving, OfManyStepsIsQuick) {
  std::vector<Step> steps;
  for (std::size_t i = 0; i < 20'000; ++i) {
    Step step{.thread = i % 2, .after = {}, .reads = {}, .writes = {}};
    if (i >= 2) step.after.push_back(i - 2);
    if (i % 2 == 0) {
      step.writes.push_back({0, i / 2 + 1});
    } else {
      step.reads.push_back({0, i / 2});
    }
    steps.push_back(step);
  }
  EXPECT_TRUE(interleave(steps).unexplained.empty());
}

}  // namespace
}  // namespace heddle::trace
