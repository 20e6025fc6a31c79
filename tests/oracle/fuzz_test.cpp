// The fuzzer on fixed seeds, in shards that ctest can run side by side: small programs against the oracle, large ones
// against the explorer itself; programs that were wrong once; and a test of the fuzzer itself, which must notice an
// explorer that loses, invents or repeats an execution.
#include "fuzz.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "graph/graph.h"
#include "litmus/test.h"
#include "model/library.h"
#include "oracle.h"
#include "random_program.h"
#include "self_check.h"
#include "shrink.h"
#include "watched_program.h"

namespace heddle::oracle {
namespace {

constexpr std::uint64_t firstSeed = 20260101;
constexpr std::size_t shards = 10;
constexpr std::size_t programsInShard = 1000;

class FuzzShard : public ::testing::TestWithParam<std::size_t> {};

TEST_P(FuzzShard, ExplorerAgreesWithOracle) {
  Fuzzer fuzzer(loadModels(allModelNames()));
  std::uint64_t seed = firstSeed + GetParam() * 1000000;
  while (fuzzer.counts().programs < programsInShard) {
    const auto failure = fuzzer.runSeed(seed++);
    ASSERT_FALSE(failure.has_value()) << toString(*failure);
  }
  EXPECT_GT(fuzzer.counts().branching, programsInShard / 2);
  EXPECT_LT(fuzzer.counts().skipped, programsInShard / 10);
}

INSTANTIATE_TEST_SUITE_P(Seeds, FuzzShard, ::testing::Range<std::size_t>(0, shards));

// What the explorer treats in its own way: locks and attempts at them (explore/lock.cpp), awaits that are overtaken
// (explore/overtaken_await.cpp), and confirmations (explore/confirmation.cpp).
class FuzzProfile : public ::testing::TestWithParam<std::string> {};

TEST_P(FuzzProfile, ExplorerAgreesWithOracle) {
  constexpr std::size_t programs = 600;
  Fuzzer fuzzer(loadModels(allModelNames()), exploreKeys, allEquivalences(), GetParam());
  for (std::uint64_t seed = firstSeed; fuzzer.counts().programs < programs; ++seed) {
    const auto failure = fuzzer.runSeed(seed);
    ASSERT_FALSE(failure.has_value()) << toString(*failure);
  }
  EXPECT_GT(fuzzer.counts().branching, programs / 3);
  EXPECT_LT(fuzzer.counts().skipped, programs / 10);
}

std::string profileTestName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, ' ', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Awaits, FuzzProfile, ::testing::Values("confirming", "overtaking", "confirming and looking"),
                         profileTestName);
INSTANTIATE_TEST_SUITE_P(Locks, FuzzProfile,
                         ::testing::Values("locks", "two mutexes", "locks and threads", "trylocks", "trylocks of two",
                                           "trylocks and threads", "readers", "readers of two", "attempts to read"),
                         profileTestName);

constexpr std::size_t largeShards = 6;
constexpr std::size_t largePrograms = 100;

class LargeShard : public ::testing::TestWithParam<std::size_t> {};

TEST_P(LargeShard, ExplorerAgreesWithItself) {
  SelfCheck check({.modelFiles = HEDDLE_MODELS_DIR, .limit = 3000});
  std::uint64_t seed = firstSeed + GetParam() * 1000000;
  for (std::size_t i = 0; i < largePrograms; ++i) {
    const auto failure = check.runSeed(seed++);
    ASSERT_FALSE(failure.has_value()) << toString(*failure);
  }
  EXPECT_GT(check.counts().branching, largePrograms / 2);
  EXPECT_LT(check.counts().skipped, largePrograms * allModelNames().size() / 4);
}

INSTANTIATE_TEST_SUITE_P(Seeds, LargeShard, ::testing::Range<std::size_t>(0, largeShards));

// Programs that few seeds would find, each because of a mistake that was made once.
constexpr std::array<const char*, 3> knownPrograms = {
    // The update of P2 that reads the initial value comes into the graph by a revisit, and races with the plain read.
    R"(C race-of-revisiting-update
{ x=0; y=0; }
P0(int* x, atomic_int* y) {
  spawn(P2);
  int r0 = *x;
  atomic_store_explicit(y, 1, memory_order_relaxed);
  spawn(P1);
}
P1(atomic_int* x) {
  int r0 = atomic_fetch_add_explicit(x, 1, memory_order_acq_rel);
}
P2(atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  if (r0 == 1) {
    int r1 = atomic_fetch_add_explicit(x, 1, memory_order_acq_rel);
  }
}
exists (1:r0=0)
)",
    // Thread 1 has run when its spawn is taken back to make another choice; nothing of it may stay.
    R"(C spawn-after-choice
{ x=0; }
P0(atomic_int* x) {
  int r0 = choose(2);
  int r1 = 0;
  if (r0 == 0) spawn(P1);
  r1 = atomic_load_explicit(x, memory_order_relaxed);
}
P1(atomic_int* x) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
}
exists (0:r1=1)
)",
    // The same when the update of P1 revisits the read of P0 and so deletes the spawn.
    R"(C spawn-after-revisited-read
{ x=0; }
P0(atomic_int* x) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  if (r0 == 0) spawn(P2);
}
P1(atomic_int* x) {
  int r0 = atomic_exchange_explicit(x, 2, memory_order_relaxed);
}
P2(atomic_int* x) {
  atomic_store_explicit(x, 3, memory_order_relaxed);
}
exists (0:r0=0)
)",
};

