// C11 on machines: what a program shows under a machine's model, with its accesses compiled as the model says, RC11 without
// `acyclic (po | rf)` allows. proofs/ has that as theorems; here are programs.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "explorer_keys.h"
#include "litmus/test.h"
#include "model/library.h"
#include "oracle.h"
#include "random_program.h"

namespace heddle::oracle {
namespace {

model::Model rc11WithLoadBuffering() {
  model::Model model = model::loadModel("rc11");
  const auto left = std::erase_if(model.axioms, [](const model::Axiom& axiom) { return axiom.name == "no-load-buffering"; });
  EXPECT_EQ(left, 1u);
  return model;
}

class MappingToMachine : public ::testing::TestWithParam<std::string> {};

TEST_P(MappingToMachine, ShowsNothingThatRc11WithLoadBufferingForbids) {
  const model::Model language = rc11WithLoadBuffering();
  const model::CompiledModel machine = compile(model::loadModel(GetParam()));
  std::size_t compared = 0, stronger = 0;  // programs; those where the machine allows less than the language
  for (const std::string& profile : dependentProfileNames()) {
    for (std::uint64_t seed = 31; seed < 31 + 60; ++seed) {
      const std::string text = toLitmus(randomProgram(seed, profile), "mapping");
      const auto test = litmus::parseLitmus(text, "mapping.litmus");
      OracleResult allowed;
      try {
        allowed = runOracle(*test.program, {&language}, 20000, false)[0];
      } catch (const OracleLimit&) {
        continue;
      }
      test.program->reset();
      const ExplorerKeys shown = exploreWith(*test.program, machine, {});
      for (const std::string& key : shown.keys) {
        ASSERT_TRUE(allowed.coKeys.contains(key)) << "seed " << seed << " of " << profile << ": " << key << '\n' << text;
      }
      ++compared;
      stronger += allowed.coKeys.size() > std::set(shown.keys.begin(), shown.keys.end()).size();
    }
  }
  EXPECT_GT(compared, 300u);
  EXPECT_GT(stronger, 4u);
}

std::string nameOf(const ::testing::TestParamInfo<std::string>& machine) {
  std::string name = machine.param;
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Machines, MappingToMachine, ::testing::Values("armv8", "riscv", "power", "c11-lb"), nameOf);

}  // namespace
}  // namespace heddle::oracle
