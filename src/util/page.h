// Text for a page: that of a terminal, or of a file that a person reads.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::util {

// Marks up text for a terminal, or leaves it alone.
class Style {
 public:
  explicit Style(bool color = false) : color_(color) {}
  std::string good(const std::string& text) const { return paint("32", text); }
  std::string bad(const std::string& text) const { return paint("1;31", text); }
  std::string warning(const std::string& text) const { return paint("33", text); }
  std::string strong(const std::string& text) const { return paint("1", text); }

 private:
  std::string paint(const char* code, const std::string& text) const;
  bool color_;
};

struct Page {
  Style style = Style();
  std::size_t width = 100;  // in characters
};

// Without characters that a terminal would obey; every other byte stays.
std::string printable(const std::string& text);

// How many characters a terminal shows, if the text is UTF-8.
std::size_t displayWidth(const std::string& text);

std::string firstLine(const std::string& text);

// Breaks a text at blanks into lines of at most `width` characters, or a little more if a word is longer than that.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

}  // namespace heddle::util
