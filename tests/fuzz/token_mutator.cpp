// Changes a text by tokens, so that most of what comes out gets past the lexer: libFuzzer's own way changes bytes.
//
// A token is a word, a number, a run of spaces, or one other character. A range of them is doubled, moved, taken out, put in
// parentheses many times over, or replaced by a piece of the language (target.h), by a number near a limit, or by a range of
// another input. Every fourth change is libFuzzer's.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "target.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

constexpr std::array kNumbers = {"0",
                                 "1",
                                 "-1",
                                 "2147483647",
                                 "2147483648",
                                 "4294967295",
                                 "4294967296",
                                 "65535",
                                 "9223372036854775807",
                                 "9223372036854775808",
                                 "-2147483649",
                                 "18446744073709551616",
                                 "0x7fffffffffffffff",
                                 "99999999999999999999999999",
                                 "1e400"};
constexpr std::array kBrackets = {"()", "[]", "{}", "<>", "\"\""};

using Tokens = std::vector<std::string>;

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isSpace(char c) { return c == ' ' || c == '\t'; }

Tokens tokensOf(const std::uint8_t* data, std::size_t size) {
  Tokens tokens;
  for (std::size_t i = 0; i < size; ++i) {
    const char c = static_cast<char>(data[i]);
    const char before = i == 0 ? '\0' : static_cast<char>(data[i - 1]);
    const bool joins = i > 0 && ((isWord(c) && isWord(before)) || (isSpace(c) && isSpace(before)));
    if (!joins) tokens.emplace_back();
    tokens.back().push_back(c);
  }
  return tokens;
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : engine_(seed) {}

  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : engine_() % bound; }

  void change(Tokens& tokens, const Tokens& other) {
    const std::size_t begin = below(tokens.size() + 1);
    const std::size_t end = begin + below(std::min<std::size_t>(tokens.size() - begin, below(4) == 0 ? 60 : 6) + 1);
    const auto at = [&](std::size_t i) { return tokens.begin() + static_cast<std::ptrdiff_t>(i); };
    const Tokens range(at(begin), at(end));
    switch (below(8)) {
      case 0: tokens.insert(at(below(tokens.size() + 1)), range.begin(), range.end()); break;
      case 1: tokens.erase(at(begin), at(end)); break;
      case 2: {
        tokens.erase(at(begin), at(end));
        tokens.insert(at(below(tokens.size() + 1)), range.begin(), range.end());
        break;
      }
      case 3: {
        const std::string bracket = kBrackets[below(kBrackets.size())];
        const std::size_t depth = below(10) == 0 ? 1 + below(500) : 1;
        tokens.insert(at(end), std::string(depth, bracket[1]));
        tokens.insert(at(begin), std::string(depth, bracket[0]));
        break;
      }
      case 4: replace(tokens, begin, end, kNumbers[below(kNumbers.size())]); break;
      case 5:
      case 6: replace(tokens, begin, below(2) == 0 ? begin : end, pieces[below(pieces.size())]); break;
      default: {
        const Tokens& from = other.empty() ? tokens : other;
        if (from.empty()) break;
        const std::size_t first = below(from.size());
        const std::size_t last = first + below(std::min<std::size_t>(from.size() - first, 20)) + 1;
        const Tokens given(from.begin() + static_cast<std::ptrdiff_t>(first),
                           from.begin() + static_cast<std::ptrdiff_t>(std::min(last, from.size())));
        tokens.erase(at(begin), at(end));
        tokens.insert(at(begin), given.begin(), given.end());
      }
    }
  }

 private:
  static void replace(Tokens& tokens, std::size_t begin, std::size_t end, const std::string& text) {
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(begin), tokens.begin() + static_cast<std::ptrdiff_t>(end));
    tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(begin), text);
  }

  std::minstd_rand engine_;
};

std::size_t write(const Tokens& tokens, std::uint8_t* out, std::size_t most) {
  std::size_t size = 0;
  for (const std::string& token : tokens) {
    const std::size_t part = std::min(token.size(), most - size);
    std::memcpy(out + size, token.data(), part);
    size += part;
  }
  return size;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  Mutator mutator(seed);
  if (mutator.below(4) == 0) return LLVMFuzzerMutate(data, size, most);
  Tokens tokens = tokensOf(data, size);
  for (std::size_t i = 0; i <= mutator.below(4); ++i) mutator.change(tokens, {});
  return write(tokens, data, most);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t firstSize, const std::uint8_t* second,
                                                 std::size_t secondSize, std::uint8_t* out, std::size_t most, unsigned seed) {
  Mutator mutator(seed);
  Tokens tokens = tokensOf(first, firstSize);
  const Tokens other = tokensOf(second, secondSize);
  for (std::size_t i = 0; i <= mutator.below(4); ++i) mutator.change(tokens, other);
  return write(tokens, out, most);
}
