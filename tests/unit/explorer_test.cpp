// The explorer on programs through its own interface: what it reports, and what it costs.

#include "explore/explorer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <bit>
#include <functional>
#include <set>

#include "litmus/test.h"
#include "model/library.h"

namespace heddle::explore {
namespace {

struct Counting final : Observer {
  std::uint64_t executions = 0, errors = 0, races = 0;
  std::uint64_t stopAfter = 0;
  bool execution(const ExecutionView& graph) override {
    graph.checkInvariants();
    return ++executions != stopAfter;
  }
  void race(const ExecutionView&, Race) override { ++races; }
  void error(const ExecutionView&, ThreadId, const Operation&) override { ++errors; }
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
    for (const char* model : {"sc", "tso", "pso", "ra", "rc20", "rc11", "c11-orig", "mca-no-lb", "mca-rr"}) {
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
          explored(threads(n, "lock(m); unlock(m);", "mutex* m"), "rc20", {.equivalence = equivalence});
      EXPECT_EQ(statistics.executions, factorial);
      EXPECT_EQ(statistics.blocked, 0u);
    }
  }
}

// The locks and any k of the attempts take the mutex in any order, and each attempt that fails has seen one of them
// hold it.
TEST(Explorer, LocksAndAttemptsTakeEveryTurnOnce) {
  const auto count = [](std::uint64_t locks, std::uint64_t attempts) {
    std::uint64_t total = 0, choices = 1;  // of k attempts
    for (std::uint64_t k = 0; k <= attempts; ++k) {
      std::uint64_t ways = choices;
      for (std::uint64_t i = 2; i <= locks + k; ++i) ways *= i;
      for (std::uint64_t i = k; i < attempts; ++i) ways *= locks + k;
      total += ways;
      choices = choices * (attempts - k) / (k + 1);
    }
    return total;
  };
  const std::string lock = "lock(m); unlock(m);", attempt = "int r = trylock(m); if (r) unlock(m);";
  for (unsigned n = 1; n <= 5; ++n) {
    for (unsigned mask = 0; mask < 1u << n; ++mask) {  // which threads attempt
      std::string text = "{}\n";
      for (unsigned t = 0; t < n; ++t) {
        text += fmt::format("P{}(mutex* m) {{ {} }}\n", t, mask >> t & 1 ? attempt : lock);
      }
      const auto attempts = static_cast<unsigned>(std::popcount(mask));
      for (const Equivalence equivalence : {Equivalence::co, Equivalence::rf}) {
        const Statistics statistics = explored(text, "rc20", {.equivalence = equivalence});
        EXPECT_EQ(statistics.executions, count(n - attempts, attempts)) << text;
        EXPECT_EQ(statistics.blocked, 0u) << text;
      }
    }
  }
}

TEST(Explorer, DeadlocksAreBlockedExecutions) {
  const Statistics statistics = explored("{}\nP0(mutex* m, mutex* n) { lock(m); lock(n); unlock(n); unlock(m); }\n"
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
  EXPECT_EQ(explored("{}\nP0(mutex* m) { trylock(m); unlock(m); }\n", "sc").executions, 1u);
  EXPECT_THROW(explored("{}\nP0(mutex* m) { lock(m); }\nP1(mutex* m) { trylock(m); unlock(m); }\n", "sc"), ProgramError);
}

TEST(Explorer, WeakCompareExchangeFailsSpuriously) {
  const std::string body =
      "{}\nP0(atomic_int* x) { int e = 0; "
      "int r = atomic_compare_exchange_weak_explicit(x, &e, 1, memory_order_relaxed, memory_order_relaxed); }\n";
  EXPECT_EQ(explored(body, "rc20").executions, 2u);
  EXPECT_EQ(explored(body, "rc20", {.spurious = false}).executions, 1u);
}

TEST(Explorer, ChoicesAreAllExplored) {
  EXPECT_EQ(explored("{}\nP0(atomic_int* x) { int a = choose(3); int b = choose(a + 1); }\n", "sc").executions, 6u);
}

TEST(Explorer, FailedAssertionsAreCounted) {
  const Statistics statistics =
      explored("{}\nP0(atomic_int* x) { atomic_store_explicit(x, 1, memory_order_relaxed); }\n"
               "P1(atomic_int* x) { int r = atomic_load_explicit(x, memory_order_relaxed); assert(r == 0); }\n",
               "rc20");
  EXPECT_EQ(statistics.executions, 2u);
  EXPECT_EQ(statistics.errors, 1u);
}

TEST(Explorer, MixedSizesAreRefused) {
  EXPECT_THROW(explored("{}\nP0(atomic_int* x) { int r = atomic_load_explicit(x, memory_order_relaxed); }\n"
                        "P1(atomic_long* x) { atomic_store_explicit(x, 1, memory_order_relaxed); }\n",
                        "rc20"),
               ProgramError);
}

// Programs whose threads are functions from the results so far to the next operation, and whose memory before any event
// is a function of all results: what the native front end does with plain accesses.
struct Scripted final : Program {
  using Results = std::vector<Result>;
  using Script = std::function<Operation(const Results&)>;

  std::vector<Script> scripts;
  std::function<Value(const std::vector<Results>&, Address, unsigned)> initial = [](auto&, auto, auto) { return 0; };
  bool varies = false;
  std::vector<Results> results;
  std::vector<Results> marks;

  explicit Scripted(std::vector<Script> threadScripts) : scripts(std::move(threadScripts)) { reset(); }

  unsigned threadCount() const override { return static_cast<unsigned>(scripts.size()); }
  unsigned initialThreads() const override { return threadCount(); }
  void reset() override {
    results.assign(scripts.size(), {});
    marks.clear();
  }
  Operation advance(ThreadId thread) override { return scripts[thread](results[thread]); }
  void resume(ThreadId thread, Result result) override { results[thread].push_back(result); }
  Mark mark(ThreadId thread) override {
    marks.push_back(results[thread]);
    return static_cast<Mark>(marks.size() - 1);
  }
  void rewind(ThreadId thread, Mark mark) override { results[thread] = marks.at(mark); }
  void release(Mark mark) override { marks.resize(mark); }
  Value initialValue(Address address, unsigned size) const override { return initial(results, address, size); }
  bool initialValuesVary() const override { return varies; }
  std::string locationName(Address address, unsigned) const override { return fmt::format("location {}", address); }
  std::string sourceText(std::uint32_t) const override { return "somewhere"; }
};

Operation load(Address address, unsigned size = 4) { return Operation::load(address, size, Order::relaxed); }
Operation store(Address address, Value value, Order order = Order::relaxed) {
  return Operation::store(address, 4, order, value);
}
const Operation kEnd = Operation::end();
const Operation kError = Operation::error(0);

Scripted::Script inOrder(std::vector<Operation> operations) {
  operations.push_back(kEnd);
  return [operations](const Scripted::Results& results) { return operations[results.size()]; };
}

Statistics explored(Scripted& program, Observer& observer, ExploreOptions options) {
  return Explorer(program, compile(model::loadModel("rc20")), options, observer).run();
}

TEST(Explorer, StopsAtTheFirstErrorIfTold) {
  const auto failAtOne = [](const Scripted::Results& results) {
    return results.empty() ? load(16) : results[0].value == 1 ? kError : kEnd;
  };
  Scripted program({inOrder({store(16, 1)}), failAtOne, failAtOne});
  Counting all, first;
  const Statistics whole = explored(program, all, {});
  EXPECT_EQ(whole.executions, 4u);
  EXPECT_EQ(whole.errors, 3u);
  EXPECT_EQ(all.errors, 4u);  // in one graph both threads fail
  EXPECT_TRUE(whole.complete);
  const Statistics cut = explored(program, first, {.stopAtError = true});
  EXPECT_EQ(cut.errors, 1u);
  EXPECT_EQ(cut.executions, 1u);
  EXPECT_EQ(first.errors, 1u);
  EXPECT_EQ(program.results[2].size(), 0u);  // it was not run any more
  EXPECT_FALSE(cut.complete);
}

TEST(Explorer, StopsAtTheFirstErrorEvenIfNothingHasHappened) {
  Scripted program({[](const auto&) { return kError; }, inOrder({store(16, 1), load(16)})});
  Counting observer;
  const Statistics statistics = explored(program, observer, {.stopAtError = true});
  EXPECT_EQ(statistics.errors, 1u);
  EXPECT_EQ(statistics.added, 0u);
  EXPECT_FALSE(statistics.complete);
}

TEST(Explorer, WithoutAnErrorStoppingAtItChangesNothing) {
  Scripted program({inOrder({store(16, 1)}), inOrder({load(16)})});
  Counting observer;
  const Statistics statistics = explored(program, observer, {.races = true, .stopAtError = true});
  EXPECT_EQ(statistics.executions, 2u);
  EXPECT_EQ(statistics.errors, 0u);
  EXPECT_FALSE(statistics.race);
  EXPECT_TRUE(statistics.complete);
}

TEST(Explorer, StopsAtTheFirstRaceIfTold) {
  Scripted program({inOrder({store(16, 1, Order::plain)}), inOrder({store(16, 2, Order::plain)}), inOrder({load(32)})});
  Counting all, first;
  const Statistics whole = explored(program, all, {.races = true});
  EXPECT_TRUE(whole.race);
  EXPECT_EQ(whole.executions, 2u);
  EXPECT_TRUE(whole.complete);
  const Statistics cut = explored(program, first, {.races = true, .stopAtError = true});
  EXPECT_TRUE(cut.race);
  EXPECT_EQ(first.races, 1u);
  EXPECT_EQ(program.results[2].size(), 0u);
  EXPECT_FALSE(cut.complete);
}

// The values that each thread's loads returned, in every execution.
struct Outcomes final : Observer {
  explicit Outcomes(const Scripted& scripted) : program(scripted) {}
  const Scripted& program;
  std::multiset<std::vector<Value>> seen;
  bool execution(const ExecutionView& graph) override {
    graph.checkInvariants();
    std::vector<Value> values;
    for (unsigned t = 0; t < graph.threads(); ++t) {
      for (EventId id = graph.first(static_cast<ThreadId>(t)); id != kNone; id = graph[id].poNext) {
        if (graph[id].isRead()) values.push_back(graph[id].value);
      }
    }
    seen.insert(values);
    return true;
  }
};

// One of two locations that share bytes, never both in an execution.
TEST(Explorer, LocationsMayOverlapIfOnlyOneHasEvents) {
  const auto script = [](const Scripted::Results& results) -> Operation {
    if (results.empty()) return Operation::choose(3);
    if (results.size() > 1) return kEnd;
    return results[0].value == 0 ? load(16, 8) : results[0].value == 1 ? load(20, 4) : load(18, 2);
  };
  Scripted program({script, [&](const auto& results) { return script(results); }});
  Outcomes outcomes(program);
  EXPECT_THROW(explored(program, outcomes, {}), ProgramError);  // the initial values are fixed: they are one memory

  Scripted single({script});
  Outcomes alone(single);
  single.varies = true;
  single.initial = [](const auto&, Address address, unsigned size) { return 100 * address + size; };
  explored(single, alone, {});
  EXPECT_EQ(alone.seen, (std::multiset<std::vector<Value>>{{1608}, {2004}, {1802}}));
  single.varies = false;
  EXPECT_THROW(explored(single, alone, {}), ProgramError);
}

TEST(Explorer, LocationsMayNotOverlapIfBothHaveEvents) {
  const std::vector<std::pair<Operation, Operation>> overlapping = {
      {load(16, 8), load(16, 4)},  {load(16, 4), load(16, 8)},  {load(20, 4), load(16, 8)}, {load(16, 8), load(20, 4)},
      {load(16, 16), load(31, 1)}, {load(31, 1), load(16, 16)}, {store(16, 1), load(18, 2)}};
  const std::vector<std::pair<Operation, Operation>> apart = {
      {load(16, 8), load(24, 4)}, {load(24, 4), load(16, 8)}, {load(16, 16), load(32, 1)}, {load(15, 1), store(16, 1)}};
  for (const bool varies : {false, true}) {
    for (const auto& [first, second] : overlapping) {
      Scripted program({inOrder({first, second})});
      program.varies = varies;
      Counting observer;
      EXPECT_THROW(explored(program, observer, {}), ProgramError) << first.address << ' ' << second.address;
    }
    for (const auto& [first, second] : apart) {
      Scripted program({inOrder({first, second})});
      program.varies = varies;
      Counting observer;
      EXPECT_EQ(explored(program, observer, {}).executions, 1u);
    }
  }
}

// Thread 0 reads a flag, decides by it what is in location 16 at first, and reads that; thread 1 reads it as well,
// after something that has two outcomes. Thread 2 sets the flag late, so that its write revisits the read of it.
TEST(Explorer, InitialValuesThatVaryComeBackAfterARevisit) {
  constexpr Address kData = 16, kFlag = 32, kOther = 48, kLate = 64;
  for (const bool written : {false, true}) {
    const Operation second = written ? store(kData, 5) : load(kData);
    Scripted program({inOrder({load(kFlag), second}), inOrder({load(kOther), load(kData)}),
                      inOrder({load(kLate), store(kFlag, 1)}), inOrder({store(kOther, 1)})});
    program.varies = true;
    program.initial = [](const std::vector<Scripted::Results>& results, Address address, unsigned) -> Value {
      return address == kData && !results[0].empty() ? 10 + results[0][0].value : 0;
    };
    Outcomes outcomes(program);
    explored(program, outcomes, {});
    std::multiset<std::vector<Value>> expected;
    for (const Value flag : {0, 1}) {
      for (const Value other : {0, 1}) {
        if (written) {
          expected.insert({flag, other, 10 + flag, 0});
          expected.insert({flag, other, 5, 0});
        } else {
          expected.insert({flag, 10 + flag, other, 10 + flag, 0});
        }
      }
    }
    EXPECT_EQ(outcomes.seen, expected) << written;
  }
}

// A thread runs only in a state of the program that belongs to the graph: by then the threads of deleted events have
// all been taken back. Plain memory, which the threads share, needs that.
TEST(Explorer, ThreadsRunOnlyWhenARevisitIsComplete) {
  constexpr Address kMutex = 16;
  const Operation attempt = Operation::tryTake(kMutex, LockOp::hold);
  const Operation lock = Operation::take(kMutex, LockOp::hold);
  const Operation unlock = Operation::unlock(kMutex);
  for (const Equivalence equivalence : {Equivalence::co, Equivalence::rf}) {
    for (unsigned mask = 0; mask < 16; ++mask) {  // which threads attempt
      const Graph* graph = nullptr;
      std::vector<Scripted::Results>* all = nullptr;
      std::uint64_t violations = 0;
      const auto isAhead = [&](ThreadId thread) {  // of the graph
        std::size_t operations = 0;
        for (EventId id = graph->first(thread); id != kNone; id = (*graph)[id].poNext) {
          operations += !((*graph)[id].isWrite() && (*graph)[id].rmw);
        }
        return (*all)[thread].size() > operations;
      };
      std::vector<Scripted::Script> scripts;
      for (unsigned t = 0; t < 4; ++t) {
        scripts.push_back([&, first = mask >> t & 1 ? attempt : lock](const Scripted::Results& results) {
          for (ThreadId other = 0; other < 4; ++other) violations += isAhead(other);
          if (results.empty()) return first;
          return results.size() == 1 && results[0].success ? unlock : kEnd;
        });
      }
      Scripted program(scripts);
      Counting observer;
      Explorer explorer(program, compile(model::loadModel("rc20")), {.equivalence = equivalence}, observer);
      graph = &explorer.graph();
      all = &program.results;
      EXPECT_GE(explorer.run().executions, 24u);
      EXPECT_EQ(violations, 0u) << mask;
    }
  }
}

// Memory depends on the size of an execution, not on how many there are.
TEST(Explorer, MemoryDoesNotGrowWithTheNumberOfExecutions) {
  const auto peak = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  explored(threads(6, kIncrement), "rc20");
  [[maybe_unused]] const long before = peak();
  EXPECT_EQ(explored(threads(8, kIncrement), "rc20").executions, 40320u);
#ifndef __SANITIZE_ADDRESS__        // which keeps memory of its own
  EXPECT_LT(peak() - before, 512);  // kilobytes; the graph has 16 events instead of 12
#endif
}

}  // namespace
}  // namespace heddle::explore
