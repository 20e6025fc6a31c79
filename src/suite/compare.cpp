#include "suite/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "util/page.h"

namespace heddle::suite {

namespace {

using nlohmann::json;

// What heddle does not do is not the program's fault.
bool isUnsupported(const Expectation& expectation) { return expectation.errorKinds == std::vector<std::string>{"unsupported"}; }

int expectedCode(const Expectation& expectation) {
  if (isUnsupported(expectation) || expectation.verdict == "rejected") return 2;
  if (expectation.verdict == "error") return 1;
  return expectation.verdict == "incomplete" ? 3 : 0;
}

class Comparer {
 public:
  Comparer(const Expectation& expected, const util::Finished& finished) : expected_(expected), finished_(finished) {}

  Comparison run() {
    const json object = json::parse(finished_.out, nullptr, false);
    if (object.is_object()) readObject(object);
    for (const std::string& text : expected_.texts) {
      if ((finished_.out + finished_.err).find(text) == std::string::npos) differ("text", '"' + text + '"', "no such text");
    }
    if (finished_.code != expectedCode(expected_)) differ("exit code", expectedCode(expected_), finished_.code);
    if (expected_.verdict == "rejected") return result_;
    if (!object.is_object()) {
      result_.isUndecided = true;
      result_.differences.push_back("heddle printed no result" +
                                    (finished_.err.empty() ? "" : ": " + util::firstLine(finished_.err)));
      return result_;
    }
    compareObject(object);
    return result_;
  }

 private:
  template <typename Wanted, typename Found>
  void differ(const char* what, const Wanted& wanted, const Found& found) {
    result_.differences.push_back(fmt::format("{}: expected {}, found {}", what, wanted, found));
  }

  void readObject(const json& object) {
    result_.verdict = object.value("verdict", "");
    result_.executions = object.value("executions", std::uint64_t{0});
    result_.blocked = object.value("blocked", std::uint64_t{0});
    result_.seconds = object.value("totalSeconds", 0.0);
    const json error = object.value("error", json());
    if (error.is_object()) result_.verdict = error.value("kind", result_.verdict);
    if (result_.verdict == "bad-input") result_.message = finished_.err;
    result_.warnings = object.value("warnings", std::vector<std::string>());
    for (const json& outcome : object.value("outcomes", json::array())) {
      const json note = outcome.value("note", json());
      result_.outcomes.push_back({outcome.value("names", ""), outcome.value("values", ""), outcome.value("grade", ""),
                                  note.is_string() ? note.get<std::string>() : "",
                                  outcome.value("executions", std::uint64_t{0})});
    }
  }

  void compareObject(const json& object) {
    const std::string verdict = object.value("verdict", "");
    const std::string wanted = isUnsupported(expected_) ? "incomplete" : expected_.verdict;
    if (verdict != wanted) {
      result_.isUndecided = verdict == "incomplete";
      differ("verdict", wanted, describe(object, verdict));
    }
    if (object.value("model", "") != expected_.model) differ("model", expected_.model, object.value("model", ""));
    if (expected_.executions && *expected_.executions != result_.executions) {
      differ("executions", *expected_.executions, result_.executions);
    }
    if (expected_.blocked && *expected_.blocked != result_.blocked) differ("blocked", *expected_.blocked, result_.blocked);
    if (expected_.verdict == "error" && verdict == wanted) compareError(object.value("error", json()));
    if (!expected_.whys.empty()) compareWhy(object.value("why", json()));
  }

  // However the words are spread over lines.
  void compareWhy(const json& why) {
    std::string found = why.is_object() ? why.value("text", "") : "";
    std::ranges::replace(found, '\n', ' ');
    found.erase(std::unique(found.begin(), found.end(), [](char a, char b) { return a == ' ' && b == ' '; }), found.end());
    for (const std::string& text : expected_.whys) {
      if (found.find(text) == std::string::npos) differ("why", '"' + text + '"', '"' + found + '"');
    }
  }

  static std::string describe(const json& object, const std::string& verdict) {
    const json error = object.value("error", json());
    if (error.is_object()) {
      const std::string file = error.value("file", json()).is_string() ? error.at("file").get<std::string>() : "";
      const unsigned line = error.value("line", json()).is_number() ? error.at("line").get<unsigned>() : 0;
      return fmt::format("{}: {}{}", verdict, file.empty() ? "" : fmt::format("{}:{}: ", file, line),
                         util::firstLine(error.value("message", "")));
    }
    return object.contains("incomplete") ? fmt::format("{}: {}", verdict, object.value("incomplete", "")) : verdict;
  }

  void compareError(const json& error) {
    if (!error.is_object()) return result_.differences.push_back("no error is reported");
    const std::string kind = error.value("kind", "");
    if (std::ranges::find(expected_.errorKinds, kind) == expected_.errorKinds.end()) {
      differ("error", fmt::format("{}", fmt::join(expected_.errorKinds, " or ")), kind);
    }
    if (error.value("message", "").empty()) differ("message", "one", "none");
    const unsigned line = error.value("line", json()).is_number() ? error.at("line").get<unsigned>() : 0;
    if (!expected_.errorLines.empty() && std::ranges::find(expected_.errorLines, line) == expected_.errorLines.end()) {
      differ("line of the error", fmt::format("{}", fmt::join(expected_.errorLines, " or ")), line);
    }
    if (expected_.thread && error.value("thread", json()) != *expected_.thread) {
      differ("thread of the error", *expected_.thread, error.value("thread", json()).dump());
    }
  }

  const Expectation& expected_;
  const util::Finished& finished_;
  Comparison result_;
};

// heddle has compared a litmus test itself.
Comparison compareLitmus(const util::Finished& finished) {
  Comparison result;
  const json object = json::parse(finished.out, nullptr, false);
  result.isUndecided = finished.code != 0 && finished.code != 1;
  for (const json& test : object.is_object() ? object.value("tests", json::array()) : json::array()) {
    result.verdict = test.value("verdict", "");
    result.executions += test.value("executions", std::uint64_t{0});
    result.blocked += test.value("blocked", std::uint64_t{0});
    result.seconds += test.value("seconds", 0.0);
    for (const json& difference : test.value("unexpected", json::array())) result.differences.push_back(difference);
  }
  if (finished.code != 0 && result.differences.empty()) {
    result.differences.push_back(finished.err.empty() ? fmt::format("exit code: expected 0, found {}", finished.code)
                                                      : util::firstLine(finished.err));
  }
  return result;
}

}  // namespace

Comparison compare(const Case& tested, const util::Finished& finished) {
  if (!tested.expectation) return compareLitmus(finished);
  return Comparer(*tested.expectation, finished).run();
}

}  // namespace heddle::suite
