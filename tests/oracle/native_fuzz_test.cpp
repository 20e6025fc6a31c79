// Random programs through `heddle check` on fixed seeds, as C and as C++; and the printing of them.
#include "native_fuzz.h"

#include <gtest/gtest.h>

#include "model/library.h"

namespace heddle::oracle {
namespace {

constexpr std::uint64_t firstSeed = 20260201;

class NativeShard : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(NativeShard, CAgreesWithOracle) {
  constexpr std::size_t files = 4, programsInFile = 25;
  NativeFuzzer fuzzer(loadModels({"sc", "tso", "ra", "rc20", "rc11"}), {});
  for (std::uint64_t file = 0; file < files; ++file) {
    const auto failure = fuzzer.runSeeds(firstSeed + GetParam() * 1000000 + file * 1000, programsInFile);
    ASSERT_FALSE(failure.has_value()) << toString(*failure, Language::c);
  }
  EXPECT_GT(fuzzer.counts().branching, fuzzer.counts().programs / 2);
  EXPECT_LT(fuzzer.counts().skipped, files * programsInFile / 5);
}

TEST_P(NativeShard, RacesAgreeWithOracle) {
  constexpr std::size_t files = 2, programsInFile = 25;
  NativeFuzzer fuzzer(loadModels({"sc", "rc20"}), {.plain = true, .profile = "plain and atomic"});
  for (std::uint64_t file = 0; file < files; ++file) {
    const auto failure = fuzzer.runSeeds(firstSeed + GetParam() * 1000000 + 700000 + file * 1000, programsInFile);
    ASSERT_FALSE(failure.has_value()) << toString(*failure, Language::c);
  }
}

TEST_P(NativeShard, CppAgreesWithOracle) {
  constexpr std::size_t programsInFile = 15;
  NativeFuzzer fuzzer(loadModels({"sc", "rc20"}), {.language = Language::cpp, .plain = true});
  const auto failure = fuzzer.runSeeds(firstSeed + GetParam() * 1000000 + 500000, programsInFile);
  ASSERT_FALSE(failure.has_value()) << toString(*failure, Language::cpp);
  EXPECT_GT(fuzzer.counts().branching, fuzzer.counts().programs / 3);
}

TEST_P(NativeShard, LargeProgramsAgreeWithLitmus) {
  constexpr std::size_t programsInFile = 25;
  NativeFuzzer fuzzer(loadModels({"sc", "rc20"}), {.plain = true, .large = true});
  const auto failure = fuzzer.runSeeds(firstSeed + GetParam() * 1000000 + 900000, programsInFile);
  ASSERT_FALSE(failure.has_value()) << toString(*failure, Language::c);
  EXPECT_LT(fuzzer.counts().skipped, programsInFile / 2);
}

TEST_P(NativeShard, ReadersAgreeWithOracle) {
  constexpr std::size_t programsInFile = 25;
  NativeFuzzer fuzzer(loadModels({"sc", "rc20"}), {.plain = true, .profile = "attempts to read"});
  const auto failure = fuzzer.runSeeds(firstSeed + GetParam() * 1000000 + 300000, programsInFile);
  ASSERT_FALSE(failure.has_value()) << toString(*failure, Language::c);
}

TEST_P(NativeShard, LocksInPartsAgreeWithOracle) {
  constexpr std::size_t programsInFile = 25;
  for (const std::string profile : {"readers", "readers of two"}) {
    NativeFuzzer fuzzer(loadModels({"sc", "rc20"}), {.profile = profile, .partedLocks = true});
    const auto failure = fuzzer.runSeeds(firstSeed + GetParam() * 1000000 + 100000, programsInFile);
    ASSERT_FALSE(failure.has_value()) << toString(*failure, Language::c);
  }
}

// Plain reads after the end of all other threads, and threads that wait for ever: under co, the order of the writes says what
// is read, and whether they do; under rf it does not.
TEST_P(NativeShard, LastWritesAgreeWithOracle) {
  constexpr std::size_t programsInFile = 25;
  for (const std::string profile : {"looking", "waiting and looking", "waiting threads"}) {
    NativeFuzzer fuzzer(loadModels(allModelNames()), {.plain = true, .profile = profile});
    const auto failure = fuzzer.runSeeds(firstSeed + GetParam() * 1000000 + 200000, programsInFile);
    ASSERT_FALSE(failure.has_value()) << toString(*failure, Language::c);
    EXPECT_LT(fuzzer.counts().skipped, programsInFile / 5);
  }
}

// Under models with dependencies, which have load buffering.
TEST_P(NativeShard, DependenciesAgreeWithOracle) {
  constexpr std::size_t programsInFile = 25;
  std::uint64_t seed = firstSeed + GetParam() * 1000000 + 400000;
  for (const std::string& profile : dependentProfileNames()) {
    NativeFuzzer fuzzer(loadModels(dependentModelNames()), {.equivalences = {"co"}, .profile = profile, .dependencies = true});
    const auto failure = fuzzer.runSeeds(seed += 1000, programsInFile);
    ASSERT_FALSE(failure.has_value()) << toString(*failure, Language::c);
    EXPECT_LT(fuzzer.counts().skipped, programsInFile / 4);
  }
}

TEST_P(NativeShard, DependenciesInCppAgreeWithOracle) {
  const std::string profile = dependentProfileNames()[GetParam()];
  NativeFuzzer fuzzer(loadModels(dependentModelNames()),
                      {.language = Language::cpp, .equivalences = {"co"}, .profile = profile, .dependencies = true});
  const auto failure = fuzzer.runSeeds(firstSeed + GetParam() * 1000000 + 600000, 25);
  ASSERT_FALSE(failure.has_value()) << toString(*failure, Language::cpp);
}

INSTANTIATE_TEST_SUITE_P(Seeds, NativeShard, ::testing::Range<std::uint64_t>(0, 4));

// The oracle is told of a model without load buffering.
TEST(NativeFuzzer, NoticesLoadBuffering) {
  NativeFuzzer fuzzer({{"c11-lb", model::loadModel("rc11")}},
                      {.equivalences = {"co"}, .profile = "dependent", .dependencies = true});
  std::optional<FuzzFailure> failure;
  for (std::uint64_t seed = 1; seed < 200 && !failure; seed += 20) failure = fuzzer.runSeeds(seed, 20);
  ASSERT_TRUE(failure.has_value());
  EXPECT_FALSE(failure->difference.extra.empty()) << toString(*failure, Language::c);
}

// The oracle is told of another model than the explorer.
TEST(NativeFuzzer, NoticesADifference) {
  NativeFuzzer fuzzer({{"rc20", model::loadModel("sc")}}, {.equivalences = {"rf"}, .profile = "relaxed"});
  std::optional<FuzzFailure> failure;
  for (std::uint64_t seed = 1; seed < 200 && !failure; seed += 20) failure = fuzzer.runSeeds(seed, 20);
  ASSERT_TRUE(failure.has_value());
  EXPECT_FALSE(failure->difference.extra.empty()) << toString(*failure, Language::c);
  EXPECT_TRUE(failure->difference.missing.empty()) << toString(*failure, Language::c);
  EXPECT_LE(failure->program.threads.size(), 3u) << toString(*failure, Language::c);
}

bool hasRelock(const Block& block, unsigned held) {
  for (const Statement& s : block) {
    const unsigned mutex = 1u << s.mutex;
    const bool takes = s.kind == StatementKind::critical || s.kind == StatementKind::attempt;
    if (takes && (held & mutex) != 0) return true;
    if (hasRelock(s.body, takes ? held | mutex : held) || hasRelock(s.otherwise, held)) return true;
  }
  return false;
}

TEST(PrintC, LeavesOutWhatMeansSomethingElseInC) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const RandomProgram program = withoutPlain(forNative(randomProgram(seed)));
    EXPECT_FALSE(hasPlainAccess(program)) << seed;
    EXPECT_EQ(toLitmus(program, "a").find("atomic_thread_fence(memory_order_relaxed)"), std::string::npos) << seed;
    for (const Block& thread : program.threads) EXPECT_FALSE(hasRelock(thread, 0)) << toLitmus(program, "a");
  }
}

