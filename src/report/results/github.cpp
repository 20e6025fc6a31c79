#include "report/results/github.h"

#include <fmt/format.h>

namespace heddle::report {

namespace {

// The service ends a message at the end of a line and a property at a comma or colon, and undoes these escapes.
std::string escaped(const std::string& text, bool property) {
  std::string result;
  for (const char c : text) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ',' || c == ':'));
    result += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return result;
}

std::string annotation(const char* level, const Result& result, const std::string& title, const trace::Place& place,
                       const std::string& message) {
  std::string where = escaped(place.file.empty() ? result.file : place.file, true);
  const unsigned line = place.file.empty() ? result.line : place.line;
  if (line > 0) where += fmt::format(",line={}", line);
  if (place.column > 0) where += fmt::format(",col={}", place.column);
  return fmt::format("::{} file={},title={}::{}\n", level, where, escaped(title, true), escaped(message, false));
}

}  // namespace

std::string github(std::span<const Result> results, const std::string& /*version*/) {
  std::string text;
  for (const Result& result : results) {
    if (result.status == Result::Status::passed) continue;
    const auto& error = result.execution.error;
    text += annotation("error", result, "heddle " + result.name, error ? error->site.best() : trace::Place(), result.message);
    if (!error) continue;
    for (const trace::Error::Related& related : error->related) {
      if (related.site.best().file.empty()) continue;
      text += annotation("notice", result, "heddle " + result.name, related.site.best(),
                         fmt::format("{}, of the {}", related.what, error->title));
    }
  }
  return text;
}

}  // namespace heddle::report
