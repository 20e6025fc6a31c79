#include "report/results/junit.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace heddle::report {

namespace {

// XML 1.0 has no way to write most control characters, and no byte that is not UTF-8; both become a question mark.
std::string escaped(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else if (c < 0x20 && c != '\n' && c != '\t') {
      result += '?';
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string caseText(const Result& result) {
  std::string text = fmt::format(R"(    <testcase name="{}" classname="heddle.{}" file="{}")", escaped(result.name),
                                 escaped(result.command), escaped(result.file));
  if (result.line > 0) text += fmt::format(R"( line="{}")", result.line);
  text += fmt::format(R"( time="{:.3f}">)", result.seconds) + '\n';
  if (result.status == Result::Status::passed) {
    return text + fmt::format("      <system-out>{}</system-out>\n    </testcase>\n", escaped(result.details));
  }
  const char* element = result.status == Result::Status::failed ? "failure" : "error";
  return text + fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n    </testcase>\n", element,
                            escaped(result.kind), escaped(result.message), escaped(result.details));
}

std::string countsText(std::span<const Result* const> results) {
  const auto count = [&](Result::Status status) {
    return std::ranges::count_if(results, [&](const Result* result) { return result->status == status; });
  };
  double seconds = 0;
  for (const Result* result : results) seconds += result->seconds;
  return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="0" time="{:.3f}")", results.size(),
                     count(Result::Status::failed), count(Result::Status::undecided), seconds);
}

}  // namespace

std::string junit(std::span<const Result> results, const std::string& /*version*/) {
  std::vector<const Result*> all;
  for (const Result& result : results) all.push_back(&result);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites name=\"heddle\" {}>\n", countsText(all));
  for (auto first = all.begin(); first != all.end();) {  // results of a file stand together
    const auto last = std::find_if(first, all.end(), [&](const Result* result) { return result->file != (*first)->file; });
    text += fmt::format("  <testsuite name=\"{}\" {}>\n", escaped((*first)->file), countsText({first, last}));
    for (; first != last; ++first) text += caseText(**first);
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace heddle::report
