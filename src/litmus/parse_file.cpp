// The frame of a litmus file: header, initial state, the heads of the threads, and the checks that need all of them.
#include <fmt/format.h>

#include <algorithm>

#include "litmus/parse_formula.h"
#include "litmus/parser.h"

namespace heddle::litmus {

// The file ----------------------------------------------------------------------------------------------------

Syntax Parser::parse() {
  lexer_.setPosition(header_.end);
  token_ = lexer_.next();
  syntax_.name = header_.name;
  parseInitialState([&] { parseInitialItem(); });
  while (token_.kind == TokenKind::identifier && !token_.is("exists") && !token_.is("forall") && !token_.is("locations") &&
         !token_.is("filter") && !token_.is("not")) {
    parseThread();
  }
  checkThreads();
  if (accept("locations")) parseObservedList();
  if (token_.is("filter")) failHere("`filter` is not supported", "write assume(...) in the threads instead");
  parseFinalCondition();
  if (token_.kind != TokenKind::end) failHere(fmt::format("expected the end of the file, found {}", shown()));
  sortObserved(syntax_);
  return std::move(syntax_);
}

// Initial state -----------------------------------------------------------------------------------------------

void Parser::parseInitialItem() {
  bool typed = false;
  Type type = kInt;
  if (token_.kind == TokenKind::identifier && beginsType(token_.text)) {
    type = parseType();
    typed = true;
    if (token_.is("*")) failHere("pointers to locations are not supported");
  }
  if (token_.kind == TokenKind::number) {
    const std::int64_t number = token_.value;
    if (number < 0 || number >= kMaxThreads) failHere("there is no such thread");
    advance();
    expect(":", "between thread and register");
    parseInitialRegister(static_cast<unsigned>(number), typed, type);
  } else {
    parseInitialLocation(typed, type);
  }
}

void Parser::parseInitialRegister(unsigned thread, bool typed, const Type& type) {
  const std::size_t offset = token_.offset;
  Local local;
  local.name = expectName("a register");
  if (typed) local.type = type;
  expect("=", "after the register");
  local.initial = parseSignedValue();
  if (initialRegisters_.size() <= thread) {
    initialRegisters_.resize(thread + 1);
    initialRegisterOffset_.resize(thread + 1);
  }
  if (initialRegisters_[thread].size() >= kMaxLocals) file_.fail(offset, "too many registers in one thread");
  const std::string shownName = fmt::format("{}:{}", thread, local.name);
  if (!initialRegisterNames_.insert(shownName).second) file_.fail(offset, shownName + " is given twice");
  initialRegisters_[thread].push_back(local);
  initialRegisterOffset_[thread] = offset;
}

std::uint32_t Parser::location(const std::string& name) {
  const auto [found, isNew] = locationOf_.try_emplace(name, static_cast<std::uint32_t>(syntax_.locations.size()));
  if (isNew) {
    syntax_.locations.emplace_back();
    syntax_.locations.back().name = name;
  }
  return found->second;
}

// x = 1    [x] = 1    int x = 1    int a[4] = {1, 2}    a[4]    a[2] = 1 (of an array declared before)
void Parser::parseInitialLocation(bool typed, const Type& type) {
  const std::size_t offset = token_.offset;
  const bool bracketed = accept("[");
  if (!bracketed && token_.is("*")) advance();
  const std::string name = expectName("a location");
  if (bracketed) expect("]", "after the location");
  if (token_.is(":")) {  // P0:r0
    const bool isThread = name.size() > 1 && name.size() <= 5 && name[0] == 'P' &&
                          std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!isThread || std::stoul(name.substr(1)) >= kMaxThreads) file_.fail(offset, "there is no such thread");
    advance();
    parseInitialRegister(static_cast<unsigned>(std::stoul(name.substr(1))), typed, type);
    return;
  }
  const bool isNew = locationOf_.find(name) == locationOf_.end();
  Location& place = syntax_.locations[location(name)];
  std::uint64_t length = 0;
  if (!bracketed && accept("[")) {
    if (!isNew && !typed) {  // one element
      if (token_.kind != TokenKind::number || static_cast<std::uint64_t>(token_.value) >= place.count) {
        failHere(fmt::format("`{}` has the elements 0 to {}", name, place.count - 1));
      }
      const auto index = static_cast<std::uint64_t>(token_.value);
      advance();
      expect("]", "after the index");
      expect("=", "after the element");
      if (place.initial.size() <= index) place.initial.resize(index + 1);
      place.initial[index] = parseSignedValue();
      return;
    }
    length = expectArrayLength();
    expect("]", "after the length");
  }
  if (!isNew) file_.fail(offset, fmt::format("the location `{}` is given twice", name));
  if (type.isVoid) file_.fail(offset, "a location cannot have the type void");
  place.typed = typed;
  place.type = type;
  place.isArray = length != 0;
  place.count = length != 0 ? length : 1;
  if (!accept("=")) return;
  if (accept("{")) {
    if (!place.isArray) failHere("only an array takes a list of values");
    while (!token_.is("}")) {
      if (place.initial.size() == place.count) failHere(fmt::format("`{}` has {} elements", name, place.count));
      place.initial.push_back(parseSignedValue());
      if (!accept(",")) break;
    }
    expect("}", "after the values of the array");
  } else {
    if (place.isArray) failHere("expected the values of the array, `{0, 1, ...}`");
    place.initial.push_back(parseSignedValue());
  }
}

