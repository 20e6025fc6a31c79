// Random programs with dependencies: the explorer for models that know them against the oracle, and the fuzzer with explorers
// that are wrong in a known way. Models without dependencies must not care, so the ordinary explorer gets these programs, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "explore/thread_causality.h"
#include "fuzz.h"
#include "litmus/test.h"
#include "model/cat.h"
#include "model/library.h"
#include "oracle.h"
#include "random_program.h"
#include "shrink.h"

namespace heddle::oracle {
namespace {

constexpr std::uint64_t firstSeed = 20260101;

std::string profileTestName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, ' ', '_');
  return name;
}

class DependentPrograms : public ::testing::TestWithParam<std::string> {};

TEST_P(DependentPrograms, ExplorerAgreesWithOracle) {
  constexpr std::size_t programs = 400;
  Fuzzer fuzzer(loadModels({"sc", "tso", "rc20", "rc11"}), exploreKeys, {"co"}, GetParam());
  for (std::uint64_t seed = firstSeed; fuzzer.counts().programs < programs; ++seed) {
    const auto failure = fuzzer.runSeed(seed);
    ASSERT_FALSE(failure.has_value()) << toString(*failure);
  }
  EXPECT_GT(fuzzer.counts().branching, programs / 3);
  EXPECT_LT(fuzzer.counts().skipped, programs / 10);
}

INSTANTIATE_TEST_SUITE_P(Profiles, DependentPrograms, ::testing::ValuesIn(dependentProfileNames()), profileTestName);

constexpr std::size_t shards = 3;

// A profile, and the number of a shard of its seeds.
class CausalShard : public ::testing::TestWithParam<std::tuple<std::string, std::size_t>> {};

std::string shardTestName(const ::testing::TestParamInfo<std::tuple<std::string, std::size_t>>& info) {
  std::string name = std::get<0>(info.param) + "_" + std::to_string(std::get<1>(info.param));
  std::ranges::replace(name, ' ', '_');
  return name;
}

TEST_P(CausalShard, ExplorerAgreesWithOracle) {
  constexpr std::size_t programs = 400;
  const auto& [profile, shard] = GetParam();
  Fuzzer fuzzer(loadModels(dependentModelNames()), exploreKeys, {"co"}, profile);
  for (std::uint64_t seed = firstSeed + shard * 1000000; fuzzer.counts().programs < programs; ++seed) {
    const auto failure = fuzzer.runSeed(seed);
    ASSERT_FALSE(failure.has_value()) << toString(*failure);
  }
  EXPECT_GT(fuzzer.counts().branching, programs / 3);
  EXPECT_LT(fuzzer.counts().skipped, programs / 10);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CausalShard,
                         ::testing::Combine(::testing::ValuesIn(dependentProfileNames()),
                                            ::testing::Range<std::size_t>(0, shards)),
                         shardTestName);

// mca without what its coherence says of writes after reads of their location.
TEST(CausalOrderOfModel, IsNoticedIfItSaysTooLittle) {
  std::string text;
  for (const model::BuiltinModel& builtin : model::builtinModels()) {
    if (builtin.name == "mca") text = builtin.text;
  }
  for (const std::string part : {"| po-loc ; [W]  (*", "| po-loc ; [W] |"}) {
    const std::size_t at = text.find(part);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, part.size(), part.ends_with("(*") ? "(*" : "|");
  }
  const auto test = litmus::parseLitmus(
      "C t {x; y;} P0(atomic_int* x, atomic_int* y) { int r0 = atomic_load_explicit(x, memory_order_relaxed);"
      " atomic_store_explicit(y, (r0 ^ r0) + 1, memory_order_relaxed); }"
      " P1(atomic_int* x, atomic_int* y) { int r0 = atomic_load_explicit(y, memory_order_relaxed);"
      " int r1 = atomic_load_explicit(x, memory_order_relaxed); atomic_store_explicit(x, 1, memory_order_relaxed); }"
      " P2(atomic_int* y) { atomic_store_explicit(y, 2, memory_order_relaxed); } exists (0:r0=1)",
      "t.litmus");
  const model::CompiledModel model = compile(model::parseCat(text, "mca.cat"));
  try {
    exploreWith(*test.program, model, {});
    FAIL() << "nothing is said of executions that are missed";
  } catch (const LimitError& error) {
    EXPECT_NE(std::string(error.what()).find("after a revisit nothing is left"), std::string::npos) << error.what();
  }
}

class CausalSplit : public ::testing::TestWithParam<std::string> {};