TEST(KnownPrograms, ExplorerAgreesWithOracle) {
  const auto models = loadModels(allModelNames());
  for (const char* text : knownPrograms) {
    const auto test = litmus::parseLitmus(text, "known.litmus");
    for (const NamedModel& model : models) {
      const OracleResult expected = runOracle(*test.program, {&model.model}, 100000)[0];
      for (const std::string equivalence : {"co", "rf"}) {
        SCOPED_TRACE(model.name + ", " + equivalence + "\n" + text);
        test.program->reset();
        const ExplorerKeys found = exploreKeys(*test.program, model.name, equivalence);
        const auto& keys = equivalence == "co" ? expected.coKeys : expected.rfKeys;
        EXPECT_EQ(std::multiset<std::string>(found.keys.begin(), found.keys.end()),
                  std::multiset<std::string>(keys.begin(), keys.end()));
        EXPECT_EQ(found.race, expected.race);
      }
    }
  }
}

// What only a native program would notice.
TEST(WatchedProgram, NoticesABrokenContract) {
  const auto test = litmus::parseLitmus(
      "C t {x;} P0(atomic_int* x) { spawn(P1); int r = *x; } P1(atomic_int* x) { *x = 1; } exists (x=1)", "t.litmus");
  const auto watched = [&](WatchedProgram& program, const ExecutionView& graph) -> WatchedProgram& {
    program.reset();
    program.watch(graph);
    return program;
  };
  Graph graph(2, 0, false);
  WatchedProgram ahead(*test.program), started(*test.program), marks(*test.program), right(*test.program);
  watched(ahead, graph).advance(0);
  ahead.resume(0, {});
  EXPECT_THROW(ahead.advance(0), BrokenContract);  // the graph has no event
  watched(started, graph);
  const Mark start = started.mark(1);
  EXPECT_THROW(started.advance(1), BrokenContract);
  started.rewind(1, start);
  EXPECT_NO_THROW(started.advance(0));
  watched(marks, graph).mark(0);
  EXPECT_THROW(marks.rewind(1, 0), BrokenContract);
  marks.release(0);
  EXPECT_THROW(marks.rewind(0, 0), BrokenContract);
  watched(right, graph);
  const Operation spawn = right.advance(0);
  graph.operation(graph.append(0, heddle::EventKind::thread, 0)) = spawn;
  right.resume(0, {});
  EXPECT_EQ(right.advance(0).kind, OperationKind::load);
  graph.removeNewest();
  EXPECT_THROW(right.advance(0), BrokenContract);
}

// An explorer that is right: it asks the oracle.
ExplorerKeys askOracle(Program& program, const std::string& model, const std::string& equivalence) {
  const auto loaded = loadModels({model});
  const OracleResult result = runOracle(program, {&loaded[0].model}, 100000)[0];
  const auto& keys = equivalence == "rf" ? result.rfKeys : result.coKeys;
  ExplorerKeys found;
  found.race = result.race;
  for (const std::string& key : keys) found.keys.insert(found.keys.end(), result.multiplicity(key), key);
  return found;
}

