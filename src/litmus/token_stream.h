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
  static constexpr unsigned kMaxNesting = 200;

  // Counts one level of nesting while it lives.
  class Nesting {
   public:
    explicit Nesting(TokenStream& tokens) : tokens_(tokens) {
      if (++tokens_.nesting_ > kMaxNesting) tokens_.failHere("this is nested too deeply");
    }
    ~Nesting() { --tokens_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    TokenStream& tokens_;
  };

  // { item; item; ... }
  template <class ParseItem>
  void parseInitialState(const ParseItem& parseItem) {
    expect("{", "(the initial state)");
    while (!token_.is("}")) {
      if (accept(";")) continue;
      parseItem();
      if (!token_.is("}")) expect(";", "after this item of the initial state");
    }
    advance();
  }

  const SourceFile& file_;
  Lexer lexer_;
  Token token_;                  // the current one
  std::size_t previousEnd_ = 0;  // where the token before it ended
  unsigned nesting_ = 0;
};

}  // namespace heddle::litmus
