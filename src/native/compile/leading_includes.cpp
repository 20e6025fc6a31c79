#include "native/compile/leading_includes.h"

#include <algorithm>
#include <filesystem>

namespace heddle::native {

namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

void skip(std::string_view& text, std::size_t n) { text.remove_prefix(std::min(n, text.size())); }

// Does a line go on in the next one?
bool goesOn(std::string_view line) {
  const std::size_t last = line.find_last_not_of(" \t\v\f");
  return last != std::string_view::npos && line[last] == '\\';
}

// The line that text begins with. A carriage return ends one, too.
std::string_view lineOf(std::string_view text) { return text.substr(0, text.find_first_of("\r\n")); }

// Blanks and comments.
void skipBlanks(std::string_view& text) {
  while (true) {
    skip(text, text.find_first_not_of(kBlanks));
    if (text.starts_with("//") && !goesOn(lineOf(text)))
      skip(text, lineOf(text).size());
    else if (text.starts_with("/*") && text.find("*/", 2) != std::string_view::npos)
      skip(text, text.find("*/", 2) + 2);
    else
      return;
  }
}

// Takes `word` from the front of a directive; blanks may come before it.
bool take(std::string_view& line, std::string_view word) {
  std::string_view rest = line;
  skip(rest, rest.find_first_not_of(" \t"));
  if (!rest.starts_with(word)) return false;
  line = rest.substr(word.size());
  return true;
}

// Has a directive nothing more to say?
bool ends(std::string_view rest) {
  skip(rest, rest.find_first_not_of(" \t"));
  return rest.empty() || (rest.starts_with("//") && !goesOn(rest));
}

// What is between two delimiters, if there is nothing more.
std::optional<std::string> delimited(std::string_view line, std::string_view open, char close) {
  if (!take(line, open)) return std::nullopt;
  const std::size_t length = line.find(close);
  if (length == std::string_view::npos || !ends(line.substr(length + 1))) return std::nullopt;
  return std::string(line.substr(0, length));
}

// The name after a word like ifndef, if there is nothing more.
std::optional<std::string> nameAfter(std::string_view line, std::string_view word) {
  if (!take(line, word) || !line.starts_with(' ')) return std::nullopt;
  skip(line, line.find_first_not_of(' '));
  const std::size_t length = std::min(line.size(), line.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst"
                                                                          "uvwxyz0123456789_"));
  if (length == 0 || !ends(line.substr(length))) return std::nullopt;
  return std::string(line.substr(0, length));
}

class Scanner {
 public:
  explicit Scanner(const ReadFile& read) : read_(read) {}

  // True if there is nothing else to the end of the file.
  bool scan(std::string_view text, const std::string& path, bool guarded) {
    if (std::ranges::find(files_, path) != files_.end()) return false;
    files_.push_back(path);
    if (guarded) takeGuard(text);
    while (true) {
      skipBlanks(text);
      if (text.empty()) return true;
      std::string_view line = directive(text);
      if (take(line, "pragma")) {
        if (!take(line, "once") || !ends(line)) return false;
      } else if (!take(line, "include") || !include(line, path)) {
        return false;
      }
    }
  }

  LeadingIncludes result() { return std::move(found_); }

 private:
  // The line that `text` begins with, without its #, and takes it from there. Empty if it is no directive.
  static std::string_view directive(std::string_view& text) {
    std::string_view line = lineOf(text);
    const std::size_t length = line.size();
    if (!take(line, "#")) return {};
    skip(text, length);
    return line;
  }

  void takeGuard(std::string_view& text) {
    std::string_view rest = text;
    skipBlanks(rest);
    const auto tested = nameAfter(directive(rest), "ifndef");
    if (!tested || std::ranges::find(found_.guards, *tested) != found_.guards.end()) return;
    skipBlanks(rest);
    if (nameAfter(directive(rest), "define") != tested) return;
    found_.guards.push_back(*tested);
    text = rest;
  }

  bool include(std::string_view line, const std::string& path) {
    if (const auto name = delimited(line, "<", '>')) {
      found_.headers.push_back(*name);
      return true;
    }
    const auto name = delimited(line, "\"", '"');
    if (!name) return false;
    const std::string beside = (std::filesystem::path(path).parent_path() / *name).string();
    const auto text = read_(beside);
    return text && scan(*text, beside, true);
  }

  const ReadFile& read_;
  LeadingIncludes found_;
  std::vector<std::string> files_;  // that have been looked into
};

}  // namespace

LeadingIncludes leadingIncludes(std::string_view source, const std::string& path, const ReadFile& read) {
  Scanner scanner(read);
  scanner.scan(source, path, false);
  return scanner.result();
}

}  // namespace heddle::native
