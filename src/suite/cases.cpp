#include "suite/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "util/default_model.h"
#include "util/read_file.h"

namespace heddle::suite {

namespace {

namespace fs = std::filesystem;

bool isLitmus(const fs::path& path) { return path.extension() == ".litmus"; }

bool isProgram(const fs::path& path) {
  static constexpr std::array kSuffixes = {".c", ".cc", ".cpp", ".cxx", ".ll"};
  return std::ranges::find(kSuffixes, path.extension().string()) != kSuffixes.end();
}

bool isDatabase(const fs::path& path) { return path.extension() == ".json"; }

std::string readable(const std::string& file) {
  std::optional<std::string> text = util::readFile(file);
  if (!text) throw SuiteError(fmt::format("{}: error: cannot read the file", file));
  return std::move(*text);
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

// Each once, in the order of the database.
std::vector<std::string> filesOfDatabase(const std::string& database) {
  const auto entries = nlohmann::json::parse(readable(database), nullptr, false);
  if (!entries.is_array()) throw SuiteError(fmt::format("{}: error: not a compilation database", database));
  std::vector<std::string> files;
  for (const auto& entry : entries) {
    if (!entry.is_object()) continue;
    const auto text = [&](const char* key) {
      const auto found = entry.find(key);
      return found != entry.end() && found->is_string() ? found->template get<std::string>() : std::string();
    };
    const fs::path file = fs::path(text("directory")) / text("file");
    const std::string name = file.lexically_normal().string();
    if (isProgram(file) && std::ranges::find(files, name) == files.end()) files.push_back(name);
  }
  return files;
}

Expectation verified() {
  Expectation expectation;
  expectation.model = util::kDefaultModel;
  expectation.verdict = "verified";
  return expectation;
}

// Does the text say that there are tests in it? Comments and the like may say so, too; then it is found out when it is compiled.
bool mentionsTests(const std::string& text, const Search& search) {
  static const std::regex kTest(R"(^[ \t]*HEDDLE_TEST[ \t]*\()", std::regex::multiline);
  static const std::regex kGtest(R"(^[ \t]*#[ \t]*include[ \t]*[<"]gtest/gtest\.h[>"])", std::regex::multiline);
  static const std::regex kCatch2(R"(^[ \t]*#[ \t]*include[ \t]*[<"]catch2/)", std::regex::multiline);
  return std::regex_search(text, kTest) || (search.gtest && std::regex_search(text, kGtest)) ||
         (search.catch2 && std::regex_search(text, kCatch2));
}

void addProgram(const std::string& file, bool isNamed, const Search& search, const std::vector<std::string>& options,
                std::vector<Case>& cases) {
  const std::string text = readable(file);
  std::vector<Expectation> expectations;
  try {
    expectations = parseExpectations(text);
  } catch (const ExpectationError& error) {
    throw SuiteError(fmt::format("{}: error: {}", file, error.what()));
  }
  if (expectations.empty() && (isNamed || mentionsTests(text, search))) expectations.push_back(verified());
  for (Expectation& expectation : expectations) {
    expectation.compilerFlags.insert(expectation.compilerFlags.begin(), search.flags.begin(), search.flags.end());
    cases.push_back({file, expectation, options, search.with, "", ""});
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
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), expectation->flags.begin(), expectation->flags.end());
  if (!argument.empty()) words.push_back("--arg=" + argument);
  words.push_back(file);
  words.insert(words.end(), others.begin(), others.end());
  if (!expectation->compilerFlags.empty()) words.emplace_back("--");
  words.insert(words.end(), expectation->compilerFlags.begin(), expectation->compilerFlags.end());
  return words;
}

std::vector<Case> findCases(const std::vector<std::string>& paths, const Search& search) {
  std::vector<Case> cases;
  for (const std::string& path : paths) {
    const std::size_t before = cases.size();
    std::error_code problem;
    if (!fs::exists(path, problem)) throw SuiteError(fmt::format("{}: error: there is no such file or folder", path));
    const bool isFolder = fs::is_directory(path, problem);
    const bool isList = !isFolder && isDatabase(path);
    std::vector<std::string> options;
    if (search.gtest) options.emplace_back("--gtest");
    if (search.catch2) options.emplace_back("--catch2");
    if (isList) options.insert(options.end(), {"--compile-commands", path});
    for (const std::string& file : isFolder ? filesBelow(path) : isList ? filesOfDatabase(path) : std::vector{path}) {
      if (isLitmus(file)) {
        const std::string text = readable(file);
        if (!isFolder || text.find("//!") != std::string::npos) cases.push_back({file, std::nullopt, {}, {}, "", ""});
      } else if (isProgram(file)) {
        addProgram(file, !isFolder && !isList, search, options, cases);
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

std::vector<Case> withTests(const Case& program, const std::vector<ListedTest>& tests) {
  const std::vector<std::string>& meant = program.expectation->tests;
  for (const std::string& name : meant) {
    if (std::ranges::find(tests, name, &ListedTest::name) == tests.end()) {
      throw SuiteError(
          fmt::format("{}:{}: error: there is no test `{}` in this file", program.file, program.expectation->line, name));
    }
  }
  std::vector<Case> cases;
  for (const ListedTest& test : tests) {
    if (!meant.empty() && std::ranges::find(meant, test.name) == meant.end()) continue;
    cases.push_back(program);
    cases.back().test = test.name;
    cases.back().argument = test.argument;
  }
  return cases;
}

std::vector<ListedTest> parseListedTests(const std::string& text) {
  std::vector<ListedTest> tests;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos) tests.push_back({line.substr(tab + 1), line.substr(0, tab)});
  }
  return tests;
}

}  // namespace heddle::suite
