// Random programs in the Linux kernel's dialect as C: `heddle check --model lkmm` against the oracle, which knows them as tables.
// Executions are counted for each final state, so one that is lost, invented or repeated is noticed; so is a data race.
#include "native_kernel.h"

#include <gtest/gtest.h>

namespace heddle::oracle {
namespace {

constexpr unsigned kShards = 4, kFiles = 3, kPrograms = 60;  // in a file

class KernelChecks : public ::testing::TestWithParam<unsigned> {};

TEST_P(KernelChecks, AgreeWithOracle) {
  KernelFuzzer fuzzer;
  for (unsigned file = 0; file < kFiles; ++file) {
    const std::uint64_t first = 7000000 * (GetParam() + 1) + file * kPrograms;
    const auto difference = fuzzer.runSeeds(first, kPrograms);
    EXPECT_FALSE(difference) << *difference;
  }
  const std::size_t compared = fuzzer.counts().programs;
  RecordProperty("compared", std::to_string(compared));
  RecordProperty("executions", std::to_string(fuzzer.counts().executions));
  RecordProperty("incomplete", std::to_string(fuzzer.incomplete()));
  EXPECT_GT(compared, kFiles * kPrograms / 4);
  EXPECT_GT(fuzzer.races(), compared / 20);
  EXPECT_GT(fuzzer.counts().branching, compared / 2);
}

INSTANTIATE_TEST_SUITE_P(Shards, KernelChecks, ::testing::Range(0U, kShards));

}  // namespace
}  // namespace heddle::oracle
