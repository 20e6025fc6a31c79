// The frame of a test in the kernel's dialect: initial state, heads of threads, what is observed, filter and condition.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "litmus/kernel/kernel_parser.h"
#include "litmus/parse_formula.h"

namespace heddle::litmus {

bool isKernelDialect(const SourceFile& file, bool preferred) {
  constexpr std::string_view kOnlyC11[] = {"memory_order", "_explicit", "atomic_load", "atomic_store", "atomic_int"};
  constexpr std::string_view kOnlyKernel[] = {"//! lkmm", "smp_",  "rcu_",         "spin_lock",   "spin_trylock",
                                              "spin_is_", "srcu_", "atomic_read(", "atomic_set(", "atomic_t "};
  const auto hasWord = [&](std::string_view word) { return file.text.find(word) != std::string::npos; };
  if (std::ranges::any_of(kOnlyC11, hasWord)) return false;
  return preferred || std::ranges::any_of(kOnlyKernel, hasWord);
}

KernelTest KernelParser::parse() {
  lexer_.setPosition(header_.end);
  token_ = lexer_.next();
  test_.syntax.name = header_.name;
  parseInitialState([&] { parseInitialItem(); });
  while (!atEndOfThreads()) parseThread();
  if (thread_ == 0) failHere(fmt::format("expected a thread `P0(...) {{ ... }}`, found {}", shown()));
  if (localOf_.size() > thread_)
    failHere(fmt::format("the initial state has a register of thread {}, which does not exist", localOf_.size() - 1));
  if (accept("locations")) parseObservedList();
  const auto comparison = [this] { return parseComparison(); };
  if (accept("filter")) test_.filter = parseFormula(*this, comparison);
  if (token_.kind != TokenKind::end) {
    test_.syntax.quantifier = parseQuantifier(*this);
    test_.syntax.condition = parseFormula(*this, comparison);
    accept(";");
  }
  if (token_.kind != TokenKind::end) failHere(fmt::format("expected the end of the file, found {}", shown()));
  // Both are over what is observed, which is put in order now.
  test_.syntax.condition = conjunction(std::move(test_.filter), std::move(test_.syntax.condition));
  sortObserved(test_.syntax);
  std::vector<Formula> both = std::move(test_.syntax.condition.parts);
  test_.filter = std::move(both[0]);
  test_.syntax.condition = std::move(both[1]);
  return std::move(test_);
}

bool KernelParser::atEndOfThreads() const {
  return token_.kind != TokenKind::identifier || token_.is("exists") || token_.is("forall") || token_.is("locations") ||
         token_.is("filter") || token_.is("not");
}

std::size_t KernelParser::location(const std::string& name) {
  const auto [found, isNew] = locationOf_.try_emplace(name, test_.program.locations.size());
  if (isNew) {
    if (locationOf_.size() > kMaxLocations) failHere("too many locations");
    test_.program.locations.push_back({name, kFirstAddress + found->second * kBetweenAddresses, 0});
    Location place;
    place.name = name;
    test_.syntax.locations.push_back(std::move(place));
  }
  return found->second;
}

unsigned KernelParser::local(std::size_t thread, const std::string& name) {
  if (localOf_.size() <= thread) localOf_.resize(thread + 1);
  if (test_.program.threads.size() <= thread) test_.program.threads.resize(thread + 1);
  auto& names = localOf_[thread];
  const auto [found, isNew] = names.try_emplace(name, static_cast<unsigned>(names.size()));
  if (isNew) {
    if (names.size() > kMaxLocals) failHere("too many variables in one thread");
    test_.program.threads[thread].locals.push_back(name);
    test_.program.threads[thread].initial.push_back(0);
  }
  return found->second;
}

// ---- The initial state

// x = 1    [x] = 1    int x = 1    int *p = &x    spinlock_t s    0:r1 = x    struct node { ... }    struct node n
void KernelParser::parseInitialItem() {
  if (atStructure()) return parseStructure();
  const std::string structure = token_.is("struct") ? std::string(peekToken().text) : "";
  const bool isPointer = token_.kind != TokenKind::number && atType() && skipType();
  while (accept("*")) {}
  if (token_.kind == TokenKind::number) {
    const unsigned thread = parseThreadNumber();
    const unsigned slot = local(thread, expectName("a register"));
    if (!accept("=")) return;
    test_.program.threads[thread].initial[slot] = static_cast<Value>(parseInitialValue());
    return;
  }
  const bool bracketed = accept("[");
  const std::string name = expectName("a location");
  if (bracketed) expect("]", "after the location");
  if (!bracketed && token_.is("[")) return array(name);
  if (!isPointer && structures_.count(structure) > 0) return parseStructVariable(structure, name);
  const std::size_t at = location(name);
  if (!accept("=")) return;
  const std::int64_t value = parseInitialValue();
  test_.program.locations[at].initial = static_cast<Value>(value);
}

// int a[2]    int a[2] = {1, 2}: locations a[0], a[1] at addresses in a row, so that a + 1 is &a[1].
void KernelParser::array(const std::string& name) {
  const std::size_t offset = token_.offset;
  advance();
  if (locationOf_.count(name) > 0) file_.fail(offset, fmt::format("`{}` is there already", name));
  const std::uint64_t count = expectArrayLength();
  if (count > kBetweenAddresses) file_.fail(offset, fmt::format("an array has {} elements at most", kBetweenAddresses));
  expect("]", "after the length");
  const std::size_t first = location(fmt::format("{}[0]", name));
  locationOf_[name] = first;
  const Address base = test_.program.locations[first].address;
  for (std::uint64_t i = 1; i < count; ++i) {
    const std::size_t element = location(fmt::format("{}[{}]", name, i));
    test_.program.locations[element].address = base + i;
  }
  if (!accept("=")) return;
  expect("{", "before the values of the array");
  for (std::uint64_t i = 0; !token_.is("}"); ++i) {
    if (i >= count) failHere(fmt::format("`{}` has fewer elements", name));
    test_.program.locations[location(fmt::format("{}[{}]", name, i))].initial = static_cast<Value>(parseInitialValue());
    if (!accept(",") && !accept(";")) break;
  }
  expect("}", "after the values of the array");
}

unsigned KernelParser::parseThreadNumber() {
  if (token_.value < 0 || token_.value >= static_cast<std::int64_t>(kMaxThreads)) failHere("there is no such thread");
  const auto thread = static_cast<unsigned>(token_.value);
  advance();
  expect(":", "between thread and register");
  return thread;
}

// 1    -1    x    &x    *(&x)    ATOMIC_INIT(1)    (atomic_t)ATOMIC_INIT(1)
std::int64_t KernelParser::parseInitialValue() {
  if (accept("*")) {  // in the public collections another way to write &x
    const bool inParentheses = accept("(");
    if (!token_.is("&")) failHere(fmt::format("expected `&`, found {}", shown()), "write the address of a location as &x");
    advance();
    const auto address = static_cast<std::int64_t>(addressOf(expectLocationName("a location")));
    if (inParentheses) expect(")", "to close the parenthesis");
    return address;
  }
  while (accept("(")) {
    skipType();
    expect(")", "after the type");
  }
  if (accept("ATOMIC_INIT") || accept("ATOMIC_LONG_INIT") || accept("ATOMIC64_INIT")) {
    expect("(", "after ATOMIC_INIT");
    const std::int64_t value = expectNumber();
    expect(")", "after the value");
    return value;
  }
  if (accept("NULL")) return 0;
  if (accept("{")) {  // spinlock_t s = { ... }: nothing that matters here
    while (!token_.is("}") && token_.kind != TokenKind::end) advance();
    expect("}", "after the initial value");
    return 0;
  }
  if (accept("&") || token_.kind == TokenKind::identifier)
    return static_cast<std::int64_t>(addressOf(expectLocationName("a location")));
  return expectNumber();
}

// ---- Threads

void KernelParser::parseThread() {
  if (atType() && peekToken().kind == TokenKind::identifier) skipType();  // void P0(...)
  const std::string expected = fmt::format("P{}", thread_);
  if (!token_.is(expected)) failHere(fmt::format("expected the thread `{}`, found {}", expected, shown()));
  if (thread_ == kMaxThreads) failHere("too many threads");
  advance();
  if (localOf_.size() <= thread_) localOf_.resize(thread_ + 1);
  if (test_.program.threads.size() <= thread_) test_.program.threads.resize(thread_ + 1);
  parameters_.clear();
  expect("(", "after the name of the thread");
  while (!token_.is(")")) {
    parseParameter();
    if (!accept(",")) break;
  }
  expect(")", "after the parameters");
  lexer_.setBody(true);
  KernelStmt body = parseBlock();
  checkJumps(body);
  lexer_.setBody(false);
  test_.program.threads[thread_].body = std::move(body);
  ++thread_;
}

void KernelParser::parseParameter() {
  skipType();
  if (token_.is(")")) return;  // void
  const std::string name = expectName("a parameter");
  if (accept("[")) expect("]", "after the parameter");
  parameters_[name] = addressOf(name);
}

// ---- What is observed

// locations [x; y; 0:r0;]
void KernelParser::parseObservedList() {
  expect("[", "after `locations`");
  while (!token_.is("]")) {
    if (accept(";") || accept(",")) continue;
    parseObserved(true);
  }
  advance();
  accept(";");
}

// 0:r0    P0:r0    x    [x]    *x. What is only listed may be a register that nothing is assigned to: it is 0.
std::uint32_t KernelParser::parseObserved(bool isListed) {
  Observed observed;
  observed.type = kWide;
  const bool bracketed = accept("[");
  while (accept("*")) {}
  std::size_t offset = token_.offset;
  if (token_.kind == TokenKind::number) {
    observed.isRegister = true;
    observed.thread = parseThreadNumber();
  } else {
    observed.name = expectLocationName("a register such as `0:r0` or a location");
    if (!bracketed && accept(":")) {
      observed.isRegister = true;
      for (observed.thread = 0; observed.thread < thread_ && observed.name != fmt::format("P{}", observed.thread);)
        ++observed.thread;
    }
  }
  if (observed.isRegister) {
    if (observed.thread >= thread_) file_.fail(offset, "there is no such thread");
    offset = token_.offset;
    const std::string name = expectName("a register");
    if (isListed && isRegister(name)) local(observed.thread, name);
    const auto found = localOf_[observed.thread].find(name);
    if (found == localOf_[observed.thread].end()) {
      file_.fail(offset, fmt::format("thread P{} has no register `{}`", observed.thread, name));
    }
    observed.slot = static_cast<std::uint16_t>(found->second);
    observed.name = fmt::format("{}:{}", observed.thread, name);
  } else {
    const auto found = locationOf_.find(observed.name);
    if (found == locationOf_.end()) file_.fail(offset, fmt::format("there is no location `{}`", observed.name));
    observed.location = static_cast<std::uint32_t>(found->second);
    if (bracketed) expect("]", "after the location");
  }
  const auto number = static_cast<std::uint32_t>(test_.syntax.observed.size());
  const auto [known, isNew] = observedOf_.try_emplace(observed.name, number);
  if (isNew) test_.syntax.observed.push_back(std::move(observed));
  return known->second;
}

Formula KernelParser::parseComparison() {
  Formula formula;
  formula.kind = FormulaKind::equal;
  formula.observable = parseObserved();
  formula.differs = parseDiffers(*this);
  if (token_.kind == TokenKind::number && peekToken().is(":")) {  // 0:r1=0:r2
    formula.toObservable = true;
    formula.other = parseObserved();
  } else if (accept("&") || token_.kind == TokenKind::identifier) {
    const std::size_t offset = token_.offset;
    const std::string name = expectLocationName("a location");
    const auto found = locationOf_.find(name);
    if (found == locationOf_.end()) file_.fail(offset, fmt::format("there is no location `{}`", name));
    formula.value = static_cast<std::int64_t>(test_.program.locations[found->second].address);
  } else {
    formula.value = expectNumber();
  }
  return formula;
}

}  // namespace heddle::litmus
