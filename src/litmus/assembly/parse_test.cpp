#include "litmus/assembly/parse_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "litmus/parse_formula.h"

namespace heddle::litmus {

AssemblyParser::AssemblyParser(const SourceFile& file, const Header& header, const Architecture& architecture)
    : TokenStream(file), header_(header), architecture_(architecture) {}

AssemblyTest AssemblyParser::parse() {
  if (header_.name.empty()) {
    file_.fail(header_.offset, fmt::format("the test has no name; it begins with `{} name`", architecture_.name));
  }
  test_.syntax.name = header_.name;
  lexer_.setPosition(header_.end);
  token_ = lexer_.next();
  parseInitialState();
  parseThreads();
  lexer_.setPosition(at_);
  token_ = lexer_.next();
  parseEnd();
  return std::move(test_);
}

// The initial state --------------------------------------------------------------------------------------------

void AssemblyParser::parseInitialState() {
  if (!token_.is("{")) failHere(fmt::format("expected `{{` (the initial state), found {}", shown()));
  advance();
  while (!token_.is("}")) {
    if (accept(";") || accept(",")) continue;
    parseInitialItem();
    if (!token_.is("}") && !token_.is(";") && !token_.is(",")) {
      failHere(fmt::format("expected `;` after this item of the initial state, found {}", shown()));
    }
  }
  at_ = token_.endOffset();  // what follows is not made of these tokens
}

// int x = 1    [x] = 1    x    int a[2] = {1, 2}    0:X1 = x    int* 1:X0    %p = x
void AssemblyParser::parseInitialItem() {
  Type type = kInt;
  const bool typed = parseType(type);
  const std::size_t offset = token_.offset;
  const bool isThread = token_.kind == TokenKind::identifier && token_.text.size() > 1 && token_.text[0] == 'P' &&
                        std::all_of(token_.text.begin() + 1, token_.text.end(), [](char c) { return c >= '0' && c <= '9'; });
  const std::size_t after = token_.endOffset();
  if (token_.kind == TokenKind::number || (isThread && after < file_.text.size() && file_.text[after] == ':')) {
    parseInitialRegister(parseThreadNumber());
  } else if (accept("%")) {
    const std::string name = "%" + expectName("a register");
    lastInitial_ = offset;
    expect("=", "after the register");
    everywhere_.emplace_back(name, parseValue());
  } else {
    parseInitialLocation(typed, type);
  }
}

// Words of C types, and a `*`: then it is an address.
bool AssemblyParser::parseType(Type& type) {
  bool typed = false;
  while (token_.kind == TokenKind::identifier && beginsType(token_.text)) {
    if (token_.is("unsigned")) type.isSigned = false;
    if (token_.is("long")) type.size = 8;
    if (token_.is("char")) type.size = 1;
    if (token_.is("short")) type.size = 2;
    if (const auto named = namedType(token_.text)) type = {.size = named->size, .isSigned = named->isSigned};
    typed = true;
    advance();
  }
  while (typed && accept("*")) type = kWide;
  return typed;
}

unsigned AssemblyParser::parseThreadNumber() {
  std::int64_t number = token_.value;
  if (token_.kind != TokenKind::number) {
    number = 0;
    for (const char c : token_.text.substr(1, 6)) number = 10 * number + (c - '0');
  }
  if (number < 0 || number >= kMaxThreads) failHere("there is no such thread");
  advance();
  expect(":", "between thread and register");
  return static_cast<unsigned>(number);
}

AssemblyThread& AssemblyParser::threadNumbered(unsigned number) {
  if (test_.threads.size() <= number) test_.threads.resize(number + 1);
  return test_.threads[number];
}

std::optional<RegisterPart> AssemblyParser::findRegister(AssemblyThread& thread, std::string_view word) const {
  const auto name = architecture_.registerNamed(word);
  if (!name) return std::nullopt;
  if (name->isZero) return RegisterPart{.slot = kNoRegister, .size = name->size};
  const auto [found, isNew] = thread.registers.try_emplace(name->whole, static_cast<std::uint16_t>(thread.initial.size()));
  if (isNew) thread.initial.emplace_back();
  if (thread.initial.size() > kMaxRegisters) failHere("too many registers in one thread");
  return RegisterPart{.slot = found->second, .size = name->size};
}

void AssemblyParser::parseInitialRegister(unsigned number) {
  const std::size_t offset = token_.offset;
  const std::string name = (accept("%") ? "%" : "") + expectName("a register");
  AssemblyThread& thread = threadNumbered(number);
  const auto reg = findRegister(thread, name);
  if (!reg) file_.fail(offset, fmt::format("`{}` is not a register of {}", name, architecture_.name));
  lastInitial_ = offset;
  if (!accept("=")) return;
  const SymbolicValue value = parseValue();
  if (reg->slot != kNoRegister) thread.initial[reg->slot] = value;
}

SymbolicValue AssemblyParser::parseValue() {
  accept("&");
  if (token_.kind == TokenKind::identifier) return {.number = 0, .location = location(expectName("a location"))};
  return {.number = expectNumber(), .location = {}};
}

std::uint32_t AssemblyParser::location(const std::string& name) {
  const auto [found, isNew] = locationOf_.try_emplace(name, static_cast<std::uint32_t>(test_.syntax.locations.size()));
  if (isNew) {
    Location& place = test_.syntax.locations.emplace_back();
    place.name = name;
  }
  return found->second;
}

void AssemblyParser::parseInitialLocation(bool typed, const Type& type) {
  const bool bracketed = accept("[");
  if (!bracketed) accept("*");
  const std::string name = expectName("a location or a register such as 0:r1");
  if (bracketed) expect("]", "after the location");
  if (token_.is(":")) failHere(fmt::format("`{}` is not a thread", name), "0:r1=x; is register r1 of thread P0");
  const std::uint32_t index = location(name);
  Location& place = test_.syntax.locations[index];
  if (typed) {
    place.type = type;
    place.typed = true;
  }
  if (!bracketed && accept("[")) {
    place.isArray = true;
    place.count = expectArrayLength();
    expect("]", "after the length");
  }
  if (!accept("=")) return;
  const auto put = [&](std::size_t element) {
    const SymbolicValue value = parseValue();
    Location& target = test_.syntax.locations[index];
    if (target.initial.size() <= element) target.initial.resize(element + 1);
    target.initial[element] = value.number;
    if (value.location) test_.pointers.push_back({index, static_cast<std::uint32_t>(element), *value.location});
  };
  if (!accept("{")) return put(0);
  for (std::size_t element = 0; !token_.is("}"); ++element) {
    if (element >= test_.syntax.locations[index].count) failHere(fmt::format("`{}` has fewer elements", name));
    put(element);
    if (!accept(",") && !accept(";")) break;
  }
  expect("}", "after the values of the array");
}

// The threads --------------------------------------------------------------------------------------------------

bool AssemblyParser::isAtCondition(std::size_t at) const {
  static constexpr std::array<std::string_view, 8> kWords = {"exists", "forall", "locations", "filter",
                                                             "final",  "not",    "observed",  "~"};
  const std::string_view rest = std::string_view(file_.text).substr(at);
  return std::ranges::any_of(kWords, [&](std::string_view word) {
    return rest.starts_with(word) && (word == "~" || rest.size() == word.size() || !isAssemblyWord(rest[word.size()]));
  });
}

// The cells of the row at at_, which goes to its `;`.
std::vector<std::pair<std::size_t, std::size_t>> AssemblyParser::parseRow() {
  const std::string& text = file_.text;
  std::vector<std::pair<std::size_t, std::size_t>> cells;
  const std::size_t rowBegin = at_;
  std::size_t begin = at_;
  std::size_t end = at_;  // of what is no comment
  bool inComment = false;
  for (;; ++at_) {
    if (at_ >= text.size()) file_.fail(rowBegin, "this row of instructions has no `;` at its end");
    const std::string_view rest = std::string_view(text).substr(at_, 2);
    if (rest == "(*" || rest == "//") {
      const std::size_t close = rest == "//" ? text.find('\n', at_) : text.find("*)", at_ + 2);
      if (close == std::string::npos) file_.fail(at_, "this comment is never closed");
      inComment = true;
      at_ = rest == "//" ? close - 1 : close + 1;
      continue;
    }
    if (text[at_] == '|' || text[at_] == ';') {
      cells.emplace_back(begin, inComment ? end : at_);
      begin = end = at_ + 1;
      inComment = false;
      if (text[at_] == ';') break;
    } else if (!inComment) {
      end = at_ + 1;
    }
  }
  ++at_;
  for (auto& [first, last] : cells) {
    while (first < last && isAssemblyBlank(text[first])) ++first;
    while (first < last && isAssemblyBlank(text[last - 1])) --last;
  }
  return cells;
}

void AssemblyParser::parseNames(const std::vector<std::pair<std::size_t, std::size_t>>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto [begin, end] = cells[i];
    const std::string name = file_.text.substr(begin, end - begin);
    if (name != fmt::format("P{}", i)) {
      file_.fail(begin, fmt::format("expected the name of thread P{}, found `{}`", i, name.substr(0, 40)),
                 "the first row has the names of the threads: P0 | P1 ;");
    }
  }
  if (cells.size() > kMaxThreads) file_.fail(cells.front().first, fmt::format("more than {} threads", kMaxThreads));
  if (test_.threads.size() > cells.size()) {
    file_.fail(lastInitial_, fmt::format("there is no thread P{}", test_.threads.size() - 1));
  }
  test_.threads.resize(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    AssemblyThread& thread = test_.threads[i];
    thread.source = static_cast<std::uint32_t>(test_.syntax.sources.size());
    test_.syntax.sources.push_back(
        {static_cast<std::uint32_t>(cells[i].first), static_cast<std::uint32_t>(cells[i].second), 0});
    for (const auto& [name, value] : everywhere_) {
      if (const auto reg = findRegister(thread, name)) thread.initial[reg->slot] = value;
    }
    if (!architecture_.impliedRegister.empty()) findRegister(thread, architecture_.impliedRegister);
  }
}

