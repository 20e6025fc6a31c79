#include "litmus/token_stream.h"

#include <fmt/format.h>

namespace heddle::litmus {

void TokenStream::advance() {
  previousEnd_ = token_.endOffset();
  token_ = lexer_.next();
}

bool TokenStream::accept(std::string_view text) {
  if (!token_.is(text)) return false;
  advance();
  return true;
}

std::string TokenStream::shown() const {
  if (token_.kind == TokenKind::end) return "the end of the file";
  constexpr std::size_t limit = 40;
  return token_.text.size() <= limit ? fmt::format("`{}`", token_.text) : fmt::format("`{}...`", token_.text.substr(0, limit));
}

void TokenStream::failHere(const std::string& message, const std::string& hint) const {
  file_.fail(token_.offset, message, hint);
}

void TokenStream::expect(std::string_view text, std::string_view where) {
  if (!accept(text)) failHere(fmt::format("expected `{}` {}, found {}", text, where, shown()));
}

std::string TokenStream::expectName(std::string_view what) {
  if (token_.kind != TokenKind::identifier) failHere(fmt::format("expected {}, found {}", what, shown()));
  std::string name(token_.text);
  if (name.size() > 1000) failHere("this name is too long");
  advance();
  return name;
}

std::uint64_t TokenStream::expectArrayLength() {
  if (token_.kind != TokenKind::number) failHere(fmt::format("expected a number, found {}", shown()));
  const auto length = static_cast<std::uint64_t>(token_.value);
  if (length == 0 || length > kMaxElements) {
    failHere(fmt::format("an array has between 1 and {} elements", kMaxElements));
  }
  advance();
  return length;
}

std::int64_t TokenStream::expectNumber() {
  const bool negative = accept("-");
  if (!negative) accept("+");
  if (token_.kind != TokenKind::number) failHere(fmt::format("expected a number, found {}", shown()));
  const auto magnitude = static_cast<std::uint64_t>(token_.value);
  if (negative && magnitude > std::uint64_t{1} << 63) failHere("this number does not fit in 64 bits");
  advance();
  return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
}

}  // namespace heddle::litmus
