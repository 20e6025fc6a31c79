#include "litmus/header.h"

#include <algorithm>
#include <string_view>

#include "litmus/lexer.h"

namespace heddle::litmus {

namespace {

// Is the comment that begins here closed, with those in it?
bool isClosed(const std::string& text, std::size_t at) {
  std::size_t depth = 0;
  do {
    at = std::min(text.find("(*", at), text.find("*)", at));
    if (at == std::string::npos) return false;
    depth = text[at] == '(' ? depth + 1 : depth - 1;
    at += 2;
  } while (depth > 0);
  return true;
}

// Some tests of the public collections have a comment here that nobody closes. It ends where the initial state begins.
std::size_t pastOpenComment(const std::string& text, std::size_t at) {
  while (at < text.size() && static_cast<unsigned char>(text[at]) <= ' ') ++at;
  if (text.compare(at, 2, "(*") != 0 || isClosed(text, at)) return at;
  const std::size_t state = text.find("\n{", at);
  return state == std::string::npos ? at : state + 1;
}

// Does the head of a thread stand in this line, `P0(int *x)`?
bool hasThread(std::string_view line) {
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t at = line.find('P'); at != std::string_view::npos; at = line.find('P', at + 1)) {
    if (at > 0 && static_cast<unsigned char>(line[at - 1]) > ' ') continue;
    std::size_t end = at + 1;
    while (end < line.size() && isDigit(line[end])) ++end;
    if (end == at + 1) continue;
    while (end < line.size() && line[end] == ' ') ++end;
    if (end < line.size() && line[end] == '(') return true;
  }
  return false;
}

}  // namespace

Header readHeader(const SourceFile& file) {
  const std::string& text = file.text;
  const auto isWord = [&](std::size_t at) { return at < text.size() && static_cast<unsigned char>(text[at]) > ' '; };
  const auto endOfLine = [&](std::size_t at) { return std::min(text.find('\n', at), text.size()); };
  Lexer lexer(file);
  Header header;
  lexer.skipSpaceAndComments();
  std::size_t at = lexer.position();
  header.offset = at;
  while (isWord(at)) ++at;
  header.architecture = text.substr(header.offset, std::min<std::size_t>(at - header.offset, 40));
  const bool isC = header.architecture == "C";
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  const std::size_t nameStart = at;
  while (isWord(at) && text[at] != '{' && text[at] != '"') ++at;
  if (at - nameStart > 1000) file.fail(nameStart, "this name is too long");
  header.name = text.substr(nameStart, at - nameStart);
  for (;;) {
    if (!isC) at = pastOpenComment(text, at);
    lexer.setPosition(at);
    lexer.skipSpaceAndComments();
    at = lexer.position();
    if (at >= text.size() || text[at] == '{') break;
    if (text[at] == '"') {
      const std::size_t close = text.find('"', at + 1);
      if (close == std::string::npos) file.fail(at, "this string is never closed");
      at = close + 1;
      continue;
    }
    std::size_t end = at;
    while (isWord(end) && text[end] != '=' && text[end] != '{') ++end;
    // Prose may stand here, but the threads come after the initial state.
    if (isC && hasThread(std::string_view(text).substr(at, endOfLine(at) - at))) {
      file.fail(at, "expected the initial state, `{ ... }`", "it stands before the threads, and may be empty: {}");
    }
    const bool isProse = isC && (end == at || end >= text.size() || text[end] != '=');
    at = isProse ? std::min(text.find('{', at), endOfLine(end)) : endOfLine(end);
  }
  header.end = at;
  return header;
}

}  // namespace heddle::litmus
