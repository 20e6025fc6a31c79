#include "litmus/lexer.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace heddle::litmus {

namespace {

// <cctype> depends on the locale and is undefined for negative characters.
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isWord(char c) { return isWordStart(c) || isDigit(c); }
bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

// Longest first; `/\`, `\/` and `=>` are the connectives of the final condition.
constexpr std::array<std::string_view, 24> kLongPunctuation = {"<<=", ">>=", "/\\", "\\/", "=>", "++", "--", "+=",
                                                               "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^=", "<<",
                                                               ">>",  "<=",  ">=",  "==",  "!=", "&&", "||", "<>"};
constexpr std::string_view kShortPunctuation = "{}()[];,:=<>+-*/%&|^~!?.#";

}  // namespace

bool Lexer::opensParenComment() const {
  if (at(position_) != '(' || at(position_ + 1) != '*') return false;
  if (!inBody_) return true;
  const bool statementStart = previous_ == ';' || previous_ == '{' || previous_ == '}';
  const char after = at(position_ + 2);
  return statementStart && (isSpace(after) || after == '*');
}

void Lexer::skipParenComment() {
  const std::size_t start = position_;
  position_ += 2;
  for (std::size_t depth = 1; depth > 0;) {
    if (position_ >= file_.text.size()) file_.fail(start, "this comment is never closed");
    if (at(position_) == '(' && at(position_ + 1) == '*') {
      ++depth;
      position_ += 2;
    } else if (at(position_) == '*' && at(position_ + 1) == ')') {
      --depth;
      position_ += 2;
    } else {
      ++position_;
    }
  }
}

void Lexer::skipSpaceAndComments() {
  for (;;) {
    const char c = at(position_);
    if (isSpace(c)) {
      ++position_;
    } else if (opensParenComment()) {
      skipParenComment();
    } else if (c == '/' && at(position_ + 1) == '*') {
      const std::size_t close = file_.text.find("*/", position_ + 2);
      if (close == std::string::npos) file_.fail(position_, "this comment is never closed");
      position_ = close + 2;
    } else if (c == '/' && at(position_ + 1) == '/') {
      const std::size_t newline = file_.text.find('\n', position_);
      position_ = newline == std::string::npos ? file_.text.size() : newline;
    } else {
      return;
    }
  }
}

Token Lexer::number() {
  const std::size_t start = position_;
  int base = 10;
  if (at(position_) == '0' && (at(position_ + 1) == 'x' || at(position_ + 1) == 'X')) {
    base = 16;
    position_ += 2;
  } else if (at(position_) == '0' && (at(position_ + 1) == 'b' || at(position_ + 1) == 'B')) {
    base = 2;
    position_ += 2;
  } else if (at(position_) == '0' && isDigit(at(position_ + 1))) {
    base = 8;
    ++position_;
  }
  const char* const begin = file_.text.data() + position_;
  const char* const limit = file_.text.data() + file_.text.size();
  std::uint64_t value = 0;
  const auto [stop, problem] = std::from_chars(begin, limit, value, base);
  if (problem == std::errc::result_out_of_range) file_.fail(start, "this number does not fit in 64 bits");
  if (problem != std::errc()) file_.fail(start, "this number has no digits");
  position_ += static_cast<std::size_t>(stop - begin);
  for (char c = at(position_); c == 'u' || c == 'U' || c == 'l' || c == 'L'; c = at(position_)) ++position_;
  if (isWord(at(position_)) || at(position_) == '.') {
    file_.fail(start, "this is not an integer", "integers are decimal, 0x hexadecimal, 0 octal or 0b binary");
  }
  Token token;
  token.kind = TokenKind::number;
  token.offset = start;
  token.text = std::string_view(file_.text).substr(start, position_ - start);
  token.value = static_cast<std::int64_t>(value);
  return token;
}

Token Lexer::next() {
  skipSpaceAndComments();
  Token token;
  token.offset = position_;
  if (position_ >= file_.text.size()) return token;

  const std::string_view text = file_.text;
  const char c = at(position_);
  if (isDigit(c)) {
    token = number();
  } else if (isWordStart(c)) {
    while (isWord(at(position_))) ++position_;
    token.kind = TokenKind::identifier;
    token.text = text.substr(token.offset, position_ - token.offset);
  } else {
    token.kind = TokenKind::punctuation;
    for (const std::string_view candidate : kLongPunctuation) {
      if (text.substr(position_, candidate.size()) == candidate) {
        token.text = text.substr(position_, candidate.size());
        break;
      }
    }
    if (token.text.empty()) {
      if (kShortPunctuation.find(c) == std::string_view::npos) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f) file_.fail(position_, fmt::format("unexpected character `{}`", c));
        file_.fail(position_, fmt::format("unexpected byte 0x{:02x}", byte));
      }
      token.text = text.substr(position_, 1);
    }
    position_ += token.text.size();
  }
  previous_ = token.text.back();
  return token;
}

}  // namespace heddle::litmus
