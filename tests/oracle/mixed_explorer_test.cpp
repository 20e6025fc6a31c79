// The explorer in its mode for mixed sizes against the oracle: random programs on fixed seeds, in shards that ctest can
// run side by side, and the examples.
#include "mixed_explorer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fuzz.h"
#include "litmus/test.h"
#include "mixed.h"
#include "mixed_examples.h"
#include "random_program.h"

namespace heddle::oracle {
namespace {

constexpr std::uint64_t firstSeed = 20260401;
constexpr std::size_t shardsOfProfile = 2;
constexpr std::size_t programsInShard = 600;

class MixedFuzzShard : public ::testing::TestWithParam<std::tuple<std::string, std::size_t>> {};

TEST_P(MixedFuzzShard, ExplorerAgreesWithOracle) {
  const auto& [profile, shard] = GetParam();
  Fuzzer fuzzer(loadMixedModels(), exploreMixedKeys, {"co"}, profile);
  std::uint64_t seed = firstSeed + shard * 1000000;
  while (fuzzer.counts().programs < programsInShard) {
    const auto failure = fuzzer.runSeed(seed++);
    ASSERT_FALSE(failure.has_value()) << toString(*failure);
  }
  EXPECT_GT(fuzzer.counts().branching, programsInShard / 2);
  EXPECT_LT(fuzzer.counts().skipped, programsInShard / 10);
}

INSTANTIATE_TEST_SUITE_P(Profiles, MixedFuzzShard,
                         ::testing::Combine(::testing::ValuesIn(mixedProfileNames()),
                                            ::testing::Range<std::size_t>(0, shardsOfProfile)),
                         [](const auto& test) {
                           std::string name = std::get<0>(test.param) + "_" + std::to_string(std::get<1>(test.param));
                           std::ranges::replace(name, ' ', '_');
                           return name;
                         });

TEST(MixedExamples, ExplorerAgreesWithOracle) {
  const auto models = loadMixedModels();
  for (const Threads& threads : mixedExamples()) {
    const std::string text = toLitmus(threads);
    const auto test = litmus::parseLitmus(text, "example.litmus");
    for (const NamedModel& model : models) {
      SCOPED_TRACE(model.name + "\n" + text);
      const OracleResult expected = runMixedOracle(*test.program, {&model.model}, 1000000)[0];
      test.program->reset();
      const ExplorerKeys found = exploreMixedKeys(*test.program, model.name, "co");
      EXPECT_EQ(std::multiset<std::string>(found.keys.begin(), found.keys.end()),
                std::multiset<std::string>(expected.coKeys.begin(), expected.coKeys.end()));
    }
  }
}

}  // namespace
}  // namespace heddle::oracle
