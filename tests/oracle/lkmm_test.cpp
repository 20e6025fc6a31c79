// Random programs in the Linux kernel's dialect: what src/enumerate finds under models/lkmm.cat against the oracle. Executions
// are counted for each final state, so one that is lost, invented or repeated is noticed; so is a data race.
#include <gtest/gtest.h>

#include <algorithm>

#include "enumerate/enumerate.h"
#include "litmus/test.h"
#include "lkmm_oracle.h"
#include "model/library.h"

namespace heddle::oracle {
namespace {

class Counter final : public enumerate::Observer {
 public:
  Counter(const litmus::Test& test, const KernelProgramTable& program) : test_(test), program_(program) {}

  bool isWanted(const enumerate::End&) override { return true; }
  void flag(const std::string& name, const enumerate::End&) override { found.race |= name == "data-race"; }
  bool shouldStop() override { return false; }

  bool execution(const enumerate::End& end) override {
    std::string state;
    const litmus::KernelProgram& kernel = test_.kernel->program();
    for (std::size_t t = 0; t < program_.size(); ++t) {
      const std::vector<std::string>& names = kernel.threads[t].locals;
      for (std::size_t i = 0; i < program_[t].size(); ++i) {
        if (!program_[t][i].reads()) continue;
        const auto slot = std::ranges::find(names, "r" + std::to_string(i)) - names.begin();
        state += std::to_string(static_cast<std::int64_t>(end.runs[t]->registers[static_cast<std::size_t>(slot)])) + ' ';
      }
    }
    for (unsigned l = 0; l < kDataLocations; ++l) {
      for (const litmus::KernelLocation& location : kernel.locations) {
        if (location.name == kLocationNames[l]) state += std::to_string(end.memory.at(location.address)) + ' ';
      }
    }
    ++found.states[state];
    return true;
  }

  KernelOutcome found;

 private:
  const litmus::Test& test_;
  const KernelProgramTable& program_;
};

std::string shown(const KernelOutcome& outcome) {
  std::string text = outcome.race ? "race\n" : "no race\n";
  for (const auto& [state, count] : outcome.states) text += state + ": " + std::to_string(count) + '\n';
  return text;
}

constexpr unsigned kShards = 5, kPrograms = 1000;

class KernelPrograms : public ::testing::TestWithParam<unsigned> {};

TEST_P(KernelPrograms, EnumerationAgreesWithOracle) {
  const model::Model model = model::loadModel("lkmm");
  unsigned compared = 0, races = 0, several = 0, tooLarge = 0;
  std::uint64_t executions = 0;
  for (std::uint64_t seed = 1000000 * (GetParam() + 1); compared < kPrograms; ++seed) {
    const KernelProgramTable program = randomKernelProgram(seed);
    const KernelOutcome expected = kernelOutcome(program);
    if (expected.tooLarge) {
      ++tooLarge;
      continue;
    }
    const std::string text = litmusText(program);
    const litmus::Test test = litmus::parseLitmus(text, "random.litmus", {.dialect = litmus::Dialect::preferKernel});
    Counter counter(test, program);
    const enumerate::Summary summary = enumerate::enumerate(*test.kernel, model, counter, false);
    ASSERT_TRUE(summary.complete);
    ASSERT_TRUE(counter.found.states == expected.states && counter.found.race == expected.race)
        << "seed " << seed << '\n'
        << text << "found\n"
        << shown(counter.found) << "expected\n"
        << shown(expected);
    ++compared;
    races += expected.race;
    several += expected.states.size() > 1;
    for (const auto& [state, count] : expected.states) executions += count;
  }
  RecordProperty("executions", std::to_string(executions));
  EXPECT_GT(races, kPrograms / 20);
  EXPECT_LT(races, kPrograms * 3 / 4);
  EXPECT_GT(several, kPrograms / 2);
  EXPECT_LT(tooLarge, kPrograms / 5);
}

INSTANTIATE_TEST_SUITE_P(Shards, KernelPrograms, ::testing::Range(0U, kShards));

}  // namespace
}  // namespace heddle::oracle
