#include "suite/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>

#include "util/read_file.h"

namespace heddle::suite {

namespace {

namespace fs = std::filesystem;

constexpr const char* kDefaultModel = "rc20";

bool isLitmus(const fs::path& path) { return path.extension() == ".litmus"; }

bool isProgram(const fs::path& path) {
  static constexpr std::array kSuffixes = {".c", ".cc", ".cpp", ".cxx", ".ll"};
  return std::ranges::find(kSuffixes, path.extension().string()) != kSuffixes.end();
}

std::vector<std::string> filesBelow(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code problem;
  fs::recursive_directory_iterator entry(folder, problem), end;
  for (; !problem && entry != end; entry.increment(problem)) {
    if (entry->is_regular_file() && (isLitmus(entry->path()) || isProgram(entry->path()))) {
      files.push_back(entry->path().string());
    }
  }
  if (problem) throw SuiteError(fmt::format("{}: error: cannot read the folder: {}", folder, problem.message()));
  std::ranges::sort(files);
  return files;
}

Expectation verified() {
  Expectation expectation;
  expectation.model = kDefaultModel;
  expectation.verdict = "verified";
  return expectation;
}

void addProgram(const std::string& file, bool isNamed, const std::vector<std::string>& flags, std::vector<Case>& cases) {
  const std::optional<std::string> text = util::readFile(file);
  if (!text) throw SuiteError(fmt::format("{}: error: cannot read the file", file));
  const std::vector<std::string> tests = testNames(*text);
  std::vector<Expectation> expectations;
  try {
    expectations = parseExpectations(*text);
  } catch (const ExpectationError& error) {
    throw SuiteError(fmt::format("{}: error: {}", file, error.what()));
  }
  for (const Expectation& expectation : expectations) {
    for (const std::string& test : expectation.tests) {
      if (std::ranges::find(tests, test) == tests.end()) {
        throw SuiteError(fmt::format("{}:{}: error: there is no HEDDLE_TEST({}) in this file", file, expectation.line, test));
      }
    }
  }
  if (expectations.empty() && (isNamed || !tests.empty())) expectations.push_back(verified());
  for (Expectation& expectation : expectations) {
    expectation.compilerFlags.insert(expectation.compilerFlags.begin(), flags.begin(), flags.end());
    if (tests.empty()) cases.push_back({file, "", expectation});
    for (const std::string& test : tests) {
      const bool isMeant = expectation.tests.empty() || std::ranges::find(expectation.tests, test) != expectation.tests.end();
      if (isMeant) cases.push_back({file, test, expectation});
    }
  }
}

}  // namespace

std::string Case::name() const {
  std::string text = file;
  if (expectation && expectation->line > 0) text += fmt::format(":{}", expectation->line);
  if (!test.empty()) text += ' ' + test;
  if (expectation) text += " under " + expectation->model;
  return text;
}

std::vector<std::string> Case::command() const {
  if (!expectation) return {"litmus", "--check", "--json", file};
  std::vector<std::string> words = {"check", "--json", "--model", expectation->model};
  words.insert(words.end(), expectation->flags.begin(), expectation->flags.end());
  if (!test.empty()) words.push_back("--arg=" + test);
  words.push_back(file);
  if (!expectation->compilerFlags.empty()) words.emplace_back("--");
  words.insert(words.end(), expectation->compilerFlags.begin(), expectation->compilerFlags.end());
  return words;
}

std::vector<std::string> testNames(const std::string& program) {
  static const std::regex kTest(R"(^[ \t]*HEDDLE_TEST[ \t]*\([ \t]*([A-Za-z_][A-Za-z_0-9]*)[ \t]*\))", std::regex::multiline);
  std::vector<std::string> names;
  for (std::sregex_iterator found(program.begin(), program.end(), kTest), end; found != end; ++found) {
    names.push_back((*found)[1]);
  }
  return names;
}

std::vector<Case> findCases(const std::vector<std::string>& paths, const std::vector<std::string>& flags) {
  std::vector<Case> cases;
  for (const std::string& path : paths) {
    const std::size_t before = cases.size();
    std::error_code problem;
    const bool isFolder = fs::is_directory(path, problem);
    for (const std::string& file : isFolder ? filesBelow(path) : std::vector{path}) {
      if (isLitmus(file)) {
        const std::optional<std::string> text = util::readFile(file);
        if (!text) throw SuiteError(fmt::format("{}: error: cannot read the file", file));
        if (!isFolder || text->find("//!") != std::string::npos) cases.push_back({file, "", std::nullopt});
      } else if (isProgram(file)) {
        addProgram(file, !isFolder, flags, cases);
      } else {
        throw SuiteError(fmt::format("{}: error: neither a C or C++ program nor a litmus test nor a folder", file));
      }
    }
    if (cases.size() == before) {
      throw SuiteError(fmt::format(
          "{}: error: there is no test here: no file with a line such as `//! rc20: verified`, and no HEDDLE_TEST", path));
    }
  }
  return cases;
}

}  // namespace heddle::suite
