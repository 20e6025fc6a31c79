#include "explore/subtree.h"

#include <algorithm>
#include <charconv>

namespace heddle::explore {

namespace {

constexpr std::string_view kKinds = "ecrwvsx";

template <class T>
T parseNumber(std::string_view text, int base = 10) {
  T number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (text.empty() || problem != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument("not a subtree: `" + std::string(text) + "` is no number");
  }
  return number;
}

std::string_view nextWord(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

std::string hexadecimal(std::uint64_t number) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, number, 16).ptr;
  return {digits, end};
}

}  // namespace

// A subtree that begins after its path comes after everything below the path; the whole tree comes first.
std::strong_ordering compareStarts(const Subtree& a, const Subtree& b) {
  const std::size_t common = std::min(a.path.size(), b.path.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (const auto order = a.path[i].ordinal <=> b.path[i].ordinal; order != 0) return order;
  }
  if (a.path.size() == b.path.size()) return b.here <=> a.here;
  const bool shorterIsA = a.path.size() < b.path.size();
  const Subtree& shorter = shorterIsA ? a : b;
  const bool shorterFirst = shorter.isRoot() || shorter.here;
  return shorterFirst == shorterIsA ? std::strong_ordering::less : std::strong_ordering::greater;
}

std::string toText(const Subtree& subtree) {
  std::string text = std::to_string(subtree.base) + ' ' + hexadecimal(subtree.digest);
  if (subtree.here) text += " here";
  for (const PathStep& step : subtree.path) {
    text += ' ';
    text += step.kind;
    text += std::to_string(step.thread);
    if (step.ordinal != 0) text += ':' + std::to_string(step.ordinal);
  }
  return text;
}

Subtree parseSubtree(std::string_view text) {
  Subtree subtree;
  subtree.base = parseNumber<std::uint32_t>(nextWord(text));
  subtree.digest = parseNumber<std::uint64_t>(nextWord(text), 16);
  if (text.starts_with("here")) {
    subtree.here = true;
    nextWord(text);
  }
  while (!text.empty()) {
    std::string_view word = nextWord(text);
    PathStep step;
    if (word.empty() || kKinds.find(word[0]) == std::string_view::npos) throw std::invalid_argument("not a subtree");
    step.kind = word[0];
    word.remove_prefix(1);
    if (const std::size_t colon = word.find(':'); colon != std::string_view::npos) {
      step.ordinal = parseNumber<std::uint32_t>(word.substr(colon + 1));
      word = word.substr(0, colon);
    }
    step.thread = parseNumber<ThreadId>(word);
    subtree.path.push_back(step);
  }
  if (subtree.base > subtree.path.size()) throw std::invalid_argument("not a subtree: its base is too high");
  return subtree;
}

}  // namespace heddle::explore
