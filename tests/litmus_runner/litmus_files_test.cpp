// One test for each file of tests/litmus: for every model that the file has an expectation for, and under both
// equivalences, what the explorer finds is what the file says. Adding a test is adding a file.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "model/library.h"
#include "report/outcome.h"
#include "run/run_litmus.h"

namespace heddle::report {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> litmusFiles() {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(HEDDLE_LITMUS_DIR)) {
    if (entry.path().extension() == ".litmus") files.push_back(entry.path().lexically_relative(HEDDLE_LITMUS_DIR).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// GoogleTest allows letters, digits and underscores; "sb/SB+rlx.litmus" is sb_SB_rlx.
std::string testName(const testing::TestParamInfo<std::string>& info) {
  static std::set<std::string> used;
  std::string name = info.param.substr(0, info.param.rfind('.'));
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  while (!used.insert(name).second) name += "_";
  return name;
}

const model::CompiledModel& compiledModel(const std::string& name) {
  static std::map<std::string, model::CompiledModel> models;
  auto found = models.find(name);
  if (found == models.end()) found = models.emplace(name, model::compile(model::loadModel(name))).first;
  return found->second;
}

class LitmusFile : public testing::TestWithParam<std::string> {};

TEST_P(LitmusFile, IsAsItSays) {
  const litmus::Test test = litmus::loadLitmus(std::string(HEDDLE_LITMUS_DIR) + "/" + GetParam());
  ASSERT_FALSE(test.expectations.empty()) << GetParam() << " says nothing about itself in //! lines";
  for (const litmus::Expectation& expectation : test.expectations) {
    for (const explore::Equivalence equivalence : {explore::Equivalence::co, explore::Equivalence::rf}) {
      const bool open = equivalence == explore::Equivalence::rf;
      const model::CompiledModel& model = compiledModel(expectation.model);
      if (open && (model.hasDependencies || model.evaluated)) continue;  // refused, see below
      run::LitmusOptions options;
      options.equivalence = equivalence;
      const Outcome outcome = run::runLitmus(test, model, options);
      EXPECT_TRUE(outcome.complete()) << outcome.cutReason;
      for (const std::string& difference : differences(expectation, outcome, equivalence)) {
        ADD_FAILURE() << GetParam() << ":" << expectation.line << ", model " << expectation.model << ", equivalence "
                      << name(equivalence) << ": " << difference;
      }
    }
  }
}

TEST(LitmusFiles, UnderRfModelsWithDependenciesAreRefused) {
  const litmus::Test test = litmus::loadLitmus(std::string(HEDDLE_LITMUS_DIR) + "/dependencies/LB.litmus");
  run::LitmusOptions options;
  options.equivalence = explore::Equivalence::rf;
  const Outcome outcome = run::runLitmus(test, compiledModel("armv8"), options);
  EXPECT_FALSE(outcome.complete());
  EXPECT_NE(outcome.cutReason.find("--equivalence rf"), std::string::npos) << outcome.cutReason;
}

TEST(LitmusFiles, UnderRfEvaluatedModelsAreRefused) {
  const litmus::Test test = litmus::loadLitmus(std::string(HEDDLE_LITMUS_DIR) + "/lkmm/primitives/CoRR.litmus");
  run::LitmusOptions options;
  options.equivalence = explore::Equivalence::rf;
  EXPECT_THROW(run::runLitmus(test, compiledModel("lkmm"), options), ProgramError);
  EXPECT_THROW(run::runLitmus(test, compiledModel("rc20"), {}), ProgramError);  // the kernel's dialect
}

// Two ways to the same executions: a model's automata or its causal order in an explorer, and its text on what is enumerated.
TEST(LitmusFiles, EvaluationAgreesWithExploration) {
  constexpr std::uint64_t kMostExecutions = 100;
  unsigned compared = 0;
  for (const std::string& file : litmusFiles()) {
    const litmus::Test test = litmus::loadLitmus(std::string(HEDDLE_LITMUS_DIR) + "/" + file);
    if (test.kernel) continue;
    for (const litmus::Expectation& expectation : test.expectations) {
      const model::Model source = model::loadModel(expectation.model);
      if (expectation.executions.value_or(kMostExecutions) >= kMostExecutions || source.mixedSizes) continue;
      Outcome evaluated;
      try {
        evaluated = run::runLitmus(test, model::toEvaluate(source, "to compare"), {});
      } catch (const ProgramError&) {
        continue;  // locks, choices and the like
      }
      if (evaluated.cut == Cut::limit) continue;
      const Outcome explored = run::runLitmus(test, compiledModel(expectation.model), {});
      EXPECT_EQ(evaluated.executions, explored.executions) << file << " under " << expectation.model;
      EXPECT_EQ(evaluated.states, explored.states) << file << " under " << expectation.model;
      ++compared;
    }
  }
  EXPECT_GT(compared, 500U);
}

INSTANTIATE_TEST_SUITE_P(Corpus, LitmusFile, testing::ValuesIn(litmusFiles()), testName);

}  // namespace
}  // namespace heddle::report
