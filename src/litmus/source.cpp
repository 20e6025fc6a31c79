#include "litmus/source.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::litmus {

namespace {

constexpr std::size_t kShownWidth = 140;  // of a source line; longer lines are cut around the caret

// A file may hold anything; what we print is one line of printable characters.
std::string printable(const std::string& text, std::size_t begin, std::size_t end) {
  std::string shown = text.substr(begin, end - begin);
  for (char& c : shown) {
    if (c == '\t') c = ' ';
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) c = '?';
  }
  return shown;
}

}  // namespace

void SourceFile::fail(std::size_t offset, const std::string& message, const std::string& hint) const {
  throw LitmusError(*this, offset, message, hint);
}

LitmusError::Place LitmusError::locate(const SourceFile& file, std::size_t offset) {
  const std::string& text = file.text;
  offset = std::min(offset, text.size());
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(offset);
  Place place{};
  place.line = 1 + static_cast<unsigned>(std::count(text.begin(), end, '\n'));
  const std::size_t previous = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  place.lineStart = previous == std::string::npos ? 0 : previous + 1;
  place.lineEnd = std::min(text.find('\n', offset), text.size());
  place.column = 1 + static_cast<unsigned>(offset - place.lineStart);
  return place;
}

std::string LitmusError::describe(const SourceFile& file, std::size_t offset, const std::string& message,
                                  const std::string& hint) {
  const Place place = locate(file, offset);
  std::size_t begin = place.lineStart;
  const std::size_t caret = place.lineStart + place.column - 1;
  if (caret - begin > kShownWidth / 2 && place.lineEnd - begin > kShownWidth) begin = caret - kShownWidth / 2;
  const std::size_t end = std::min(place.lineEnd, begin + kShownWidth);
  std::string text = fmt::format("{}:{}:{}: error: {}\n  {}\n  {}^", file.name, place.line, place.column, message,
                                 printable(file.text, begin, end), std::string(caret - begin, ' '));
  if (!hint.empty()) text += "\n  hint: " + hint;
  return text;
}

LitmusError::LitmusError(const SourceFile& file, std::size_t offset, const std::string& message, const std::string& hint)
    : std::runtime_error(describe(file, offset, message, hint)) {
  const Place place = locate(file, offset);
  line_ = place.line;
  column_ = place.column;
}

LitmusError::LitmusError(const std::string& file, const std::string& message)
    : std::runtime_error(file + ": error: " + message) {}

}  // namespace heddle::litmus