std::int64_t Parser::parseSignedValue() {
  if (token_.is("&") || (token_.kind == TokenKind::identifier && !token_.is("true") && !token_.is("false"))) {
    failHere("expected a number; pointers to locations are not supported");
  }
  if (accept("true")) return 1;
  if (accept("false")) return 0;
  return expectNumber();
}

// Threads -----------------------------------------------------------------------------------------------------

void Parser::parseThread() {
  if (beginsType(token_.text)) parseType();  // `void P0(...)`
  const std::size_t offset = token_.offset;
  const auto number = static_cast<unsigned>(syntax_.threads.size());
  if (!token_.is(fmt::format("P{}", number))) {
    failHere(fmt::format("expected thread P{}{}, found {}", number, number > 0 ? " or the final condition" : "", shown()),
             "threads are named P0, P1, ... in this order");
  }
  if (number >= kMaxThreads) failHere(fmt::format("more than {} threads", kMaxThreads));
  advance();
  syntax_.threads.emplace_back();
  thread_ = &syntax_.threads.back();
  thread_->number = number;
  parameters_.clear();
  slotOf_.clear();
  inScope_.clear();
  scopeStack_.clear();
  if (number < initialRegisters_.size()) {
    for (const Local& local : initialRegisters_[number]) {
      const auto slot = static_cast<std::uint16_t>(thread_->locals.size());
      thread_->locals.push_back(local);
      slotOf_[local.name] = slot;
      inScope_[local.name] = slot;
    }
  }

  expect("(", "after the name of the thread");
  if (!token_.is(")")) {
    do parseParameter();
    while (accept(","));
  }
  expect(")", "after the parameters");
  if (!token_.is("{")) failHere(fmt::format("expected `{{` (the body of P{}), found {}", number, shown()));
  lexer_.setBody(true);
  thread_->body = parseBlock();
  if (thread_->body == nullptr) file_.fail(offset, "this thread has no body");
  registersOf_.push_back(std::move(slotOf_));
  slotOf_.clear();
  thread_ = nullptr;
}

void Parser::parseParameter() {
  const std::size_t offset = token_.offset;
  if (token_.is("void")) {
    parseType();
    if (token_.is(")")) return;
    file_.fail(offset, "a parameter needs an integer type");
  }
  if (token_.kind != TokenKind::identifier || !beginsType(token_.text)) {
    failHere(fmt::format("expected a parameter such as `atomic_int* x`, found {}", shown()));
  }
  const Type type = parseType();
  bool pointer = accept("*");
  skipQualifiers();
  if (pointer && token_.is("*")) failHere("pointers to locations are not supported");
  const std::size_t nameOffset = token_.offset;
  const std::string name = expectName("the name of a location");
  std::uint64_t length = 1;
  if (accept("[")) {
    pointer = true;
    if (!token_.is("]")) length = expectArrayLength();
    expect("]", "after the length");
  }
  if (!pointer) {
    file_.fail(nameOffset, fmt::format("the parameter `{}` is not a pointer", name),
               fmt::format("each parameter is the address of a location: `atomic_int* {}`", name));
  }
  if (type.isVoid) file_.fail(offset, "a parameter needs an integer type");
  const std::uint32_t index = location(name);
  Location& place = syntax_.locations[index];
  if (!place.typed) {
    place.type = type;
    place.typed = true;
  }
  if (length > 1 && !place.isArray && place.initial.empty()) {
    place.isArray = true;
    place.count = length;
  }
  place.bytes = std::max<std::uint64_t>(place.bytes, type.size * length);
  if (slotOf_.count(name) != 0) file_.fail(nameOffset, fmt::format("`{}` is already a register", name));
  if (!parameters_.try_emplace(name, Parameter{index, type}).second) {
    file_.fail(nameOffset, fmt::format("two parameters are named `{}`", name));
  }
}

// What can only be judged once all threads are known.
void Parser::checkThreads() {
  const std::size_t count = syntax_.threads.size();
  if (count == 0) failHere(fmt::format("expected thread P0, found {}", shown()));
  for (std::size_t thread = count; thread < initialRegisters_.size(); ++thread) {
    if (!initialRegisters_[thread].empty()) {
      file_.fail(initialRegisterOffset_[thread], fmt::format("there is no thread P{}", thread));
    }
  }
  for (const SpawnSite& site : spawnSites_) {
    if (site.number >= static_cast<std::int64_t>(count)) {
      file_.fail(site.offset, fmt::format("there is no thread P{}", site.number));
    }
    if (!site.isSpawn) continue;
    Thread& thread = syntax_.threads[static_cast<std::size_t>(site.number)];
    if (thread.spawned) file_.fail(site.offset, fmt::format("P{} is spawned in two places", site.number));
    thread.spawned = true;
  }
  if (std::all_of(syntax_.threads.begin(), syntax_.threads.end(), [](const Thread& t) { return t.spawned; })) {
    file_.fail(spawnSites_.front().offset, "no thread runs from the start: each is spawned by another");
  }
  for (Location& place : syntax_.locations) place.bytes = std::max(place.bytes, place.count * place.type.size);
}

}  // namespace heddle::litmus