std::optional<FuzzFailure> firstFailure(const KeyExplorer& explorer, const std::vector<std::string>& models,
                                        std::uint64_t seeds) {
  Fuzzer fuzzer(loadModels(models), explorer);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    if (auto failure = fuzzer.runSeed(seed)) return failure;
  }
  return std::nullopt;
}

std::size_t statements(const RandomProgram& program) {
  std::size_t count = 0;
  for (const Block& thread : program.threads) count += thread.size();
  return count;
}

TEST(Fuzzer, AcceptsARightExplorer) { EXPECT_FALSE(firstFailure(askOracle, {"sc", "rc20"}, 100).has_value()); }

TEST(Fuzzer, NoticesALostExecution) {
  const auto loseWeakOnes = [](Program& program, const std::string&, const std::string& equivalence) {
    return askOracle(program, "sc", equivalence);
  };
  const auto failure = firstFailure(loseWeakOnes, {"tso"}, 1000);
  ASSERT_TRUE(failure.has_value());
  EXPECT_FALSE(failure->difference.missing.empty());
  EXPECT_TRUE(failure->difference.extra.empty());
  // The least programs on which tso and sc differ are store buffering, R, and what these are in three threads.
  EXPECT_LE(failure->program.threads.size(), 3u) << toString(*failure);
  EXPECT_LE(statements(failure->program), 5u) << toString(*failure);
}

TEST(Fuzzer, NoticesAnExecutionTooMany) {
  const auto allowWeakOnes = [](Program& program, const std::string&, const std::string& equivalence) {
    return askOracle(program, "rc20", equivalence);
  };
  const auto failure = firstFailure(allowWeakOnes, {"ra"}, 1000);
  ASSERT_TRUE(failure.has_value());
  EXPECT_FALSE(failure->difference.extra.empty());
}

TEST(Fuzzer, NoticesADuplicate) {
  const auto repeatLast = [](Program& program, const std::string& model, const std::string& equivalence) {
    ExplorerKeys found = askOracle(program, model, equivalence);
    if (found.keys.size() > 2) found.keys.push_back(found.keys.back());
    return found;
  };
  const auto failure = firstFailure(repeatLast, {"rc20"}, 100);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->difference.repeated.size(), 1u);
  EXPECT_TRUE(failure->difference.missing.empty());
}

TEST(Fuzzer, NoticesAMissedRaceAndAnException) {
  const auto blind = [](Program& program, const std::string& model, const std::string& equivalence) {
    ExplorerKeys found = askOracle(program, model, equivalence);
    found.race = false;
    return found;
  };
  const auto missed = firstFailure(blind, {"rc20"}, 1000);
  ASSERT_TRUE(missed.has_value());
  EXPECT_NE(missed->difference.note.find("race"), std::string::npos);
  EXPECT_LE(statements(missed->program), 2u);

  const auto broken = [](Program&, const std::string&, const std::string&) -> ExplorerKeys {
    throw std::runtime_error("out of order");
  };
  const auto failed = firstFailure(broken, {"rc20"}, 10);
  ASSERT_TRUE(failed.has_value());
  EXPECT_NE(failed->difference.note.find("out of order"), std::string::npos);
}

std::optional<FuzzFailure> firstLargeFailure(const ModelExplorer& explorer, const std::vector<std::string>& models) {
  SelfCheck check({.models = models, .limit = 300}, explorer);
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    if (auto failure = check.runSeed(seed)) return failure;
  }
  return std::nullopt;
}

