// Awaits that are overtaken, and confirmations (explore/overtaken_await.cpp, explore/confirmation.cpp): what they leave out, what
// they do not, and when the exploration has to start again.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "explore/explorer.h"
#include "litmus/test.h"
#include "model/library.h"

namespace heddle::explore {
namespace {

const ExploreOptions kAsBefore = {};
const ExploreOptions kBoth = {.overtakenAwaits = true, .confirmations = true};

struct Explored : Statistics {
  unsigned restarts = 0;
};

// Starts again as src/run does.
Explored explored(const std::string& body, ExploreOptions options, const std::string& model = "rc20") {
  const litmus::Test test = litmus::parseLitmus("C test\n" + body, "test.litmus");
  options.races = test.hasPlainAccesses;
  Observer observer;
  Explored result;
  while (true) {
    try {
      test.program->reset();
      static_cast<Statistics&>(result) = Explorer(*test.program, model::compiledModel(model), options, observer).run();
      return result;
    } catch (const UnorderedWrites& unordered) {
      options.unordered.push_back(unordered.bytes);
    } catch (const ValueComesBack& back) {
      options.recurring.push_back(back.found);
    }
    ++result.restarts;
  }
}

// Threads that load x, exchange it for another value, and start again if somebody was faster.
std::string exchanging(unsigned threads, const std::string& value, const std::string& which = "strong") {
  std::string text = "{ x=0; }\n";
  for (unsigned t = 0; t < threads; ++t) {
    text += fmt::format(
        "P{}(atomic_int* x) {{ int r; int e; int ok; do {{ r = atomic_load_explicit(x, memory_order_relaxed); e = r; ok = "
        "atomic_compare_exchange_{}_explicit(x, &e, {}, memory_order_relaxed, memory_order_relaxed); }} while (ok == 0); }}\n",
        t, which, value);
  }
  return text;
}

// A reader that waits until a counter is even, and writers that make it odd for a while.
const std::string kOddForAWhile = R"({ x=0; }
P0(atomic_int* x) { int r; do { r = atomic_load_explicit(x, memory_order_acquire); } while (r % 2 == 1); }
P1(atomic_int* x) { int a = atomic_fetch_add_explicit(x, 1, memory_order_relaxed); int b = atomic_fetch_add_explicit(x, 1, memory_order_release); }
P2(atomic_int* x) { int c = atomic_fetch_add_explicit(x, 2, memory_order_relaxed); }
)";

TEST(BlockedExecutions, ConfirmationsHaveNone) {
  EXPECT_EQ(explored(exchanging(4, "r+1"), kAsBefore).blocked, 156u);
  for (const unsigned threads : {2u, 3u, 4u}) {
    const Explored before = explored(exchanging(threads, "r+1"), kAsBefore);
    const Explored after = explored(exchanging(threads, "r+1"), kBoth);
    EXPECT_GT(before.blocked, 0u);
    EXPECT_EQ(after.blocked, 0u);
    EXPECT_EQ(after.executions, before.executions);
    EXPECT_EQ(after.restarts, 0u);
    EXPECT_LT(after.added, before.added);
  }
}

TEST(BlockedExecutions, WeakConfirmationsHaveNone) {
  const Explored after = explored(exchanging(3, "r+1", "weak"), kBoth);
  EXPECT_EQ(after.executions, 6u);
  EXPECT_EQ(after.blocked, 0u);
}

// 0, 1, 0, 1: a thread may load the first 0 and exchange the second.
TEST(BlockedExecutions, AValueThatComesBackIsNotLost) {
  const Explored before = explored(exchanging(4, "1-r"), kAsBefore);
  const Explored after = explored(exchanging(4, "1-r"), kBoth);
  EXPECT_EQ(after.executions, before.executions);
  EXPECT_EQ(after.restarts, 2u);
}

// The write that comes back has been there before the one that is confirmed, but came into the graph later.
TEST(BlockedExecutions, AValueThatComesBackIsFoundInFullGraphs) {
  const std::string body = R"({ x=0; }
P0(atomic_int* x) { int r; int e; int ok; do { r = atomic_load_explicit(x, memory_order_relaxed); e = r; ok = atomic_compare_exchange_strong_explicit(x, &e, 1, memory_order_relaxed, memory_order_relaxed); } while (ok == 0); }
P1(atomic_int* x) { atomic_store_explicit(x, 1, memory_order_relaxed); int a = atomic_exchange_explicit(x, 2, memory_order_relaxed); }
P2(atomic_int* x) { int e; int ok; do { e = 0; ok = atomic_compare_exchange_strong_explicit(x, &e, 2, memory_order_relaxed, memory_order_relaxed); } while (ok == 0); }
)";
  const Explored before = explored(body, kAsBefore);
  const Explored after = explored(body, kBoth);
  EXPECT_EQ(after.executions, before.executions);
  EXPECT_GT(after.restarts, 0u);
}

