// Random programs, explored as a whole and in parts: the same executions, none twice, and in the same order once the parts
// are put in theirs.
#include "oracle/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "litmus/test.h"
#include "mixed.h"
#include "mixed_explorer.h"
#include "model/library.h"
#include "oracle/fuzz.h"
#include "oracle/random_program.h"

namespace heddle::oracle {

using explore::parseSubtree;
using explore::Subtree;
using explore::toText;

namespace {

constexpr std::uint64_t kFirstSeed = 715000;
constexpr std::size_t kLimit = 400;

std::unique_ptr<litmus::Test> parse(const RandomProgram& program) {
  return std::make_unique<litmus::Test>(litmus::parseLitmus(toLitmus(program, "split"), "split.litmus"));
}

void checkSeed(std::uint64_t seed, const RandomProgram& program, const std::string& modelName, std::size_t& branching) {
  const model::CompiledModel model = compile(model::loadModel(modelName));
  for (const std::string& equivalence : allEquivalences()) {
    const ExplorerKeys whole = exploreWith(*parse(program)->program, model, {.equivalence = equivalence, .limit = kLimit});
    if (!whole.complete) return;
    branching += whole.keys.size() > 3;
    const ExplorerKeys parts = exploreWith(*parse(program)->program, model, {.equivalence = equivalence, .split = seed});
    ASSERT_EQ(whole.keys, parts.keys) << "seed " << seed << ", " << modelName << ", " << equivalence << '\n'
                                      << toLitmus(program, "split");
    ASSERT_EQ(whole.race, parts.race) << "seed " << seed << ", " << modelName << ", " << equivalence << '\n'
                                      << toLitmus(program, "split");
  }
}

class Split : public ::testing::TestWithParam<std::string> {};

TEST_P(Split, PartsMakeTheWhole) {
  std::size_t branching = 0;
  const auto& models = allModelNames();
  for (std::uint64_t i = 0; i < 60; ++i) {
    const std::uint64_t seed = kFirstSeed + i;
    ASSERT_NO_FATAL_FAILURE(checkSeed(seed, randomProgram(seed, GetParam()), models[i % models.size()], branching));
  }
  for (std::uint64_t i = 0; i < 12; ++i) {
    const std::uint64_t seed = kFirstSeed + i;
    ASSERT_NO_FATAL_FAILURE(checkSeed(seed, largeProgram(seed, GetParam()), models[i % models.size()], branching));
  }
  EXPECT_GT(branching, 10u);
}

std::vector<std::string> profiles() {
  std::vector<std::string> names = profileNames();
  const std::vector<std::string> mixed = mixedProfileNames();
  std::erase_if(names, [&](const std::string& name) { return std::ranges::find(mixed, name) != mixed.end(); });
  return names;
}

std::string testName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Profiles, Split, ::testing::ValuesIn(profiles()), testName);

class SplitMixed : public ::testing::TestWithParam<std::string> {};

TEST_P(SplitMixed, PartsMakeTheWhole) {
  std::size_t branching = 0;
  const auto& models = mixedModelNames();
  for (std::uint64_t i = 0; i < 60; ++i) {
    const std::uint64_t seed = kFirstSeed + i;
    const RandomProgram program = randomProgram(seed, GetParam());
    const std::string model = models[i % models.size()];
    const ExplorerKeys whole = exploreMixedKeys(*parse(program)->program, model, "co");
    branching += whole.keys.size() > 3;
    const ExplorerKeys parts = exploreMixedKeysInParts(*parse(program)->program, model, "co", seed);
    ASSERT_EQ(whole.keys, parts.keys) << "seed " << seed << ", " << model << '\n' << toLitmus(program, "split");
    ASSERT_EQ(whole.race, parts.race) << "seed " << seed << ", " << model << '\n' << toLitmus(program, "split");
  }
  EXPECT_GT(branching, 10u);
}

INSTANTIATE_TEST_SUITE_P(Profiles, SplitMixed, ::testing::ValuesIn(mixedProfileNames()), testName);

TEST(SubtreeText, ComesBack) {
  Subtree subtree{.path = {{'e', 0, 0}, {'w', 3, 2}, {'s', 0, 17}}, .base = 1, .digest = 0xfedcba9876543210, .here = true};
  EXPECT_EQ(parseSubtree(toText(subtree)), subtree);
  EXPECT_EQ(parseSubtree(toText({})), Subtree{});
  for (const char* text : {"", "0", "x 1", "0 1 z0", "0 1 e", "2 1 e0", "0 1 e0:", "0 1 e70000"}) {
    EXPECT_THROW(parseSubtree(text), std::invalid_argument) << text;
  }
}

TEST(SubtreeOrder, IsThatOfTheExploration) {
  const auto at = [](std::vector<std::uint32_t> ordinals) {
    Subtree subtree;
    for (const std::uint32_t o : ordinals) subtree.path.push_back({'r', 0, o});
    return subtree;
  };
  const auto isBefore = [](const Subtree& a, const Subtree& b) { return explore::compareStarts(a, b) < 0; };
  EXPECT_TRUE(isBefore({}, at({0})));
  EXPECT_TRUE(isBefore(at({0, 1, 3}), at({0, 1})));  // what comes after a path comes after all below it
  EXPECT_TRUE(isBefore(at({0, 1}), at({0, 2, 0})));
  EXPECT_FALSE(isBefore(at({1}), at({0, 9})));
  EXPECT_FALSE(isBefore(at({1, 2}), at({1, 2})));
}

}  // namespace
}  // namespace heddle::oracle
