// Concurrent programs with other options, and natively, on fixed seeds; and that a difference is noticed.
#include "native_outcomes.h"

#include <gtest/gtest.h>

namespace heddle::oracle {
namespace {

constexpr std::uint64_t firstSeed = 20261115;

class OutcomeShard : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(OutcomeShard, OptionsDoNotChangeOutcomesOfC) {
  OptionsFuzzer<RandomProgram> fuzzer(Language::c);
  const auto failure = fuzzer.runSeeds(firstSeed + GetParam() * 1000, 20);
  ASSERT_FALSE(failure.has_value()) << toString(*failure);
  EXPECT_GT(fuzzer.counts().branching, fuzzer.counts().programs / 2);
}

TEST_P(OutcomeShard, OptionsDoNotChangeOutcomesOfCpp) {
  OptionsFuzzer<RandomProgram> fuzzer(Language::cpp);
  const auto failure = fuzzer.runSeeds(firstSeed + GetParam() * 1000 + 500, 8);
  ASSERT_FALSE(failure.has_value()) << toString(*failure);
}

TEST_P(OutcomeShard, OptionsDoNotChangeOutcomesOfThreads) {
  OptionsFuzzer<ThreadedProgram> fuzzer(Language::c);
  const auto failure = fuzzer.runSeeds(firstSeed + GetParam() * 1000, 24);
  ASSERT_FALSE(failure.has_value()) << toString(*failure);
  EXPECT_GT(fuzzer.counts().branching, fuzzer.counts().programs / 3);
}

TEST_P(OutcomeShard, NativeOutcomesAreThoseOfTso) {
  HostFuzzer fuzzer(Language::c);
  const auto failure = fuzzer.runSeeds(firstSeed + GetParam() * 1000, 12);
  ASSERT_FALSE(failure.has_value()) << toString(*failure);
  EXPECT_GT(fuzzer.counts().programs, 3u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, OutcomeShard, ::testing::Range<std::uint64_t>(0, 2));

// One option loses an outcome.
TEST(OptionsFuzzer, NoticesAMissingOutcome) {
  const auto wrong = [](const CheckedFile& file, std::size_t program, const OutcomeVariant& variant) {
    CheckedOutcomes found = exploreOutcomes(file, program, variant);
    if (variant.name == "--unroll 1000" && found.outcomes.size() > 1) found.outcomes.erase(found.outcomes.begin());
    return found;
  };
  OptionsFuzzer<RandomProgram> fuzzer(Language::c, "relaxed", "", wrong);
  const auto failure = fuzzer.runSeeds(1, 5);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->variant, "--unroll 1000");
  EXPECT_EQ(failure->missing.size(), 1u) << toString(*failure);
  EXPECT_TRUE(failure->extra.empty()) << toString(*failure);
  EXPECT_LE(failure->program.threads.size(), 2u) << toString(*failure);
}

TEST(OptionsFuzzer, NoticesAnInventedRace) {
  const auto wrong = [](const CheckedFile& file, std::size_t program, const OutcomeVariant& variant) {
    CheckedOutcomes found = exploreOutcomes(file, program, variant);
    if (variant.mixed) found.race = true;
    return found;
  };
  const auto failure = OptionsFuzzer<RandomProgram>(Language::cpp, "relaxed", "", wrong).runSeeds(1, 2);
  ASSERT_TRUE(failure.has_value());
  EXPECT_FALSE(failure->note.empty());
}

TEST(OptionsFuzzer, NoticesAnExecutionThatComesTwice) {
  const auto wrong = [](const CheckedFile& file, std::size_t program, const OutcomeVariant& variant) {
    CheckedOutcomes found = exploreOutcomes(file, program, variant);
    found.executions += variant.run.parts != 0 ? 1 : 0;
    return found;
  };
  const auto failure = OptionsFuzzer<RandomProgram>(Language::cpp, "relaxed", "", wrong).runSeeds(1, 2);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->variant, "-j 2");
}

// What this machine does is not sequentially consistent, but is it seen? A model with no outcomes at all would be noticed.
TEST(HostFuzzer, NoticesAnOutcomeThatIsNotAllowed) {
  const RandomProgram program = withoutPlain(forNative(randomProgram(1, "relaxed")));
  const std::string text = toOutcomes({&program, 1}, Language::c);
  const TemporaryFolder folder;
  const std::string executable = HostCompiler(Language::c).compile(text, {"-DHOST"}, folder);
  ASSERT_FALSE(executable.empty());
  const auto output = outputOf(executable, {"0", "5"});
  ASSERT_TRUE(output.has_value());
  CheckedOutcomes none;
  EXPECT_FALSE(unexplained(*output, none).empty());
}

}  // namespace
}  // namespace heddle::oracle