void AssemblyParser::parseThreads() {
  const auto skip = [&] {
    lexer_.setPosition(at_);
    lexer_.skipSpaceAndComments();
    at_ = lexer_.position();
  };
  skip();
  while (at_ < file_.text.size() && file_.text[at_] == ';') {
    ++at_;
    skip();
  }
  if (at_ >= file_.text.size() || isAtCondition(at_)) file_.fail(at_, "expected the threads, `P0 | P1 ;`");
  parseNames(parseRow());
  for (skip(); at_ < file_.text.size() && !isAtCondition(at_); skip()) {
    const auto cells = parseRow();
    if (cells.size() > test_.threads.size()) {
      file_.fail(cells[test_.threads.size()].first, fmt::format("a row with more than {} cells", test_.threads.size()));
    }
    for (std::size_t i = 0; i < cells.size(); ++i) parseCell(test_.threads[i], cells[i].first, cells[i].second);
  }
}

// Exit1:    LC00: LDR W0,[X1]
void AssemblyParser::parseCell(AssemblyThread& thread, std::size_t begin, std::size_t end) {
  const std::string& text = file_.text;
  for (;;) {
    while (begin < end && isAssemblyBlank(text[begin])) ++begin;
    std::size_t after = begin;
    while (after < end && isAssemblyWord(text[after])) ++after;
    if (after == begin || after == end || text[after] != ':') break;
    thread.items.push_back({text.substr(begin, after - begin), begin, {}});
    begin = after + 1;
  }
  if (begin == end) return;
  AssemblyLine line = parseAssemblyLine(file_, begin, end, [&](std::string_view word) { return findRegister(thread, word); });
  line.source = static_cast<std::uint32_t>(test_.syntax.sources.size());
  test_.syntax.sources.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), 0});
  for (const AssemblyOperand& operand : line.operands) {
    if (operand.kind == OperandKind::memory && !operand.name.empty()) location(operand.name);
  }
  thread.items.push_back({"", line.offset, std::move(line)});
}