TEST_P(CausalSplit, PartsMakeTheWhole) {
  std::size_t branching = 0;
  for (const std::string& name : dependentModelNames()) {
    const model::CompiledModel model = compile(model::loadModel(name));
    for (std::uint64_t seed = firstSeed; seed < firstSeed + 25; ++seed) {
      const std::string text = toLitmus(randomProgram(seed, GetParam()), "split");
      const auto test = litmus::parseLitmus(text, "split.litmus");
      const ExplorerKeys whole = exploreWith(*test.program, model, {});
      test.program->reset();
      const ExplorerKeys parts = exploreWith(*test.program, model, {.split = seed});
      ASSERT_EQ(whole.keys, parts.keys) << "seed " << seed << ", " << name << '\n' << text;
      branching += whole.keys.size() > 3;
    }
  }
  EXPECT_GT(branching, 10u);
}

INSTANTIATE_TEST_SUITE_P(Profiles, CausalSplit, ::testing::ValuesIn(dependentProfileNames()), profileTestName);

// Where there is no load buffering, reads-from classes are those of the executions.
class WithoutLoadBuffering : public ::testing::TestWithParam<std::string> {};

TEST_P(WithoutLoadBuffering, BothEquivalencesAgree) {
  std::size_t without = 0;
  for (const std::string& name : dependentModelNames()) {
    const model::CompiledModel model = compile(model::loadModel(name));
    for (std::uint64_t seed = firstSeed; seed < firstSeed + 120; ++seed) {
      const std::string text = toLitmus(randomProgram(seed, GetParam()), "equivalences");
      if (text.find("choose(") != std::string::npos) continue;  // choices are not in keys
      const auto test = litmus::parseLitmus(text, "equivalences.litmus");
      std::vector<std::string> classes;
      try {
        classes = exploreWith(*test.program, model, {.equivalence = "rf"}).keys;
      } catch (const explore::LoadBuffering&) {
        continue;
      }
      test.program->reset();
      std::set<std::string> expected;
      for (const std::string& key : exploreWith(*test.program, model, {}).keys) expected.insert(key.substr(0, key.find('|')));
      std::ranges::sort(classes);
      ASSERT_EQ(classes, std::vector<std::string>(expected.begin(), expected.end())) << "seed " << seed << ", " << name << '\n'
                                                                                     << text;
      without += expected.size() > 1;
    }
  }
  EXPECT_GT(without, 20u);
}

INSTANTIATE_TEST_SUITE_P(Profiles, WithoutLoadBuffering, ::testing::ValuesIn(dependentProfileNames()), profileTestName);

// An explorer that is right if nothing is passed over: it asks the oracle.
ExplorerKeys askOracle(Program& program, const std::string& model, bool skipForbidden) {
  const auto loaded = loadModels({model});
  const OracleResult result = runOracle(program, {&loaded[0].model}, 1000000, skipForbidden)[0];
  ExplorerKeys found;
  found.race = result.race;
  for (const std::string& key : result.coKeys) found.keys.insert(found.keys.end(), result.multiplicity(key), key);
  return found;
}

std::optional<FuzzFailure> firstFailure(const KeyExplorer& explorer, const std::string& model, const std::string& profile) {
  Fuzzer fuzzer(loadModels({model}), explorer, {"co"}, profile);
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    if (auto failure = fuzzer.runSeed(seed)) return failure;
  }
  return std::nullopt;
}

std::size_t statements(const RandomProgram& program) {
  std::size_t count = 0;
  for (const Block& thread : program.threads) count += thread.size();
  return count;
}

// Every profile but one has programs with cycles of po | rf, and the smallest are load buffering. Threads that are spawned have few
// accesses beside each other.
TEST(CausalFuzzer, NoticesThatLoadBufferingIsLost) {
  const auto inOrder = [](Program& program, const std::string& model, const std::string&) {
    return askOracle(program, model, true);
  };
  for (const std::string& profile : dependentProfileNames()) {
    if (profile == "dependent threads") continue;
    const auto failure = firstFailure(inOrder, "armv8", profile);
    ASSERT_TRUE(failure.has_value()) << profile;
    EXPECT_FALSE(failure->difference.missing.empty());
    EXPECT_TRUE(failure->difference.extra.empty());
    EXPECT_LE(statements(failure->program), 6u) << toString(*failure);
  }
}

