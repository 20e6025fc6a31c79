// Tokens of .cat, and the error type with its source line and caret.
//
// A name may contain `-` and `.` inside (po-loc is one name), which is why `^-1` is a token of its own and
// why a name never ends in either. Columns count bytes; the caret line copies the tabs of the line above it,
// so the caret stands right at any tab width.
#include "model/cat_lexer.h"

#include <fmt/format.h>

#include <string_view>

#include "model/cat.h"

namespace heddle::model {

namespace {

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNamePart(char c) { return isLetter(c) || isDigit(c) || c == '-' || c == '.'; }
bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
bool isContinuationByte(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

struct Symbol {
  std::string_view text;
  TokenKind kind;
};

// Longer symbols first.
constexpr Symbol kSymbols[] = {
    {"<=", TokenKind::lessEqual},   {"->", TokenKind::arrow},    {"^-1", TokenKind::inverse},  {"^+", TokenKind::caretPlus},
    {"^*", TokenKind::caretStar},   {"|", TokenKind::bar},       {";", TokenKind::semicolon},  {"\\", TokenKind::backslash},
    {"&", TokenKind::ampersand},    {"*", TokenKind::star},      {"~", TokenKind::tilde},      {"+", TokenKind::plus},
    {"?", TokenKind::question},     {"(", TokenKind::openParen}, {")", TokenKind::closeParen}, {"[", TokenKind::openBracket},
    {"]", TokenKind::closeBracket}, {"=", TokenKind::equals},    {",", TokenKind::comma},      {"{", TokenKind::openBrace},
    {"}", TokenKind::closeBrace},
};

class Lexer {
 public:
  explicit Lexer(const CatSource& source) : text_(source.text) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = lineStart_ = 3;  // a byte order mark
  }

  std::vector<Token> run() {
    while (next()) {}
    return std::move(tokens_);
  }

 private:
  // Adds one token; false after the last one.
  bool next() {
    if (!skipBlanks()) return false;
    if (at_ == text_.size()) return add(TokenKind::end, at_), false;
    char c = text_[at_];
    if (isLetter(c)) return addName();
    if (isDigit(c)) return addZero();
    if (c == '"') return addString();
    if (c == '\'' && at_ + 1 < text_.size() && isLetter(text_[at_ + 1])) return addTag();
    std::string_view rest = text_.substr(at_);
    for (const Symbol& symbol : kSymbols) {
      if (rest.starts_with(symbol.text)) return add(symbol.kind, at_ + symbol.text.size());
    }
    return unexpectedCharacter();
  }

  bool addName() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && isNamePart(text_[end])) ++end;
    while (text_[end - 1] == '-' || text_[end - 1] == '.') --end;
    return add(TokenKind::name, end);
  }

