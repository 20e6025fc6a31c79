#include "suite/expectation.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <string_view>

#include "abi/heddle_kinds.h"

namespace heddle::suite {

namespace {

[[noreturn]] void fail(unsigned line, const std::string& message) {
  throw ExpectationError("line " + std::to_string(line) + ": " + message);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

// Words between blanks; a part in double quotes keeps its blanks and loses the quotes.
std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> result;
  std::string word;
  bool quoted = false, any = false;
  for (const char c : text) {
    if (c == '"') {
      quoted = !quoted;
      any = true;
    } else if (c == ' ' && !quoted) {
      if (any) result.push_back(word);
      word.clear();
      any = false;
    } else {
      word += c;
      any = true;
    }
  }
  if (any) result.push_back(word);
  return result;
}

unsigned long number(const std::string& text, unsigned line) {
  unsigned long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) fail(line, "not a number: " + text);
  return value;
}

// Where "// @name" stands, for each name.
std::map<std::string, unsigned> markers(const std::vector<std::string>& lines) {
  std::map<std::string, unsigned> found;
  for (unsigned i = 0; i < lines.size(); ++i) {
    const std::size_t at = lines[i].find("// @");
    if (at == std::string::npos) continue;
    const std::size_t begin = at + 3;
    const std::size_t end = std::min(lines[i].find(' ', begin), lines[i].size());
    if (!found.emplace(lines[i].substr(begin, end - begin), i + 1).second) fail(i + 1, "this marker stands twice");
  }
  return found;
}

void setFlags(const std::string& text, Expectation& expectation) {
  bool compiler = false;
  for (const std::string& flag : split(text, ' ')) {
    if (flag == "--" && !compiler) {
      compiler = true;
    } else {
      (compiler ? expectation.compilerFlags : expectation.flags).push_back(flag);
    }
  }
}

// A misspelt one would be a difference that nobody understands.
bool isErrorKind(const std::string& kind) {
#define HEDDLE_KIND(name, kind, title) kind,
  static constexpr std::string_view kKinds[] = {HEDDLE_ERROR_KINDS(HEDDLE_KIND)};
#undef HEDDLE_KIND
  return std::ranges::find(kKinds, kind) != std::end(kKinds);
}

void setItem(const std::string& key, const std::string& value, const std::map<std::string, unsigned>& places,
             Expectation& expectation) {
  const unsigned line = expectation.line;
  if (key == "executions") {
    expectation.executions = number(value, line);
  } else if (key == "blocked") {
    expectation.blocked = number(value, line);
  } else if (key == "thread") {
    expectation.thread = number(value, line);
  } else if (key == "text") {
    expectation.texts.push_back(value);
  } else if (key == "test") {
    for (const std::string& name : split(value, '|')) expectation.tests.push_back(name);
  } else if (key == "flags") {
    setFlags(value, expectation);
  } else if (key == "line") {
    for (const std::string& place : split(value, '|')) {
      if (place[0] == '@' && !places.contains(place)) fail(line, "no line is marked " + place);
      expectation.errorLines.push_back(place[0] == '@' ? places.at(place) : static_cast<unsigned>(number(place, line)));
    }
  } else {
    fail(line, "unknown item: " + key);
  }
}

Expectation parseItems(const std::string& text, unsigned line, const std::map<std::string, unsigned>& places) {
  Expectation expectation;
  expectation.line = line;
  const std::vector<std::string> items = words(text);
  if (items.empty()) fail(line, "no verdict");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::size_t equals = items[i].find('=');
    const std::string key = items[i].substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : items[i].substr(equals + 1);
    if (i > 0) {
      setItem(key, value, places, expectation);
    } else if (key == "error" && !value.empty()) {
      expectation.verdict = key;
      expectation.errorKinds = split(value, '|');
      for (const std::string& kind : expectation.errorKinds) {
        if (!isErrorKind(kind)) fail(line, "not a kind of error: " + kind);
      }
    } else if (items[i] == "verified" || items[i] == "bounded" || items[i] == "incomplete" || items[i] == "rejected") {
      expectation.verdict = items[i];
    } else {
      fail(line, "not a verdict: " + items[i]);
    }
  }
  if (!expectation.errorLines.empty() && expectation.verdict != "error") fail(line, "a line without an error");
  return expectation;
}

// Belongs to the last line of expectations, whatever its models.
void addWhy(const std::string& text, unsigned line, std::vector<Expectation>& expectations) {
  const std::size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(" \r");
  if (begin == std::string::npos) fail(line, "no words after `why:`");
  if (expectations.empty() || expectations.back().verdict != "error") fail(line, "`why:` without an error before it");
  const unsigned of = expectations.back().line;
  for (Expectation& expectation : expectations) {
    if (expectation.line == of) expectation.whys.push_back(text.substr(begin, end - begin + 1));
  }
}

}  // namespace

std::vector<Expectation> parseExpectations(const std::string& program) {
  std::vector<std::string> lines;
  std::istringstream in(program);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  const auto places = markers(lines);
  std::vector<Expectation> expectations;
  for (unsigned i = 0; i < lines.size(); ++i) {
    const bool comment = lines[i].starts_with("//!"), assemblyComment = lines[i].starts_with(";!");
    if (!comment && !assemblyComment) continue;
    const std::size_t colon = lines[i].find(':');
    if (colon == std::string::npos) fail(i + 1, "no colon after the models");
    const std::size_t begin = comment ? 3 : 2;
    std::string models = lines[i].substr(begin, colon - begin);
    std::erase(models, ' ');
    if (models.empty()) fail(i + 1, "no model");
    if (models == "why") {
      addWhy(lines[i].substr(colon + 1), i + 1, expectations);
      continue;
    }
    Expectation expectation = parseItems(lines[i].substr(colon + 1), i + 1, places);
    for (const std::string& model : split(models, ',')) {
      expectation.model = model;
      expectations.push_back(expectation);
    }
  }
  return expectations;
}

}  // namespace heddle::suite
