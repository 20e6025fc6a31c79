// Sequential programs natively and checked, on fixed seeds; and that a difference is noticed and made small.
#include "native_sequential.h"

#include <gtest/gtest.h>

#include "shrink_lines.h"

namespace heddle::oracle {
namespace {

constexpr std::uint64_t firstSeed = 20261101;

class SequentialShard : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(SequentialShard, CComputesWhatItComputesNatively) {
  SequentialFuzzer fuzzer(Language::c);
  const auto failure = fuzzer.runSeeds(firstSeed + GetParam() * 1000, 30);
  ASSERT_FALSE(failure.has_value()) << toString(*failure);
  EXPECT_LT(fuzzer.counts().skipped, 4u);
}

TEST_P(SequentialShard, CppComputesWhatItComputesNatively) {
  SequentialFuzzer fuzzer(Language::cpp);
  const auto failure = fuzzer.runSeeds(firstSeed + GetParam() * 1000, 12);
  ASSERT_FALSE(failure.has_value()) << toString(*failure);
  EXPECT_LT(fuzzer.counts().skipped, 2u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SequentialShard, ::testing::Range<std::uint64_t>(0, 2));

std::vector<std::string> zeros(std::span<const SequentialProgram> programs) {
  return std::vector<std::string>(programs.size() * SequentialFuzzer::inputs, "0");
}

// The expected checksums are wrong.
TEST(SequentialFuzzer, NoticesAWrongChecksum) {
  for (const Language language : {Language::c, Language::cpp}) {
    SequentialFuzzer fuzzer(language, [](auto programs) { return zeros(programs); });
    const auto failure = fuzzer.runSeeds(1, 1);
    ASSERT_TRUE(failure.has_value());
    EXPECT_TRUE(failure->note.starts_with("assertion")) << failure->note;
    EXPECT_TRUE(failure->program.body.empty()) << toString(*failure);
  }
}

// Natively something else happens than when the program is checked, in one line of many.
TEST(SequentialFuzzer, FindsTheLineThatDiffers) {
  SequentialProgram program = randomSequential(3, Language::c);
  program.body.push_back({"if (x0 != 1)", {{"MIX(sizeof(int));"}, {"MIX(NATIVELY);"}}, "}"});
  const HostCompiler compiler(Language::c);
  const auto differs = [&](const SequentialProgram& candidate) {
    const std::string text = toFile({&candidate, 1}, Language::c);
    const auto one = compiler.run(text, {"-DHOST", "-DNATIVELY=1"}, {"1"}),
               other = compiler.run(text, {"-DHOST", "-DNATIVELY=2"}, {"1"});
    return one && other && *one != *other;
  };
  ASSERT_TRUE(differs(program));
  const SequentialProgram small = shrink(program, differs);
  EXPECT_TRUE(small.globals.empty());
  ASSERT_EQ(small.body.size(), 1u);
  EXPECT_EQ(small.body[0].text, "MIX(NATIVELY);");
}

// No compiler's choice and no undefined behaviour: the checksums do not depend on how the program is compiled.
TEST(SequentialProgram, IsDefined) {
  for (const Language language : {Language::c, Language::cpp}) {
    std::vector<SequentialProgram> programs;
    for (std::uint64_t seed = 1; seed <= (language == Language::c ? 25 : 8); ++seed)
      programs.push_back(randomSequential(seed, language));
    const std::string text = toFile(programs, language);
    const HostCompiler compiler(language);
    const auto slow = compiler.run(text, {"-DHOST"}, {"3"}), fast = compiler.run(text, {"-DHOST", "-O2"}, {"3"});
    ASSERT_TRUE(slow && fast);
    EXPECT_EQ(*slow, *fast);
    EXPECT_EQ(compiler.complaints(text, {"-DHOST"}, {"3"}), "");
  }
}

}  // namespace
}  // namespace heddle::oracle