// Each of these explorers is wrong in one of the ways that SelfCheck looks for.
TEST(SelfCheck, NoticesEveryKindOfDifference) {
  using Broken = std::function<void(const model::CompiledModel&, const KeyOptions&, ExplorerKeys&)>;
  const auto lose = [](ExplorerKeys& found) {
    if (found.keys.size() > 3) found.keys.pop_back();
  };
  const std::vector<std::pair<std::string, Broken>> explorers = {
      {"comes twice", [](const auto&, const auto&, auto& found) { found.keys.push_back(found.keys.front()); }},
      {"rf equivalence",
       [&](const auto&, const auto& options, auto& found) {
         if (options.equivalence == "rf" && !options.everyCoherence && !options.everyEnd) lose(found);
       }},
      {"coherence orders",
       [&](const auto&, const auto& options, auto& found) { options.everyCoherence ? lose(found) : void(); }},
      {"last writes", [&](const auto&, const auto& options, auto& found) { options.everyEnd ? lose(found) : void(); }},
      {"interpreted model", [&](const auto& model, const auto&, auto& found) { model.builtin ? void() : lose(found); }},
      {"order of the threads",
       [&](const auto&, const auto& options, auto& found) { options.names.empty() ? void() : lose(found); }},
  };
  for (const auto& [what, breakIt] : explorers) {
    const auto failure = firstLargeFailure(
        [&](Program& program, const model::CompiledModel& model, const KeyOptions& options) {
          ExplorerKeys found = exploreWith(program, model, options);
          breakIt(model, options, found);
          return found;
        },
        {"ra"});
    ASSERT_TRUE(failure.has_value()) << what;
    EXPECT_NE(failure->difference.check.find(what), std::string::npos) << toString(*failure);
    EXPECT_LE(failure->program.threads.size(), 3u) << toString(*failure);
  }
}

TEST(SelfCheck, NoticesAnExecutionThatAWeakerModelLoses) {
  const model::CompiledModel sc = compile(model::loadModel("sc"));
  const auto strengthened = [&](Program& program, const model::CompiledModel& model, const KeyOptions& options) {
    return exploreWith(program, model.name == "pso" ? sc : model, options);
  };
  const auto failure = firstLargeFailure(strengthened, {"sc", "tso", "pso"});
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->difference.check, "An execution of tso is not one of pso");
  EXPECT_FALSE(failure->difference.missing.empty());
}

TEST(RandomProgram, RenumberedThreads) {
  const RandomProgram program = randomProgram(1);
  std::vector<unsigned> names;
  for (unsigned t = 0; t < program.threads.size(); ++t) names.push_back(t);
  EXPECT_EQ(toLitmus(renumberThreads(program, names), "a"), toLitmus(program, "a"));
}

TEST(RandomProgram, SameSeedSameProgram) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    EXPECT_EQ(toLitmus(randomProgram(seed), "a"), toLitmus(randomProgram(seed), "a"));
  }
  EXPECT_NE(toLitmus(randomProgram(1), "a"), toLitmus(randomProgram(2), "a"));
}

// Every feature the generator can print does appear within a few hundred seeds.
TEST(RandomProgram, CoversTheDialect) {
  std::string all;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) all += toLitmus(randomProgram(seed), "a");
  for (const char* text : {"atomic_load_explicit",
                           "atomic_store_explicit",
                           "atomic_fetch_add",
                           "atomic_fetch_sub",
                           "atomic_fetch_or",
                           "atomic_fetch_xor",
                           "atomic_fetch_and",
                           "atomic_exchange",
                           "compare_exchange_weak",
                           "compare_exchange_strong",
                           "atomic_thread_fence",
                           "assume(",
                           "choose(2)",
                           "assert(",
                           "lock(m)",
                           "unlock(m)",
                           " = trylock(m);",
                           "lock(n)",
                           ") unlock(",
                           "atomic_char* ",
                           "atomic_short* ",
                           "atomic_long* ",
                           "r0 + r1",
                           "spawn(P",
                           "join(P",
                           "} else {",
                           "int* z",
                           "memory_order_acquire",
                           "memory_order_release",
                           "memory_order_acq_rel",
                           "memory_order_seq_cst",
                           "} while (!(r",
                           "P3("}) {
    EXPECT_NE(all.find(text), std::string::npos) << text;
  }
}

TEST(Shrink, KeepsOnlyWhatTheFailureNeeds) {
  const auto hasScFence = [](const RandomProgram& program) {
    return toLitmus(program, "a").find("atomic_thread_fence(memory_order_seq_cst)") != std::string::npos;
  };
  std::uint64_t seed = 1;
  while (!hasScFence(randomProgram(seed)) || statements(randomProgram(seed)) < 6) ++seed;
  const RandomProgram small = shrink(randomProgram(seed), hasScFence);
  EXPECT_EQ(small.threads.size(), 1u);
  EXPECT_EQ(statements(small), 1u);
}

}  // namespace
}  // namespace heddle::oracle
