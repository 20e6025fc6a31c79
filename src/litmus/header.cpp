#include "litmus/header.h"

#include <algorithm>

#include "litmus/lexer.h"

namespace heddle::litmus {

namespace {

// Some tests of the public collections have a comment here that nobody closes. It ends where the initial state begins.
std::size_t pastOpenComment(const std::string& text, std::size_t at) {
  while (at < text.size() && static_cast<unsigned char>(text[at]) <= ' ') ++at;
  if (text.compare(at, 2, "(*") != 0 || text.find("*)", at) != std::string::npos) return at;
  const std::size_t state = text.find("\n{", at);
  return state == std::string::npos ? at : state + 1;
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
    if (isC && (end == at || end >= text.size() || text[end] != '=')) {
      file.fail(at, "expected the initial state, `{ ... }`",
                "between the name and it may stand comments, quoted strings and `Key=value` lines");
    }
    at = endOfLine(end);
  }
  header.end = at;
  return header;
}

}  // namespace heddle::litmus
