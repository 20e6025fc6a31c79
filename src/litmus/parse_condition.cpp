// The final condition and the `locations` list. Both name registers and locations; what they name is collected as
// the observables of the test, which are put in the order that the simulators print them once the file is read.
#include <fmt/format.h>

#include <algorithm>

#include "litmus/parse_formula.h"
#include "litmus/parser.h"

namespace heddle::litmus {

// locations [x; y; 0:r0;]
void Parser::parseObservedList() {
  expect("[", "after `locations`");
  while (!token_.is("]")) {
    if (accept(";")) continue;
    parseObserved(true);
    if (!token_.is("]")) expect(";", "after this item");
  }
  advance();
  accept(";");
}

void Parser::parseFinalCondition() {
  if (token_.kind == TokenKind::end) return;  // quantifier none, and the formula `true`
  syntax_.quantifier = parseQuantifier(*this);
  syntax_.condition = parseFormula(*this, [this] { return parseComparison(); });
}

Formula Parser::parseComparison() {
  Formula formula;
  formula.kind = FormulaKind::equal;
  formula.observable = parseObserved(false);
  formula.differs = parseDiffers(*this);
  const std::size_t offset = token_.offset;
  const std::int64_t written = parseSignedValue();
  const Type& type = syntax_.observed[formula.observable].type;
  formula.value = type.fromMemory(static_cast<Value>(written));
  // 0xffffffff for an int is -1, and -1 for an unsigned is 0xffffffff; anything else could never hold.
  const Type opposite{.size = type.size, .isSigned = !type.isSigned};
  if (formula.value != written && opposite.convert(written) != written) {
    file_.fail(offset, fmt::format("{} does not fit in the {} byte{} of {}", written, type.size, type.size == 1 ? "" : "s",
                                   syntax_.observed[formula.observable].name));
  }
  return formula;
}

// 0:r0    P0:r0    x    [x]    a[2]    and, where whole arrays may be listed, a. Returns its number (of the last
// element, for a whole array).
std::uint32_t Parser::parseObserved(bool wholeArrays) {
  const std::size_t offset = token_.offset;
  const bool bracketed = accept("[");
  std::int64_t thread = -1;
  std::string name;
  if (token_.kind == TokenKind::number && !bracketed) {
    thread = token_.value;
    advance();
    expect(":", "between thread and register");
  } else {
    accept("*");
    name = expectName("a register such as `0:r0` or a location");
    if (!bracketed && accept(":")) {
      const auto isThread = [&](const Thread& t) { return name == fmt::format("P{}", t.number); };
      const auto found = std::find_if(syntax_.threads.begin(), syntax_.threads.end(), isThread);
      if (found == syntax_.threads.end()) file_.fail(offset, fmt::format("there is no thread `{}`", name));
      thread = found->number;
      name.clear();
    }
  }

  Observed observed;
  if (name.empty()) {
    if (thread < 0 || thread >= static_cast<std::int64_t>(syntax_.threads.size())) {
      file_.fail(offset, fmt::format("there is no thread {}", thread));
    }
    const std::size_t nameOffset = token_.offset;
    name = expectName("a register");
    const auto& registers = registersOf_[static_cast<std::size_t>(thread)];
    const auto found = registers.find(name);
    if (found == registers.end()) {
      file_.fail(nameOffset, fmt::format("thread P{} has no register `{}`", thread, name));
    }
    observed.isRegister = true;
    observed.thread = static_cast<unsigned>(thread);
    observed.slot = found->second;
    observed.type = syntax_.threads[observed.thread].locals[observed.slot].type;
    observed.name = fmt::format("{}:{}", thread, name);
    return observe(observed);
  }

  const auto found = locationOf_.find(name);
  if (found == locationOf_.end()) file_.fail(offset, fmt::format("there is no location `{}`", name));
  const Location& place = syntax_.locations[found->second];
  observed.location = found->second;
  observed.type = place.type;
  observed.name = name;
  const std::size_t indexOffset = token_.offset;
  const bool indexed = accept("[");
  if (indexed) {
    if (token_.kind != TokenKind::number || static_cast<std::uint64_t>(token_.value) >= place.count) {
      file_.fail(indexOffset, fmt::format("`{}` has the elements 0 to {}", name, place.count - 1));
    }
    observed.index = static_cast<std::uint64_t>(token_.value);
    advance();
    expect("]", "after the index");
  }
  if (bracketed) expect("]", "after the location");
  if (!place.isArray) return observe(observed);
  if (indexed) {
    observed.name = fmt::format("{}[{}]", name, observed.index);
    return observe(observed);
  }
  if (!wholeArrays) {
    file_.fail(offset, fmt::format("`{}` is an array", name), fmt::format("write `{}[0]=1`", name));
  }
  std::uint32_t last = 0;
  for (std::uint64_t i = 0; i < place.count; ++i) {
    observed.index = i;
    observed.name = fmt::format("{}[{}]", name, i);
    last = observe(observed);
  }
  return last;
}

std::uint32_t Parser::observe(Observed observed) {
  const auto number = static_cast<std::uint32_t>(syntax_.observed.size());
  const auto [found, isNew] = observedOf_.try_emplace(observed.name, number);
  if (isNew) syntax_.observed.push_back(std::move(observed));
  return found->second;
}

}  // namespace heddle::litmus
