// The explorer on programs through its own interface: what it reports, and what it costs.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "explore/explorer.h"
#include "litmus/test.h"
#include "model/library.h"

namespace heddle {
namespace {

struct Counting final : Observer {
  std::uint64_t executions = 0, errors = 0, races = 0;
  std::uint64_t stopAfter = 0;
  bool execution(const Graph& graph) override {
    graph.checkInvariants();
    return ++executions != stopAfter;
  }
  void race(const Graph&, Race) override { ++races; }
  void error(const Graph&, ThreadId, const Operation&) override { ++errors; }
};

litmus::Test parsed(const std::string& body) { return litmus::parseLitmus("C test\n" + body, "test.litmus"); }

Statistics explored(const std::string& body, const std::string& model, ExploreOptions options = {}) {
  litmus::Test test = parsed(body);
  Counting observer;
  options.races = test.hasPlainAccesses;
  Explorer explorer(*test.program, compile(model::loadModel(model)), options, observer);
  return explorer.run();
}

const std::string kIncrement = "int r = atomic_fetch_add_explicit(x, 1, memory_order_relaxed);";

std::string threads(unsigned count, const std::string& body, const std::string& parameters = "atomic_int* x") {
  std::string text = "{}\n";
  for (unsigned i = 0; i < count; ++i) text += fmt::format("P{}({}) {{ {} }}\n", i, parameters, body);
  return text;
}

TEST(Explorer, StopsWhenTheObserverHasSeenEnough) {
  litmus::Test test = parsed(threads(4, kIncrement));
  Counting observer;
  observer.stopAfter = 5;
  const Statistics statistics = Explorer(*test.program, compile(model::loadModel("sc")), {}, observer).run();
  EXPECT_EQ(statistics.executions, 5u);
  EXPECT_FALSE(statistics.complete);
}

TEST(Explorer, StopsWhenInterrupted) {
  std::atomic<bool> interrupt = true;
  const Statistics statistics = explored(threads(4, kIncrement), "sc", {.interrupt = &interrupt});
  EXPECT_EQ(statistics.executions, 1u);
  EXPECT_FALSE(statistics.complete);
}

// Conflicting read-modify-writes are dropped after one step: no blocked or abandoned graph is ever full.
TEST(Explorer, ReadModifyWritesAreNeverFruitless) {
  std::uint64_t factorial = 1;
  for (unsigned n = 1; n <= 7; ++n) {
    factorial *= n;
    for (const char* model : {"sc", "tso", "pso", "ra", "rc11", "mca", "mca-rr"}) {
      const Statistics statistics = explored(threads(n, kIncrement), model);
      EXPECT_EQ(statistics.executions, factorial) << model;
      EXPECT_EQ(statistics.blocked, 0u) << model;
      EXPECT_TRUE(statistics.complete);
    }
  }
}

TEST(Explorer, ContentionForALockBlocksNothing) {
  std::uint64_t factorial = 1;
  for (unsigned n = 1; n <= 6; ++n) {
    factorial *= n;
    for (const Equivalence equivalence : {Equivalence::co, Equivalence::rf}) {
      const Statistics statistics =
          explored(threads(n, "lock(m); unlock(m);", "mutex* m"), "rc11", {.equivalence = equivalence});
      EXPECT_EQ(statistics.executions, factorial);
      EXPECT_EQ(statistics.blocked, 0u);
    }
  }
}

TEST(Explorer, DeadlocksAreBlockedExecutions) {
  const Statistics statistics = explored(
      "{}\nP0(mutex* m, mutex* n) { lock(m); lock(n); unlock(n); unlock(m); }\n"
      "P1(mutex* m, mutex* n) { lock(n); lock(m); unlock(m); unlock(n); }\n",
      "sc");
  EXPECT_EQ(statistics.executions, 2u);
  EXPECT_EQ(statistics.blocked, 1u);
}

// The holder never releases; whoever comes first blocks the other.
TEST(Explorer, AWaitingLockMayHaveComeFirst) {
  const Statistics statistics = explored("{}\nP0(mutex* m) { lock(m); }\nP1(mutex* m) { lock(m); unlock(m); }\n", "sc");
  EXPECT_EQ(statistics.executions, 1u);
  EXPECT_EQ(statistics.blocked, 1u);
}

TEST(Explorer, OnlyTheHolderMayUnlock) {
  EXPECT_THROW(explored("{}\nP0(mutex* m) { unlock(m); }\n", "sc"), ProgramError);
  EXPECT_THROW(explored("{}\nP0(mutex* m) { lock(m); unlock(m); }\nP1(mutex* m) { unlock(m); }\n", "sc"), ProgramError);
}

TEST(Explorer, WeakCompareExchangeFailsSpuriously) {
  const std::string body =
      "{}\nP0(atomic_int* x) { int e = 0; "
      "int r = atomic_compare_exchange_weak_explicit(x, &e, 1, memory_order_relaxed, memory_order_relaxed); }\n";
  EXPECT_EQ(explored(body, "rc11").executions, 2u);
  EXPECT_EQ(explored(body, "rc11", {.spurious = false}).executions, 1u);
}

TEST(Explorer, ChoicesAreAllExplored) {
  EXPECT_EQ(explored("{}\nP0(atomic_int* x) { int a = choose(3); int b = choose(a + 1); }\n", "sc").executions, 6u);
}

TEST(Explorer, FailedAssertionsAreCounted) {
  const Statistics statistics = explored(
      "{}\nP0(atomic_int* x) { atomic_store_explicit(x, 1, memory_order_relaxed); }\n"
      "P1(atomic_int* x) { int r = atomic_load_explicit(x, memory_order_relaxed); assert(r == 0); }\n",
      "rc11");
  EXPECT_EQ(statistics.executions, 2u);
  EXPECT_EQ(statistics.errors, 1u);
}

TEST(Explorer, MixedSizesAreRefused) {
  EXPECT_THROW(explored("{}\nP0(atomic_int* x) { int r = atomic_load_explicit(x, memory_order_relaxed); }\n"
                        "P1(atomic_long* x) { atomic_store_explicit(x, 1, memory_order_relaxed); }\n",
                        "rc11"),
               ProgramError);
}

// Memory depends on the size of an execution, not on how many there are.
TEST(Explorer, MemoryDoesNotGrowWithTheNumberOfExecutions) {
  const auto peak = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  explored(threads(6, kIncrement), "rc11");
  [[maybe_unused]] const long before = peak();
  EXPECT_EQ(explored(threads(8, kIncrement), "rc11").executions, 40320u);
#ifndef __SANITIZE_ADDRESS__  // which keeps memory of its own
  EXPECT_LT(peak() - before, 512);  // kilobytes; the graph has 16 events instead of 12
#endif
}

}  // namespace
}  // namespace heddle