// The condition ------------------------------------------------------------------------------------------------

void AssemblyParser::parseEnd() {
  Syntax& syntax = test_.syntax;
  std::optional<Formula> filter;
  for (;;) {
    if (accept("locations")) {
      parseObservedList();
    } else if (accept("filter")) {
      filter = parseFormula(*this, [this] { return parseComparison(); });
    } else {
      break;
    }
  }
  if (token_.kind == TokenKind::end) return;  // quantifier none, and the formula `true`
  const bool isFinal = accept("final") || accept("observed");
  syntax.quantifier = isFinal ? Quantifier::exists : parseQuantifier(*this);
  syntax.condition = parseFormula(*this, [this] { return parseComparison(); });
  if (filter) {
    // For all: of those that pass it.
    const bool all = syntax.quantifier == Quantifier::forall;
    Formula combined =
        conjunction(std::move(*filter), all ? negation(std::move(syntax.condition)) : std::move(syntax.condition));
    syntax.condition = all ? negation(std::move(combined)) : std::move(combined);
  }
  // Old tests go on with what models say, and with commands to the simulator.
  if (token_.kind != TokenKind::end && !token_.is(";") && !token_.is("with") && !token_.is("<<")) {
    failHere(fmt::format("expected the end of the file, found {}", shown()));
  }
}

