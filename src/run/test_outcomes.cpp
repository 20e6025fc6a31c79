#include "run/test_outcomes.h"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

namespace heddle::run {

namespace {

std::string linesOf(const std::string& output, bool ofOutcomes) {
  std::string lines;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size() - 1) + 1;
    const std::string_view line = std::string_view(output).substr(at, end - at);
    if (line.starts_with(kOutcomeWord) == ofOutcomes) lines += line;
    at = end;
  }
  return lines;
}

}  // namespace

std::string outcomesIn(const std::string& output) { return linesOf(output, true); }

std::string withoutOutcomes(const std::string& output) { return linesOf(output, false); }

std::vector<TestOutcome> testOutcomes(const std::map<std::string, std::uint64_t>& told) {
  std::vector<TestOutcome> all;
  std::map<std::pair<std::string, std::string>, std::size_t> known;  // by names and values
  for (const auto& [text, executions] : told) {
    std::istringstream lines(text);
    std::string word, kind;
    for (TestOutcome outcome; std::getline(lines, word, '\t') && std::getline(lines, kind, '\t') &&
                              std::getline(lines, outcome.names, '\t') && std::getline(lines, outcome.values, '\t') &&
                              std::getline(lines, outcome.grade, '\t') && std::getline(lines, outcome.note);) {
      const auto [entry, isNew] = known.try_emplace({outcome.names, outcome.values}, all.size());
      if (isNew) all.push_back(outcome);
      if (kind == "seen") all[entry->second].executions += executions;
    }
  }
  std::ranges::stable_sort(all, [](const TestOutcome& a, const TestOutcome& b) {
    if (a.names != b.names) return a.names < b.names;
    return a.executions > b.executions;
  });
  return all;
}

}  // namespace heddle::run