TEST(BlockedExecutions, OvertakenAwaitsHaveNone) {
  for (const std::string model : {"sc", "tso", "rc11", "rc20"}) {
    const Explored before = explored(kOddForAWhile, kAsBefore, model);
    const Explored after = explored(kOddForAWhile, {.overtakenAwaits = true}, model);
    EXPECT_GT(before.blocked, 0u) << model;
    EXPECT_EQ(after.blocked, 0u) << model;
    EXPECT_EQ(after.executions, before.executions) << model;
    EXPECT_EQ(after.restarts, 0u) << model;
  }
}

// A store that has not observed the last write is not part of a chain.
TEST(BlockedExecutions, UnorderedWritesAreExploredAsBefore) {
  const std::string body = R"({ x=0; }
P0(atomic_int* x) { int r; do { r = atomic_load_explicit(x, memory_order_relaxed); } while (r % 2 == 1); }
P1(atomic_int* x) { int a = atomic_fetch_add_explicit(x, 1, memory_order_relaxed); }
P2(atomic_int* x, atomic_int* y) { int z = atomic_load_explicit(y, memory_order_relaxed); atomic_store_explicit(x, 4, memory_order_relaxed); }
)";
  const Explored before = explored(body, kAsBefore);
  const Explored after = explored(body, kBoth);
  EXPECT_EQ(after.executions, before.executions);
  EXPECT_GT(after.restarts, 0u);
}

// A lock that is looked at before it is taken, four threads.
TEST(BlockedExecutions, ATestAndTestAndSetLockHasNone) {
  std::string body = "{ l=0; y=0; }\n";
  for (unsigned t = 0; t < 4; ++t) {
    body += fmt::format(R"(P{}(atomic_int* l, atomic_int* y) {{
  int r; int e; int ok;
  do {{
    do {{ r = atomic_load_explicit(l, memory_order_relaxed); }} while (r != 0);
    e = 0;
    ok = atomic_compare_exchange_strong_explicit(l, &e, 1, memory_order_acquire, memory_order_relaxed);
  }} while (ok == 0);
  int q = atomic_load_explicit(y, memory_order_relaxed);
  atomic_store_explicit(y, q+1, memory_order_relaxed);
  atomic_store_explicit(l, 0, memory_order_release);
}}
)",
                        t);
  }
  const Explored before = explored(body, kAsBefore);
  EXPECT_EQ(before.executions, 576u);
  EXPECT_EQ(before.blocked, 540u);
  const Explored after = explored(body, kBoth);
  EXPECT_EQ(after.executions, 576u);
  EXPECT_EQ(after.blocked, 0u);
}

// A thread that waits for ever is still there.
TEST(BlockedExecutions, WhatWaitsForEverIsStillBlocked) {
  const std::string never =
      "{ x=0; }\nP0(atomic_int* x) { int r; do { r = atomic_load_explicit(x, memory_order_relaxed); } while (r != 7); }\n"
      "P1(atomic_int* x) { int a = atomic_fetch_add_explicit(x, 1, memory_order_relaxed); }\n";
  const Explored after = explored(never, kBoth);
  EXPECT_EQ(after.executions, 0u);
  EXPECT_EQ(after.blocked, 1u);
}

}  // namespace
}  // namespace heddle::explore
