// Tokens of a litmus file.
//
// The file mixes two languages: C in the thread bodies, and the simulators' own notation around them. They
// differ in one place that matters here: `(*` opens a comment in the latter, while in C it begins something
// like READ_ONCE(*x). So the parser tells the lexer when it enters and leaves a body; inside, `(*` is a comment
// only where a statement may begin and a space follows.
#pragma once

#include <string_view>

#include "litmus/source.h"

namespace heddle::litmus {

enum class TokenKind : std::uint8_t { end, identifier, number, punctuation };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  std::int64_t value = 0;  // of a number; one above INT64_MAX wraps to the same 64 bits
  std::size_t offset = 0;

  bool is(std::string_view wanted) const {
    return (kind == TokenKind::punctuation || kind == TokenKind::identifier) && text == wanted;
  }
  std::size_t endOffset() const { return offset + text.size(); }
};

class Lexer {
 public:
  explicit Lexer(const SourceFile& file) : file_(file) {}

  Token next();

  void setBody(bool inBody) { inBody_ = inBody; }

  // The header of the file is read line by line rather than by token.
  std::size_t position() const { return position_; }
  void setPosition(std::size_t position) { position_ = position; }
  void skipSpaceAndComments();

 private:
  char at(std::size_t position) const { return position < file_.text.size() ? file_.text[position] : '\0'; }
  bool opensParenComment() const;
  void skipParenComment();
  Token number();

  const SourceFile& file_;
  std::size_t position_ = 0;
  bool inBody_ = false;
  char previous_ = ';';  // the last character of the token before
};

}  // namespace heddle::litmus