  bool addTag() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && isNamePart(text_[end])) ++end;
    add(TokenKind::tag, end);
    tokens_.back().text.erase(0, 1);
    return true;
  }

  bool addZero() {
    bool alone = at_ + 1 == text_.size() || !isNamePart(text_[at_ + 1]);
    if (text_[at_] == '0' && alone) return add(TokenKind::zero, at_ + 1);
    return invalid("a number other than 0 has no meaning here; 0 is the empty relation, and a name starts with a letter");
  }

  bool addString() {
    std::size_t close = text_.find_first_of("\"\n", at_ + 1);
    if (close == std::string_view::npos || text_[close] == '\n') return invalid("this string has no closing quote");
    add(TokenKind::string, close + 1);
    tokens_.back().text = text_.substr(tokens_.back().begin + 1, close - tokens_.back().begin - 1);
    return true;
  }

  bool unexpectedCharacter() {
    char c = text_[at_];
    switch (c) {
      case '^': return invalid("`^` must be followed by `-1`, `+` or `*`");
      default: break;
    }
    if (isControl(c)) return invalid(fmt::format("unexpected byte 0x{:02x}", static_cast<unsigned char>(c)));
    if (static_cast<unsigned char>(c) >= 0x80) {
      return invalid("unexpected character; operators are written in ASCII: | ; \\ & * ~ + ? ^-1");
    }
    return invalid(fmt::format("unexpected character `{}`", c));
  }

  // Skips white space and comments; false if a comment never ends (an `invalid` token has been added).
  bool skipBlanks() {
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == '\n') {
        newLine();
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        ++at_;
      } else if (c == '#' || text_.substr(at_).starts_with("//")) {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (text_.substr(at_).starts_with("(*")) {
        if (!skipComment()) return false;
      } else {
        break;
      }
    }
    return true;
  }

  bool skipComment() {
    const std::size_t start = at_;
    const std::size_t startOfLine = lineStart_;
    const unsigned startLine = line_;
    unsigned depth = 0;
    do {
      std::string_view rest = text_.substr(at_);
      if (rest.empty()) {
        at_ = start, lineStart_ = startOfLine, line_ = startLine;
        return invalid("this comment has no closing `*)`");
      }
      if (rest.starts_with("(*")) {
        ++depth, at_ += 2;
      } else if (rest.starts_with("*)")) {
        --depth, at_ += 2;
      } else if (rest[0] == '\n') {
        newLine();
      } else {
        ++at_;
      }
    } while (depth > 0);
    return true;
  }

  void newLine() { ++at_, ++line_, lineStart_ = at_; }

  bool add(TokenKind kind, std::size_t end) {
    unsigned column = static_cast<unsigned>(at_ - lineStart_) + 1;
    tokens_.push_back({kind, std::string(text_.substr(at_, end - at_)), at_, end, line_, column});
    at_ = end;
    return true;
  }

  bool invalid(std::string message) {
    add(TokenKind::invalid, at_ + 1);
    tokens_.back().text = std::move(message);
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t lineStart_ = 0;
  unsigned line_ = 1;
  std::vector<Token> tokens_;
};

// The line of the token and the caret line. Of a very long line only the part around the token is shown.
std::string pointAt(const CatSource& source, const Token& token) {
  constexpr std::size_t kBefore = 80;
  constexpr std::size_t kWidth = 160;
  const std::string& text = source.text;
  std::size_t begin = token.begin - (token.column - 1);
  std::size_t end = text.find('\n', token.begin);
  if (end == std::string::npos) end = text.size();
  if (token.begin - begin > kBefore) begin = token.begin - kBefore;
  while (begin < token.begin && isContinuationByte(text[begin])) ++begin;
  if (end - begin > kWidth) end = begin + kWidth;
  while (end < text.size() && isContinuationByte(text[end])) --end;
  if (end < token.begin) end = token.begin;

  std::string line;
  std::string caret;
  for (std::size_t i = begin; i < end; ++i) {
    char c = text[i];
    if (c == '\r' && i + 1 == end) break;
    line += isControl(c) && c != '\t' ? '?' : c;
    if (i < token.begin && !isContinuationByte(c)) caret += c == '\t' ? '\t' : ' ';
  }
  return "  " + line + "\n  " + caret + "^";
}

}  // namespace

CatError::CatError(Position position, const std::string& message)
    : std::runtime_error(position.line == 0
                             ? fmt::format("{}: error: {}", position.file, message)
                             : fmt::format("{}:{}:{}: error: {}", position.file, position.line, position.column, message)),
      position_(std::move(position)) {}

std::vector<Token> tokenize(const CatSource& source) { return Lexer(source).run(); }

std::string describe(const Token& token) {
  if (token.kind == TokenKind::end) return "the end of the file";
  if (token.kind == TokenKind::string) return "a string";
  constexpr std::size_t kLongest = 60;
  if (token.text.size() > kLongest) return "`" + token.text.substr(0, kLongest) + "...`";
  return "`" + token.text + "`";
}

std::string excerpt(const CatSource& source, std::size_t begin, std::size_t end) {
  constexpr std::size_t kLongest = 60;
  std::string result;
  for (std::size_t i = begin; i < end; ++i) {
    char c = source.text[i];
    bool blank = c == ' ' || isControl(c);
    if (blank && (result.empty() || result.back() == ' ')) continue;
    if (result.size() >= kLongest) return result + "...";
    result += blank ? ' ' : c;
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

void failAt(const CatSource& source, const Token& token, const std::string& message) {
  throw CatError({source.file, token.line, token.column}, message + "\n" + pointAt(source, token));
}

}  // namespace heddle::model
