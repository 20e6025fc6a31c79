#include "litmus/expectation.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <unordered_map>

namespace heddle::litmus {

namespace {

constexpr std::string_view kMarker = "//!";

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '+' ||
         c == '.' || c == '/';
}

// Reads the words of one line.
class LineReader {
 public:
  LineReader(const SourceFile& file, std::size_t begin, std::size_t end) : file_(file), at_(begin), end_(end) { skipBlanks(); }

  bool atEnd() const { return at_ == end_; }
  std::size_t offset() const { return at_; }
  std::string rest() const { return file_.text.substr(at_, end_ - at_); }

  bool accept(char c) {
    if (at_ == end_ || file_.text[at_] != c) return false;
    ++at_;
    skipBlanks();
    return true;
  }

  std::string word() {
    const std::size_t begin = at_;
    while (at_ < end_ && isNameCharacter(file_.text[at_])) ++at_;
    const std::string found = file_.text.substr(begin, at_ - begin);
    skipBlanks();
    return found;
  }

  std::uint64_t number(const std::string& item) {
    const std::size_t begin = at_;
    const std::string digits = word();
    std::uint64_t value = 0;
    const auto [stop, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || problem != std::errc() || stop != digits.data() + digits.size()) {
      file_.fail(begin, fmt::format("`{}` needs a number", item));
    }
    return value;
  }

 private:
  void skipBlanks() {
    while (at_ < end_ && isBlank(file_.text[at_])) ++at_;
  }

  const SourceFile& file_;
  std::size_t at_, end_;
};

void parseItem(const SourceFile& file, LineReader& line, Expectation& expectation) {
  const std::size_t offset = line.offset();
  const std::string item = line.word();
  const auto once = [&](bool isNew) {
    if (!isNew) file.fail(offset, fmt::format("`{}` contradicts or repeats what stands before", item));
  };
  const auto count = [&](std::optional<std::uint64_t>& field) {
    once(!field);
    field = line.number(item);
  };
  if (item == "Never" || item == "Sometimes" || item == "Always") {
    once(!expectation.observation);
    expectation.observation = item == "Never"       ? Observation::never
                              : item == "Sometimes" ? Observation::sometimes
                                                    : Observation::always;
  } else if (item == "executions") {
    count(expectation.executions);
  } else if (item == "executions-rf") {
    count(expectation.executionsRf);
  } else if (item == "blocked") {
    count(expectation.blocked);
  } else if (item == "states") {
    count(expectation.states);
  } else if (item == "race") {
    once(!expectation.race);
    expectation.race = true;
  } else if (item == "no") {
    once(!expectation.race);
    if (line.word() != "race") file.fail(offset, "expected `no race`");
    expectation.race = false;
  } else if (item == "error") {
    once(!expectation.error);
    expectation.error = true;
  } else {
    file.fail(offset, "unknown expectation",
              "Never, Sometimes, Always, executions N, executions-rf N, blocked N, states N, race, no race or error");
  }
}

}  // namespace

Expectations parseExpectations(const SourceFile& file) {
  Expectations found;
  std::unordered_map<std::string, std::size_t> indexOf;
  unsigned lineNumber = 0;
  for (std::size_t begin = 0, end = 0; begin < file.text.size(); begin = end + 1) {
    ++lineNumber;
    end = std::min(file.text.find('\n', begin), file.text.size());
    std::size_t at = begin;
    while (at < end && isBlank(file.text[at])) ++at;
    if (file.text.compare(at, kMarker.size(), kMarker) != 0) continue;

    LineReader line(file, at + kMarker.size(), end);
    const std::size_t modelOffset = line.offset();
    const std::string model = line.word();
    if (model.empty()) {
      file.fail(modelOffset, "expected the name of a model", "`//! MODEL: Never, executions 3` or `//! MODEL state 0:r0=0;`");
    }
    const auto [entry, isNew] = indexOf.try_emplace(model, found.models.size());
    if (isNew) {
      found.models.emplace_back();
      found.models.back().model = model;
      found.models.back().line = lineNumber;
    }
    if (line.accept(':')) {
      do parseItem(file, line, found.models[entry->second]);
      while (line.accept(','));
      if (!line.atEnd()) file.fail(line.offset(), "expected `,` or the end of the line");
      continue;
    }
    const std::size_t wordOffset = line.offset();
    if (line.word() != "state") file.fail(wordOffset, "expected `:` or `state` after the name of the model");
    found.states.push_back({entry->second, line.offset(), line.rest()});
  }
  return found;
}

}  // namespace heddle::litmus
