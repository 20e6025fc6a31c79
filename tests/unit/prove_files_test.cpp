// Every query that comes with Heddle has the answer it says it has: the table of the thesis (proofs/) and the worked
// examples (examples/prove/).
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "prove/prover.h"
#include "prove/query.h"

namespace heddle::prove {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> queryFiles() {
  std::vector<std::string> files;
  for (const char* folder : {"proofs", "examples/prove"}) {
    for (const auto& entry : fs::directory_iterator(fs::path(HEDDLE_SOURCE_DIR) / folder)) {
      if (entry.path().extension() == ".prove") files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string describe(Verdict verdict, const Answer& answer) {
  std::string text = verdict == Verdict::proved ? "proved" : verdict == Verdict::refuted ? "refuted" : "not decided";
  for (const std::string& reason : answer.reasons) text += "\n  " + reason;
  if (answer.counterexample)
    text += "\n" + answer.counterexample->word + "\n" + prove::describe(answer.counterexample->graph);
  return text;
}

Verdict verdictOf(Expected expected) {
  return expected == Expected::proved    ? Verdict::proved
         : expected == Expected::refuted ? Verdict::refuted
                                         : Verdict::undecided;
}

class ProveFiles : public testing::TestWithParam<std::string> {};

TEST_P(ProveFiles, HaveTheAnswersTheyExpect) {
  const QueryFile query = loadQuery(GetParam());
  ASSERT_FALSE(query.claims.empty());
  for (const Claim& claim : query.claims) {
    const Answer answer = decide(query, claim);
    EXPECT_EQ(answer.verdict, verdictOf(claim.expected)) << claim.name << ": " << describe(answer.verdict, answer);
  }
}

std::string nameOf(const testing::TestParamInfo<std::string>& info) {
  std::string name =
      fs::path(info.param).parent_path().filename().string() + "_" + fs::path(info.param).stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Queries, ProveFiles, testing::ValuesIn(queryFiles()), nameOf);

}  // namespace
}  // namespace heddle::prove