TEST(PrintC, KnowsWhereThreadsStart) {
  std::vector<RandomProgram> programs;
  std::size_t threads = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    programs.push_back(forNative(randomProgram(seed, "spawn and join")));
    threads += programs.back().threads.size();
  }
  EXPECT_EQ(spawnLines(toNative(programs, Language::c)).size(), threads);
  EXPECT_EQ(spawnLines(toNative(programs, Language::cpp)).size(), threads);
}

TEST(PlainEvents, LeaveKeys) {
  const std::vector<std::set<Address>> plain = {{16}, {}, {16, 32}};
  const auto rest = [&](const std::string& key) { return withoutPlainEvents(key, plain); };
  EXPECT_EQ(rest("0[W16=1 R32=0<i F]1[W32=1]|16:0.1;32:1.1;"), "0[R32=0<i F]1[W32=1]|32:1.1;");
  EXPECT_EQ(rest("0[W16=1 W32=2]1[R16=1<0.1 R32=2<0.2]|16:0.1;32:0.2;"), "0[W32=2]1[R16=1<i R32=2<0.1]|32:0.1;");
  EXPECT_EQ(rest("failed:stuck:2[R16=0<i W32=1]"), "failed:stuck:");
  EXPECT_EQ(rest("stuck:1[R16=0<i U16=3 T]|16:1.2;"), "stuck:1[R16=0<i U16=3 T]|16:1.2;");
  EXPECT_EQ(rest("|"), "|");
  EXPECT_EQ(rest(""), "");
}

}  // namespace
}  // namespace heddle::oracle
