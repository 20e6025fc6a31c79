// Symmetry against the oracle on fixed seeds, and on programs whose classes can be counted by hand.
#include "explore/symmetry.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "explorer_keys.h"
#include "litmus/test.h"
#include "model/library.h"
#include "symmetry_check.h"

namespace heddle::oracle {
namespace {

constexpr std::uint64_t firstSeed = 20260601;
constexpr std::size_t shards = 4;
constexpr std::size_t programsInShard = 150;

class SymmetryShard : public ::testing::TestWithParam<std::size_t> {};

TEST_P(SymmetryShard, ExplorerHasOneOfEachClass) {
  SymmetryCheck check(loadModels(allModelNames()));
  std::uint64_t seed = firstSeed + GetParam() * 1000000;
  while (check.counts().programs < programsInShard) {
    const auto failure = check.runSeed(seed++);
    ASSERT_FALSE(failure.has_value()) << toString(*failure);
  }
  EXPECT_GT(check.counts().branching, programsInShard / 2);
  EXPECT_LT(check.classes(), check.counts().executions / 2);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SymmetryShard, ::testing::Range<std::size_t>(0, shards));

class SymmetryProfiles : public ::testing::TestWithParam<std::string> {};

TEST_P(SymmetryProfiles, ExplorerHasOneOfEachClass) {
  constexpr std::size_t programs = 40;
  SymmetryCheck check(loadModels(allModelNames()), allEquivalences(), GetParam());
  for (std::uint64_t seed = firstSeed; check.counts().programs < programs; ++seed) {
    const auto failure = check.runSeed(seed);
    ASSERT_FALSE(failure.has_value()) << toString(*failure);
  }
}

std::string profileTestName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, ' ', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Profiles, SymmetryProfiles,
                         ::testing::Values("rmw on one location", "locks", "two mutexes", "trylocks", "readers",
                                           "attempts to read", "waiting", "writes to one location"),
                         profileTestName);

// How many complete executions there are with so many threads that do the same, and other ones before them.
std::size_t executionsOf(const std::string& body, unsigned copies, const std::vector<std::string>& others, bool symmetric,
                         const std::string& equivalence = "co", const std::string& model = "rc11") {
  std::string text = "C t { x=0; y=0; }\n";
  unsigned number = 0;
  const auto add = [&](const std::string& code) {
    text += "P" + std::to_string(number++) + "(atomic_int* x, atomic_int* y) { " + code + " }\n";
  };
  for (const std::string& code : others) add(code);
  for (unsigned i = 0; i < copies; ++i) add(body);
  const auto test = litmus::parseLitmus(text + "exists (x=0)", "t.litmus");
  explore::AlikeThreads alike;
  alike.initial.emplace_back();
  for (unsigned t = static_cast<unsigned>(others.size()); t < number; ++t) alike.initial[0].push_back(static_cast<ThreadId>(t));
  KeyOptions options{.equivalence = equivalence};
  if (symmetric) options.alike = &alike;
  const ExplorerKeys found = exploreWith(*test.program, model::compiledModel(model), options);
  return static_cast<std::size_t>(
      std::ranges::count_if(found.keys, [](const std::string& key) { return !key.starts_with("stuck:"); }));
}

TEST(Symmetry, CountsByHand) {
  const std::string add = "atomic_fetch_add_explicit(x, 1, memory_order_relaxed);";
  const std::string write = "atomic_store_explicit(x, 1, memory_order_relaxed);";
  const std::string read = "int r = atomic_load_explicit(x, memory_order_relaxed);";
  for (const std::string equivalence : {"co", "rf"}) {
    EXPECT_EQ(executionsOf(add, 5, {}, false, equivalence), 120);
    EXPECT_EQ(executionsOf(add, 8, {}, true, equivalence), 1);
    EXPECT_EQ(executionsOf(read, 3, {write}, true, equivalence), 4);  // how many read the write
    EXPECT_EQ(executionsOf(add + add, 2, {}, true, equivalence), 3);  // of 6 interleavings
  }
  EXPECT_EQ(executionsOf(write, 4, {}, true), 1);
  EXPECT_EQ(executionsOf(write, 4, {read}, true), 5);        // which write it reads, or none
  EXPECT_EQ(executionsOf(write, 4, {read}, true, "rf"), 2);  // whether it reads one
}

// Of a test of GenMC: 744 executions, and 124 with symmetry, as published.
TEST(Symmetry, LoopsThatConfirm) {
  const auto loop = [](const std::string& value) {
    return "int r = 0; int ok = 0; do { r = atomic_load_explicit(x, memory_order_seq_cst);"
           "ok = atomic_compare_exchange_strong_explicit(x, &r, " +
           value + ", memory_order_seq_cst, memory_order_seq_cst); } while (ok == 0);";
  };
  const std::string once =
      "int e = 42; int ok = atomic_compare_exchange_strong_explicit(x, &e, 0, memory_order_seq_cst, memory_order_seq_cst);";
  for (const std::string equivalence : {"live", "rf"}) {
    EXPECT_EQ(executionsOf(loop("42"), 3, {once, loop("0")}, false, equivalence), 744);
    EXPECT_EQ(executionsOf(loop("42"), 3, {once, loop("0")}, true, equivalence), 124);
  }
}

TEST(Symmetry, NamesAreExchangedInKeys) {
  EXPECT_EQ(exchanged("0[W16=1]1[R16=1<0.1]2[R16=0<i]|16:0.1;", {0, 2, 1}), "0[W16=1]1[R16=0<i]2[R16=1<0.1]|16:0.1;");
  EXPECT_EQ(exchanged("stuck:0[W16=1]1[W16=2]|16:0.1,1.1;", {1, 0}), "stuck:0[W16=2]1[W16=1]|16:1.1,0.1;");
  EXPECT_EQ(classOf("0[W16=1]1[W16=1]|16:1.1,0.1;", 0, 2), "0[W16=1]1[W16=1]|16:0.1,1.1;");
}

}  // namespace
}  // namespace heddle::oracle
