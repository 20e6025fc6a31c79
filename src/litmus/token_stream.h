// The tokens of a litmus file, one ahead, and what parsers do with them.
#pragma once

#include <string>
#include <string_view>

#include "litmus/lexer.h"
#include "litmus/source.h"

namespace heddle::litmus {

class TokenStream {
 public:
  explicit TokenStream(const SourceFile& file) : file_(file), lexer_(file) {}

  const Token& token() const { return token_; }
  void advance();
  bool accept(std::string_view text);
  void expect(std::string_view text, std::string_view where);
  std::string expectName(std::string_view what);
  std::uint64_t expectArrayLength();
  // A number, with a sign perhaps.
  std::int64_t expectNumber();
  [[noreturn]] void failHere(const std::string& message, const std::string& hint = {}) const;
  std::string shown() const;  // the current token, for messages

 protected:
  static constexpr std::uint64_t kMaxElements = 65536;

  const SourceFile& file_;
  Lexer lexer_;
  Token token_;                  // the current one
  std::size_t previousEnd_ = 0;  // where the token before it ended
};

}  // namespace heddle::litmus
