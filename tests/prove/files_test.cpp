// Every query that comes with Heddle has the answer it says it has: the table of the thesis (proofs/) and the worked
// examples (examples/prove/). An example has its answers in a file beside it too, NAME.expected, for people to compare
// with.
//
// Claims that are known not to be decided, or to take seconds, say so at the head of their file (`//! undecided: CLAIM:
// why`, `//! slow: CLAIM: how slow`). Here they get one second, and having no answer then is not wrong; the contrary is.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "prove/prover.h"
#include "prove/query.h"
#include "prove/shown.h"

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

std::string nameOf(Verdict verdict) {
  return verdict == Verdict::proved ? "proved" : verdict == Verdict::refuted ? "refuted" : "not decided";
}

std::string describe(const Answer& answer) {
  std::string text = nameOf(answer.verdict);
  for (const std::string& reason : answer.reasons) text += "\n  " + reason;
  if (answer.counterexample) {
    text += "\n" + answer.counterexample->word + "\n" + shown(answer.counterexample->graph);
  }
  return text;
}

Verdict verdictOf(Expected expected) {
  return expected == Expected::proved ? Verdict::proved : expected == Expected::refuted ? Verdict::refuted : Verdict::undecided;
}

std::set<std::string> knownUndecided(const std::string& file) {
  std::set<std::string> names;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    for (const std::string mark : {"//! undecided: ", "//! slow: "}) {
      if (line.starts_with(mark)) names.insert(line.substr(mark.size(), line.find(':', mark.size()) - mark.size()));
    }
  }
  return names;
}

class ProveFiles : public testing::TestWithParam<std::string> {};

TEST_P(ProveFiles, HaveTheAnswersTheyExpect) {
  const QueryFile query = loadQuery(GetParam());
  ASSERT_FALSE(query.claims.empty());
  const std::set<std::string> undecided = knownUndecided(GetParam());
  std::string answers;
  for (const Claim& claim : query.claims) {
    const bool known = undecided.count(claim.name) > 0;
    const Answer answer = decide(query, claim, {.seconds = known ? 1.0 : 60.0, .samples = known ? 0U : 20000U});
    const bool none = known && answer.verdict == Verdict::undecided;
    answers += claim.name + ": " + nameOf(none ? verdictOf(claim.expected) : answer.verdict) + "\n";
    if (none) continue;
    EXPECT_EQ(answer.verdict, verdictOf(claim.expected)) << claim.name << ": " << describe(answer);
  }
  const fs::path expected = fs::path(GetParam()).replace_extension(".expected");
  if (GetParam().find("examples") != std::string::npos) {
    std::ostringstream text;
    text << std::ifstream(expected).rdbuf();
    EXPECT_EQ(answers, text.str()) << expected;
  }
}

std::string testName(const testing::TestParamInfo<std::string>& info) {
  std::string name = fs::path(info.param).parent_path().filename().string() + "_" + fs::path(info.param).stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Queries, ProveFiles, testing::ValuesIn(queryFiles()), testName);

}  // namespace
}  // namespace heddle::prove
