// The fuzzer on fixed seeds, in shards that ctest can run side by side; and a test of the fuzzer itself, which must
// notice an explorer that loses, invents or repeats an execution.
#include "fuzz.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "oracle.h"
#include "random_program.h"
#include "shrink.h"

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

// An explorer that is right: it asks the oracle.
ExplorerKeys askOracle(Program& program, const std::string& model, const std::string& equivalence) {
  const auto loaded = loadModels({model});
  const OracleResult result = runOracle(program, {&loaded[0].model}, 100000)[0];
  const auto& keys = equivalence == "co" ? result.coKeys : result.rfKeys;
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

TEST(Fuzzer, AcceptsARightExplorer) {
  EXPECT_FALSE(firstFailure(askOracle, {"sc", "rc11"}, 100).has_value());
}

TEST(Fuzzer, NoticesALostExecution) {
  const auto loseWeakOnes = [](Program& program, const std::string&, const std::string& equivalence) {
    return askOracle(program, "sc", equivalence);
  };
  const auto failure = firstFailure(loseWeakOnes, {"tso"}, 1000);
  ASSERT_TRUE(failure.has_value());
  EXPECT_FALSE(failure->difference.missing.empty());
  EXPECT_TRUE(failure->difference.extra.empty());
  // The least program on which tso and sc differ is store buffering.
  EXPECT_EQ(failure->program.threads.size(), 2u) << toString(*failure);
  EXPECT_EQ(statements(failure->program), 4u) << toString(*failure);
}

TEST(Fuzzer, NoticesAnExecutionTooMany) {
  const auto allowWeakOnes = [](Program& program, const std::string&, const std::string& equivalence) {
    return askOracle(program, "rc11", equivalence);
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
  const auto failure = firstFailure(repeatLast, {"rc11"}, 100);
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
  const auto missed = firstFailure(blind, {"rc11"}, 1000);
  ASSERT_TRUE(missed.has_value());
  EXPECT_NE(missed->difference.note.find("race"), std::string::npos);
  EXPECT_LE(statements(missed->program), 2u);

  const auto broken = [](Program&, const std::string&, const std::string&) -> ExplorerKeys {
    throw std::runtime_error("out of order");
  };
  const auto failed = firstFailure(broken, {"rc11"}, 10);
  ASSERT_TRUE(failed.has_value());
  EXPECT_NE(failed->difference.note.find("out of order"), std::string::npos);
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
                           "lock(m)",
                           "unlock(m)",
                           "spawn(P",
                           "join(P",
                           "} else {",
                           "int* z",
                           "memory_order_acquire",
                           "memory_order_release",
                           "memory_order_acq_rel",
                           "memory_order_seq_cst",
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
