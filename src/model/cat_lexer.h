// The tokens of a .cat file.
//
// The whole file becomes one vector of tokens before parsing, so that the parser can look ahead: it wants to
// know whether an unknown name is defined further down. Text that is no token does not fail here. It becomes
// an `invalid` token that carries the message and ends the vector, so that a mistake earlier in the file is
// reported first, as a reader expects.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/ast.h"

namespace heddle::model {

struct CatSource {
  std::string file;
  std::string text;
};

enum class TokenKind {
  name,          // letters, digits, _ - . ; keywords and `_` too
  string,        // "..."; the text is without the quotes
  zero,          // 0
  bar,           // |
  semicolon,     // ;
  backslash,     // \ .
  ampersand,     // &
  star,          // *
  tilde,         // ~
  plus,          // +
  question,      // ?
  inverse,       // ^-1
  caretPlus,     // ^+
  caretStar,     // ^*
  openParen,     // (
  closeParen,    // )
  openBracket,   // [
  closeBracket,  // ]
  equals,        // =
  comma,         // ,
  tag,           // 'once; the text is without the quote
  openBrace,     // {
  closeBrace,    // }
  lessEqual,     // <=   (query files only)
  arrow,         // ->   (query files only)
  invalid,       // the text is an error message
  end,
};

struct Token {
  TokenKind kind;
  std::string text;
  std::size_t begin;  // offsets into CatSource::text
  std::size_t end;
  unsigned line;
  unsigned column;
};

// Ends with exactly one `end` or `invalid` token.
std::vector<Token> tokenize(const CatSource& source);

// The token as it stands in the file, fit for a message: quoted, or `the end of the file`.
std::string describe(const Token& token);

// A piece of the source on one line, shortened, without control characters.
std::string excerpt(const CatSource& source, std::size_t begin, std::size_t end);

// Throws a CatError that shows the token's line with a caret under its first character.
[[noreturn]] void failAt(const CatSource& source, const Token& token, const std::string& message);

}  // namespace heddle::model