TEST(CausalFuzzer, NoticesAnExecutionTooManyAndADuplicate) {
  const auto tooWeak = [](Program& program, const std::string&, const std::string&) {
    return askOracle(program, "imm", false);
  };
  const auto weak = firstFailure(tooWeak, "armv8", "dependent orders");
  ASSERT_TRUE(weak.has_value());
  EXPECT_FALSE(weak->difference.extra.empty());
  const auto twice = [](Program& program, const std::string& model, const std::string&) {
    ExplorerKeys found = askOracle(program, model, false);
    if (found.keys.size() > 2) found.keys.push_back(found.keys.back());
    return found;
  };
  const auto repeated = firstFailure(twice, "imm", "dependent");
  ASSERT_TRUE(repeated.has_value());
  EXPECT_EQ(repeated->difference.repeated.size(), 1u);
}

TEST(CausalFuzzer, SaysWhatDiffers) {
  const std::string text = "C lb {x; y;} P0(atomic_int* x, atomic_int* y) {"
                           " int r = atomic_load_explicit(x, memory_order_relaxed);"
                           " atomic_store_explicit(y, 1, memory_order_relaxed); } P1(atomic_int* x, atomic_int* y) {"
                           " int r = atomic_load_explicit(y, memory_order_relaxed);"
                           " atomic_store_explicit(x, 1, memory_order_relaxed); } exists (x=1)";
  const auto models = loadModels({"armv8"});
  const auto inOrder = [](Program& program, const std::string& model, const std::string&) {
    return askOracle(program, model, true);
  };
  const std::string said = compareTest(text, models, inOrder, "co");
  EXPECT_TRUE(said.starts_with("armv8: 4 executions, the explorer has 3\nmissing (1):\n")) << said;
}

TEST(DependentRandomProgram, CoversTheDialect) {
  std::string all;
  for (const std::string& profile : dependentProfileNames()) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      const std::string text = toLitmus(randomProgram(seed, profile), "a");
      EXPECT_TRUE(litmus::parseLitmus(text, "a.litmus").program->trackDependencies());
      all += text;
    }
  }
  for (const char* text : {", (r0 ^ r0) + 1, ",
                           ", (r0 & 1), ",
                           ", r0, ",
                           "if ((r0 ^ r0) == 0) {",
                           "if ((r0 & 1) == 1) {",
                           "if (r0 == 1) {",
                           "assume((r",
                           "assert((r",
                           " = (r0 ^ r0); int r",
                           " = r0; int r",
                           "int x[2]; ",
                           "load_explicit(&x[(r0 & 1)], ",
                           "store_explicit(&x[(r0 ^ r0) + 1], ",
                           "atomic_exchange_explicit(&x[",
                           "atomic_fetch_add_explicit(",
                           "compare_exchange_weak_explicit(",
                           "compare_exchange_strong_explicit(&",
                           "atomic_thread_fence(memory_order_acquire)",
                           "atomic_thread_fence(memory_order_release)",
                           "atomic_thread_fence(memory_order_acq_rel)",
                           "atomic_thread_fence(memory_order_seq_cst)",
                           "memory_order_seq_cst",
                           "choose(2)",
                           "spawn(P",
                           "join(P",
                           "lock(m)",
                           " = trylock(m)"}) {
    EXPECT_NE(all.find(text), std::string::npos) << text;
  }
  const auto needsAsking = dependentProfileNames();
  for (std::uint64_t seed = 1; seed <= 600; ++seed) EXPECT_EQ(std::ranges::count(needsAsking, randomProgram(seed).profile), 0);
}

// What does not matter goes: arrays, indices, values of registers.
TEST(DependentShrink, KeepsADependency) {
  const auto depends = [](const RandomProgram& program) {
    const std::string text = toLitmus(program, "a");
    return text.find("atomic_store_explicit") != std::string::npos && text.find(" ^ r") != std::string::npos;
  };
  std::uint64_t seed = 1;
  while (!depends(randomProgram(seed, "dependent addresses"))) ++seed;
  const RandomProgram small = shrink(randomProgram(seed, "dependent addresses"), depends);
  EXPECT_LE(statements(small), 3u) << toLitmus(small, "a");
  const auto load = [](const RandomProgram& program) {
    return toLitmus(program, "a").find("atomic_load_explicit") != std::string::npos;
  };
  const RandomProgram smaller = shrink(small, load);
  EXPECT_NE(toLitmus(smaller, "a").find("atomic_load_explicit(x, memory_order_relaxed)"), std::string::npos)
      << toLitmus(smaller, "a");
}

}  // namespace
}  // namespace heddle::oracle
