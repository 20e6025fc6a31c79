#include "util/page.h"

#include <algorithm>

namespace heddle::util {

std::string Style::paint(const char* code, const std::string& text) const {
  if (!color_) return text;
  return std::string("\x1b[").append(code).append("m").append(text).append("\x1b[0m");
}

std::string printable(const std::string& text) {
  std::string result = text;
  for (char& c : result) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f) c = byte == '\t' ? ' ' : '?';
  }
  return result;
}

std::size_t displayWidth(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  const std::string kHanging = "  ";
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    // Blanks belong to the word after them: they are dropped where a line begins.
    const std::size_t word = std::min(text.find_first_not_of(' ', at), text.size());
    const std::size_t end = std::min(text.find(' ', word), text.size());
    const std::string next = text.substr(at, end - at);
    const bool empty = line.find_first_not_of(' ') == std::string::npos;
    if (!empty && displayWidth(line) + displayWidth(next) > width) {
      lines.push_back(line);
      line = kHanging + text.substr(word, end - word);
    } else {
      line += next;
    }
    at = end;
  }
  lines.push_back(line);
  return lines;
}

}  // namespace heddle::util