// locations [x; y; 0:r0;]
void AssemblyParser::parseObservedList() {
  expect("[", "after `locations`");
  while (!token_.is("]")) {
    if (accept(";")) continue;
    Type ignored;
    parseType(ignored);
    parseObserved();
    if (!token_.is("]")) expect(";", "after this item");
  }
  advance();
  accept(";");
}

Formula AssemblyParser::parseComparison() {
  Formula formula;
  formula.kind = FormulaKind::equal;
  formula.observable = parseObserved();
  formula.differs = parseDiffers(*this);
  const SymbolicValue value = parseValue();
  formula.value = value.number;
  test_.compared.push_back(value);
  return formula;
}

// 0:X0    P0:X0    x    [x]    a[2]
std::uint32_t AssemblyParser::parseObserved() {
  const std::size_t offset = token_.offset;
  const std::size_t after = token_.endOffset();
  const bool isThread =
      token_.kind == TokenKind::number ||
      (token_.kind == TokenKind::identifier && token_.text.size() > 1 && token_.text[0] == 'P' && token_.text[1] >= '0' &&
       token_.text[1] <= '9' && after < file_.text.size() && file_.text[after] == ':');
  Observed observed;
  if (isThread) {
    const unsigned number = parseThreadNumber();
    if (number >= test_.threads.size()) file_.fail(offset, fmt::format("there is no thread P{}", number));
    const std::size_t nameOffset = token_.offset;
    const std::string name = (accept("%") ? "%" : "") + expectName("a register");
    const auto reg = findRegister(test_.threads[number], name);
    if (!reg) file_.fail(nameOffset, fmt::format("`{}` is not a register of {}", name, architecture_.name));
    if (reg->slot == kNoRegister) file_.fail(nameOffset, fmt::format("`{}` is always 0", name));
    observed.isRegister = true;
    observed.thread = number;
    observed.slot = reg->slot;
    observed.type = kWide;
    observed.name = fmt::format("{}:{}", number, name);
    return observe(observed);
  }
  const bool bracketed = accept("[");
  accept("*");
  const std::string name = expectName("a register such as `0:r0` or a location");
  observed.location = location(name);
  observed.name = name;
  const Location& place = test_.syntax.locations[observed.location];
  if (accept("[")) {
    if (token_.kind != TokenKind::number || static_cast<std::uint64_t>(token_.value) >= place.count) {
      failHere(fmt::format("`{}` has the elements 0 to {}", name, place.count - 1));
    }
    observed.index = static_cast<std::uint64_t>(token_.value);
    advance();
    expect("]", "after the index");
    observed.name = fmt::format("{}[{}]", name, observed.index);
  }
  if (bracketed) expect("]", "after the location");
  return observe(observed);
}

std::uint32_t AssemblyParser::observe(Observed observed) {
  const auto number = static_cast<std::uint32_t>(test_.syntax.observed.size());
  const auto [found, isNew] = observedOf_.try_emplace(observed.name, number);
  if (isNew) test_.syntax.observed.push_back(std::move(observed));
  return found->second;
}

}  // namespace heddle::litmus
