// One test for each C and C++ program of tests/native and examples/check: the program `heddle check` is run as a person
// would run it, for every expectation that stands in the file (suite/expectation.h). Adding a test is adding a file.
//
// The files of a subfolder named `parts` belong to another program and are no tests of their own.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "suite/compare.h"
#include "util/read_file.h"

namespace heddle::suite {
namespace {

namespace fs = std::filesystem;

using util::ChildProcess;
using util::Finished;

constexpr std::array<const char*, 2> kFolders = {"tests/native", "examples/check"};

std::vector<std::string> programs() {
  std::vector<std::string> files;
  for (const char* folder : kFolders) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(HEDDLE_SOURCE_DIR) / folder)) {
      const std::string suffix = entry.path().extension().string();
      const bool program = suffix == ".c" || suffix == ".cpp" || suffix == ".ll";
      if (!program || entry.path().parent_path().filename() == "parts") continue;
      files.push_back(entry.path().lexically_relative(HEDDLE_SOURCE_DIR).string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// "tests/native/race/heap.cpp" is race_heap; examples begin with "example".
std::string testName(const testing::TestParamInfo<std::string>& info) {
  static std::set<std::string> used;
  std::string name = info.param.substr(0, info.param.rfind('.'));
  if (name.starts_with("tests/native/")) name = name.substr(13);
  if (name.starts_with("examples/check/")) name = "example_" + name.substr(15);
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  while (!used.insert(name).second) name += "_";
  return name;
}

Finished heddle(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), HEDDLE_EXECUTABLE);
  return ChildProcess(arguments, HEDDLE_SOURCE_DIR).wait();
}

std::vector<std::string> commandLine(const std::string& file, const Expectation& expectation) {
  return Case{file, expectation, {}, {}, "", ""}.command();
}

void compare(const Finished& finished, const std::string& file, const Expectation& expectation) {
  for (const std::string& difference : compare(Case{file, expectation, {}, {}, "", ""}, finished).differences)
    ADD_FAILURE() << difference;
}

class NativeFile : public testing::TestWithParam<std::string> {};

std::vector<Expectation> expectationsOf(const std::string& file) {
  return parseExpectations(util::readFile(std::string(HEDDLE_SOURCE_DIR) + '/' + file).value());
}

TEST_P(NativeFile, IsAsItSays) {
  const std::vector<Expectation> expectations = expectationsOf(GetParam());
  ASSERT_FALSE(expectations.empty()) << GetParam() << " says nothing about itself in //! lines";
  for (const Expectation& expectation : expectations) {
    const std::vector<std::string> arguments = commandLine(GetParam(), expectation);
    const Finished finished = heddle(arguments);
    std::string command = "heddle";
    for (const std::string& argument : arguments) command += " " + argument;
    SCOPED_TRACE(GetParam() + ":" + std::to_string(expectation.line) + ": " + command + "\n" + finished.out + finished.err);
    compare(finished, GetParam(), expectation);
  }
}

// With these options, too. How many executions there are, and which of them shows an error, may differ.
void expectSameVerdict(const std::string& file, Expectation expectation, const std::vector<std::string>& options) {
  expectation.flags.insert(expectation.flags.end(), options.begin(), options.end());
  expectation.executions = expectation.blocked = expectation.thread = std::nullopt;
  expectation.errorLines.clear();
  expectation.texts.clear();
  expectation.whys.clear();
  const Finished finished = heddle(commandLine(file, expectation));
  SCOPED_TRACE(file + ":" + std::to_string(expectation.line) + "\n" + finished.out + finished.err);
  compare(finished, file, expectation);
}

// Who reads from whom and which writes can be last decides everything, so the verdict is the same. One expectation is enough.
TEST_P(NativeFile, IsTheSameUnderReadsFrom) {
  Expectation expectation = expectationsOf(GetParam()).at(0);
  if (std::ranges::find(expectation.flags, "--equivalence") != expectation.flags.end()) return;
  if (expectation.model == "lkmm") return;  // which judges orders of writes
  if (std::ranges::find(expectation.flags, "--persistency") != expectation.flags.end()) return;  // so does a crash
  expectSameVerdict(GetParam(), std::move(expectation), {"--equivalence", "rf"});
}

INSTANTIATE_TEST_SUITE_P(Programs, NativeFile, testing::ValuesIn(programs()), testName);

// Programs with loops and barriers.
class ReducedFile : public testing::TestWithParam<std::string> {};

std::vector<std::string> reducedPrograms() {
  std::vector<std::string> files = programs();
  std::erase_if(files, [](const std::string& file) {
    return std::ranges::none_of(std::array{"/loops/", "/barriers/", "/liveness/"},
                                [&](const char* folder) { return file.find(folder) != std::string::npos; });
  });
  return files;
}

// What is left out of an exploration makes no difference to the verdict: without any reduction there is the same error, or none
// if there is none. But loops that wait do not end then, so it may also be that no answer is found.
TEST_P(ReducedFile, HasTheSameVerdictWithoutReductions) {
  for (const Expectation& expectation : expectationsOf(GetParam())) {
    if (expectation.verdict != "verified" && expectation.verdict != "error") continue;
    Expectation without = expectation;
    without.flags.insert(without.flags.end(), {"--without", "all", "--time", "1"});
    if (std::ranges::find(without.flags, "--unroll") == without.flags.end())
      without.flags.insert(without.flags.end(), {"--unroll", "3"});
    const Finished finished = heddle(commandLine(GetParam(), without));
    SCOPED_TRACE(GetParam() + ":" + std::to_string(expectation.line) + "\n" + finished.out + finished.err);
    const auto json = nlohmann::json::parse(finished.out, nullptr, false);
    ASSERT_TRUE(json.is_object()) << "the output is not a JSON object";
    const std::string verdict = json.at("verdict");
    if (verdict == "bounded" || verdict == "incomplete") continue;
    EXPECT_EQ(verdict, expectation.verdict);
    if (verdict != "error") continue;
    const std::string kind = json.at("error").at("kind");
    EXPECT_NE(std::ranges::find(expectation.errorKinds, kind), expectation.errorKinds.end()) << "the error is " << kind;
  }
}

// Programs that start threads.
class SymmetricFile : public testing::TestWithParam<std::string> {};

std::vector<std::string> symmetricPrograms() {
  std::vector<std::string> files = programs();
  std::erase_if(files, [](const std::string& file) {
    if (file.find("/kernel/") != std::string::npos || file.find("/persist/") != std::string::npos) return true;
    const std::string text = util::readFile(std::string(HEDDLE_SOURCE_DIR) + '/' + file).value();
    return std::ranges::none_of(std::array{"pthread_create", "thrd_create", "thread "},
                                [&](const char* word) { return text.find(word) != std::string::npos; });
  });
  return files;
}

// Alike threads in one order only: the same verdict, and the same error. One expectation is enough.
TEST_P(SymmetricFile, HasTheSameVerdictWithSymmetry) {
  Expectation expectation = expectationsOf(GetParam()).at(0);
  const auto isRefused = [](const std::string& flag) {
    return std::ranges::any_of(
        std::array<std::string, 7>{"--symmetry", "--stale", "--fair", "--persistency", "--races", "--sample", "--estimate"},
        [&](const std::string& option) { return flag == option || flag.starts_with(option + '='); });
  };
  if (std::ranges::any_of(expectation.flags, isRefused)) return;
  if (expectation.model == "lkmm") return;
  expectSameVerdict(GetParam(), std::move(expectation), {"--symmetry", "on"});
}

INSTANTIATE_TEST_SUITE_P(Programs, SymmetricFile, testing::ValuesIn(symmetricPrograms()), testName);

INSTANTIATE_TEST_SUITE_P(Programs, ReducedFile, testing::ValuesIn(reducedPrograms()), testName);

}  // namespace
}  // namespace heddle::suite
