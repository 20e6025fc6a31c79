// The body of a thread in the kernel's dialect: declarations, statements, expressions and calls of primitives.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "litmus/kernel/kernel_parser.h"
#include "litmus/parser.h"

namespace heddle::litmus {

namespace {

constexpr std::array<std::string_view, 24> kTypeWords = {
    "int",      "long",      "short",    "char",     "unsigned", "signed",     "void",          "bool",
    "_Bool",    "const",     "volatile", "struct",   "atomic_t", "atomic64_t", "atomic_long_t", "spinlock_t",
    "intptr_t", "uintptr_t", "size_t",   "spinlock", "static",   "register",   "rwlock_t",      "raw_spinlock_t"};

struct KernelOperator {
  std::string_view text;
  unsigned level;  // the higher, the tighter
  Operator op;
};
constexpr KernelOperator kKernelOperators[] = {
    {"|", 1, Operator::bitOr},      {"^", 2, Operator::bitXor},      {"&", 3, Operator::bitAnd},
    {"==", 4, Operator::equal},     {"!=", 4, Operator::notEqual},   {"<", 5, Operator::less},
    {"<=", 5, Operator::lessEqual}, {">", 5, Operator::greater},     {">=", 5, Operator::greaterEqual},
    {"<<", 6, Operator::shiftLeft}, {">>", 6, Operator::shiftRight}, {"+", 7, Operator::add},
    {"-", 7, Operator::sub},        {"*", 8, Operator::mul},         {"/", 8, Operator::div},
    {"%", 8, Operator::mod}};
constexpr unsigned kTightest = 8;

struct CompoundAssignment {
  std::string_view text;
  Operator op;
};
constexpr CompoundAssignment kCompound[] = {{"+=", Operator::add},    {"-=", Operator::sub},   {"*=", Operator::mul},
                                            {"&=", Operator::bitAnd}, {"|=", Operator::bitOr}, {"^=", Operator::bitXor}};

}  // namespace

// ---- Tokens and types

Token KernelParser::peekToken() {
  const std::size_t here = lexer_.position();
  const Token next = lexer_.next();
  lexer_.setPosition(here);
  return next;
}

unsigned KernelParser::currentLine() const {
  const auto end = file_.text.begin() + static_cast<std::ptrdiff_t>(std::min(token_.offset, file_.text.size()));
  return 1 + static_cast<unsigned>(std::count(file_.text.begin(), end, '\n'));
}

// A word that is a type, or two words in a row.
bool KernelParser::atType() {
  if (token_.kind != TokenKind::identifier) return false;
  if (std::ranges::find(kTypeWords, token_.text) != kTypeWords.end() || beginsType(token_.text)) return true;
  const Token next = peekToken();
  return next.kind == TokenKind::identifier && !token_.is("else") && !token_.is("return") && !token_.is("do") &&
         !token_.is("goto") && !token_.is("case");
}

// name:
bool KernelParser::atLabel() { return token_.kind == TokenKind::identifier && !token_.is("default") && peekToken().is(":"); }

// The words and stars of a type, up to what is declared. Is it a pointer?
bool KernelParser::skipType() {
  bool any = false;
  while (token_.kind == TokenKind::identifier) {
    const bool isStruct = token_.is("struct");
    const bool isWord = isStruct || std::ranges::find(kTypeWords, token_.text) != kTypeWords.end() || beginsType(token_.text);
    if (any && !isWord) break;
    advance();
    if (isStruct) expectName("the name of a structure");
    any = true;
  }
  if (!any) failHere(fmt::format("expected a type, found {}", shown()));
  bool isPointer = false;
  while (true) {
    if (accept("*")) {
      isPointer = true;
    } else if (!accept("const") && !accept("volatile") && !accept("__rcu")) {
      return isPointer;
    }
  }
}

// ---- Statements

KernelStmt KernelParser::parseBlock() {
  Nesting nesting(*this);
  expect("{", "before the statements");
  KernelStmt block;
  while (!accept("}")) parsePart(block.parts);
  return block;
}

// Of a block: a declaration, a label, or a statement.
void KernelParser::parsePart(std::vector<KernelStmt>& into) {
  if (token_.kind == TokenKind::end) failHere("expected `}` before the end of the file");
  if (atLabel()) {
    into.push_back(parseLabel());
  } else if (atType()) {
    parseDeclaration(into);
  } else {
    into.push_back(parseStatement());
  }
}

// int r0;    int r0 = READ_ONCE(*x), *r1;
void KernelParser::parseDeclaration(std::vector<KernelStmt>& into) {
  skipType();
  do {
    while (accept("*") || accept("__rcu")) {}
    const std::size_t offset = token_.offset;
    const std::string name = expectName("a variable");
    if (parameters_.count(name) > 0) file_.fail(offset, fmt::format("`{}` is a parameter", name));
    if (token_.is("[")) failHere("an array is a location: declare it in the initial state", "{ int a[2]; }");
    const unsigned slot = local(thread_, name);
    if (!accept("=")) continue;
    KernelStmt stmt;
    stmt.kind = KernelStmtKind::expression;
    stmt.expr = make(KernelExprKind::assign, {parseExpression()});
    stmt.expr.slot = slot;
    into.push_back(std::move(stmt));
  } while (accept(","));
  expect(";", "after the declaration");
}

KernelStmt KernelParser::parseStatement() {
  Nesting nesting(*this);
  if (token_.is("{")) return parseBlock();
  if (accept(";")) return {};
  if (token_.is("if")) return parseBranch();
  if (token_.is("while") || token_.is("do")) return parseLoop();
  if (token_.is("for")) return parseCountedLoop();
  if (token_.is("switch")) return parseSwitch();
  KernelStmt stmt;
  const bool isName = peekToken().is("=");  // a variable may be called `continue`
  if (accept("return")) {
    stmt.kind = KernelStmtKind::returnThread;
  } else if (token_.is("goto")) {
    stmt = parseJump();
  } else if (!isName && (token_.is("break") || token_.is("continue"))) {
    const bool leaves = token_.is("break");
    if (leaves ? breakable_ == 0 : loops_ == 0) failHere(fmt::format("{} is in no loop", shown()));
    stmt.kind = leaves ? KernelStmtKind::breakOut : KernelStmtKind::nextRound;
    advance();
  } else {
    stmt = expressionStatement();
  }
  expect(";", "after the statement");
  return stmt;
}

KernelStmt KernelParser::parseLabel() {
  KernelStmt stmt;
  stmt.kind = KernelStmtKind::label;
  const std::size_t offset = token_.offset;
  const std::string name = expectName("a label");
  stmt.label = labelOf(name, offset);
  if (!labels_.at(name).defined.insert(thread_).second)
    file_.fail(offset, fmt::format("the label `{}` is there already", name));
  expect(":", "after the label");
  return stmt;
}

KernelStmt KernelParser::parseJump() {
  advance();
  KernelStmt stmt;
  stmt.kind = KernelStmtKind::jump;
  const std::size_t offset = token_.offset;
  const std::string name = expectName("a label");
  stmt.label = labelOf(name, offset);
  stmt.isBackward = labels_.at(name).defined.contains(thread_);
  return stmt;
}

unsigned KernelParser::labelOf(const std::string& name, std::size_t offset) {
  const auto [found, isNew] = labels_.try_emplace(name);
  if (isNew) found->second = {.number = static_cast<unsigned>(labels_.size()), .offset = offset, .defined = {}};
  return found->second.number;
}

// switch (e) { case 1: ... break; default: ... }: its cases are not in inner blocks.
KernelStmt KernelParser::parseSwitch() {
  advance();
  KernelStmt stmt;
  stmt.kind = KernelStmtKind::select;
  stmt.expr = parseCondition();
  expect("{", "after the head of the switch");
  ++breakable_;
  while (!accept("}")) {
    const bool isDefault = token_.is("default");
    if (!isDefault && !token_.is("case")) {
      if (stmt.cases.empty()) failHere("expected `case` or `default` first in the switch");
      parsePart(stmt.parts);
      continue;
    }
    advance();
    const std::int64_t value = isDefault ? 0 : expectNumber();
    stmt.cases.push_back({.isDefault = isDefault, .value = value, .part = stmt.parts.size()});
    expect(":", "after the case");
  }
  --breakable_;
  stmt.ways = waysOut(stmt);
  return stmt;
}

// Where the statement may lead.
WaysOut KernelParser::waysOut(const KernelStmt& stmt) const {
  WaysOut ways;
  switch (stmt.kind) {
    case KernelStmtKind::returnThread: ways.returns = true; break;
    case KernelStmtKind::breakOut: ways.breaks = true; break;
    case KernelStmtKind::nextRound: ways.continues = true; break;
    case KernelStmtKind::jump:
      if (!stmt.isBackward) ways.labels.insert(stmt.label);
      break;
    default: break;
  }
  for (const KernelStmt& part : stmt.parts) {
    const WaysOut of = waysOut(part);
    ways.returns |= of.returns;
    ways.breaks |= of.breaks;
    ways.continues |= of.continues;
    ways.labels.insert(of.labels.begin(), of.labels.end());
  }
  for (const KernelStmt& part : stmt.parts) {
    if (part.kind == KernelStmtKind::label) ways.labels.erase(part.label);
  }
  if (stmt.kind == KernelStmtKind::loop || stmt.kind == KernelStmtKind::select) ways.breaks = false;
  if (stmt.kind == KernelStmtKind::loop) ways.continues = false;
  return ways;
}

// Every jump leads to a label of a block around it.
void KernelParser::checkJumps(const KernelStmt& stmt, std::set<unsigned> around) const {
  for (const KernelStmt& part : stmt.parts) {
    if (part.kind == KernelStmtKind::label) around.insert(part.label);
  }
  if (stmt.kind == KernelStmtKind::jump && !around.contains(stmt.label)) {
    const auto label = std::ranges::find_if(labels_, [&](const auto& entry) { return entry.second.number == stmt.label; });
    const bool isThere = label->second.defined.contains(thread_);
    file_.fail(label->second.offset,
               isThere ? fmt::format("`goto {}` leads into a block; only what is around it can be jumped to", label->first)
                       : fmt::format("there is no label `{}`", label->first));
  }
  for (const KernelStmt& part : stmt.parts) checkJumps(part, around);
}

KernelExpr KernelParser::parseCondition() {
  expect("(", "before the condition");
  KernelExpr condition = parseExpression();
  expect(")", "after the condition");
  return condition;
}

KernelStmt KernelParser::parseBranch() {
  advance();
  KernelStmt stmt;
  stmt.kind = KernelStmtKind::branch;
  stmt.expr = parseCondition();
  stmt.parts.push_back(parseStatement());
  if (accept("else")) stmt.parts.push_back(parseStatement());
  stmt.ways = waysOut(stmt);
  return stmt;
}

KernelStmt KernelParser::parseRound() {
  ++loops_;
  ++breakable_;
  KernelStmt round = parseStatement();
  --loops_;
  --breakable_;
  return round;
}

KernelStmt KernelParser::parseLoop() {
  KernelStmt stmt;
  stmt.kind = KernelStmtKind::loop;
  stmt.testAtEnd = token_.is("do");
  advance();
  if (stmt.testAtEnd) {
    stmt.parts.push_back(parseRound());
    if (!accept("while")) failHere(fmt::format("expected `while` after the body of `do`, found {}", shown()));
    stmt.expr = parseCondition();
    expect(";", "after the loop");
  } else {
    stmt.expr = parseCondition();
    stmt.parts.push_back(parseRound());
  }
  stmt.ways = waysOut(stmt);
  return stmt;
}

// for (i = 0; i < 2; i++) ...: the first part, and a loop that ends with the last one.
KernelStmt KernelParser::parseCountedLoop() {
  advance();
  KernelStmt all;
  expect("(", "after `for`");
  if (atType()) {
    parseDeclaration(all.parts);
  } else if (!accept(";")) {
    all.parts.push_back(expressionStatement());
    expect(";", "after the first part of `for`");
  }
  KernelStmt loop;
  loop.kind = KernelStmtKind::loop;
  if (token_.is(";")) {
    loop.expr = make(KernelExprKind::constant);
    loop.expr.value = 1;
  } else {
    loop.expr = parseExpression();
  }
  expect(";", "after the condition of `for`");
  std::vector<KernelStmt> step;
  if (!token_.is(")")) step.push_back(expressionStatement());
  expect(")", "after the parts of `for`");
  loop.parts.push_back(parseRound());
  loop.parts.insert(loop.parts.end(), step.begin(), step.end());
  loop.ways = waysOut(loop);
  all.parts.push_back(std::move(loop));
  return all;
}

KernelStmt KernelParser::expressionStatement() {
  KernelStmt stmt;
  stmt.kind = KernelStmtKind::expression;
  stmt.expr = parseExpression();
  return stmt;
}

// ---- Expressions, from the loosest operator to the tightest

KernelExpr KernelParser::make(KernelExprKind kind, std::vector<KernelExpr> parts) const {
  KernelExpr expr;
  expr.kind = kind;
  expr.line = currentLine();
  expr.parts = std::move(parts);
  return expr;
}

KernelExpr KernelParser::assignTo(KernelExpr target, KernelExpr value, std::size_t offset) {
  if (target.kind == KernelExprKind::local) {
    KernelExpr assign = make(KernelExprKind::assign, {std::move(value)});
    assign.slot = target.slot;
    return assign;
  }
  if (target.kind != KernelExprKind::plainLoad)
    file_.fail(offset, "this cannot be assigned to", "write to a variable or to `*pointer`");
  return make(KernelExprKind::plainStore, {std::move(target.parts[0]), std::move(value)});
}

KernelExpr KernelParser::parseAssignment() {
  Nesting nesting(*this);
  const std::size_t offset = token_.offset;
  // A name that is new and assigned to is a local variable.
  if (token_.kind == TokenKind::identifier && peekToken().is("=") && parameters_.count(std::string(token_.text)) == 0) {
    local(thread_, std::string(token_.text));
  }
  KernelExpr target = parseConditional();
  if (accept("=")) return assignTo(std::move(target), parseAssignment(), offset);
  for (const CompoundAssignment& compound : kCompound) {
    if (!accept(compound.text)) continue;
    KernelExpr value = make(KernelExprKind::binary, {target, parseAssignment()});
    value.op = compound.op;
    return assignTo(std::move(target), std::move(value), offset);
  }
  if (token_.is("++") || token_.is("--")) {
    KernelExpr one = make(KernelExprKind::constant);
    one.value = 1;
    KernelExpr value = make(KernelExprKind::binary, {target, std::move(one)});
    value.op = token_.is("++") ? Operator::add : Operator::sub;
    advance();
    if (!token_.is(";") && !token_.is(")")) failHere("`++` and `--` may only end a statement here");
    return assignTo(std::move(target), std::move(value), offset);
  }
  return target;
}

KernelExpr KernelParser::parseConditional() {
  KernelExpr condition = parseBinary(0);
  if (!accept("?")) return condition;
  KernelExpr first = parseAssignment();
  expect(":", "in the conditional expression");
  KernelExpr second = parseAssignment();
  return make(KernelExprKind::conditional, {std::move(condition), std::move(first), std::move(second)});
}

// Level 0 is `||`, 1 is `&&`, and those of the table follow.
KernelExpr KernelParser::parseBinary(unsigned level) {
  if (level > kTightest + 1) return parseUnary();
  KernelExpr left = parseBinary(level + 1);
  for (;;) {
    if (level < 2) {
      if (!accept(level == 0 ? "||" : "&&")) return left;
      KernelExpr right = parseBinary(level + 1);
      left = make(level == 0 ? KernelExprKind::logicalOr : KernelExprKind::logicalAnd, {std::move(left), std::move(right)});
      continue;
    }
    const auto* found = std::ranges::find_if(
        kKernelOperators, [&](const KernelOperator& o) { return o.level == level - 1 && token_.is(o.text); });
    if (found == std::end(kKernelOperators)) return left;
    advance();
    KernelExpr right = parseBinary(level + 1);
    left = make(KernelExprKind::binary, {std::move(left), std::move(right)});
    left.op = found->op;
  }
}

KernelExpr KernelParser::parseUnary() {
  Nesting nesting(*this);
  if (accept("!")) return make(KernelExprKind::logicalNot, {parseUnary()});
  if (accept("+")) return parseUnary();
  if (token_.is("-") || token_.is("~")) {
    const bool minus = token_.is("-");
    advance();
    KernelExpr other = make(KernelExprKind::constant);
    other.value = minus ? 0 : -1;
    KernelExpr result = make(KernelExprKind::binary, {std::move(other), parseUnary()});
    result.op = minus ? Operator::sub : Operator::bitXor;
    return result;
  }
  if (accept("*")) return make(KernelExprKind::plainLoad, {parseUnary()});
  if (accept("&")) {
    const std::size_t offset = token_.offset;
    KernelExpr place = parseUnary();
    if (place.kind == KernelExprKind::constant) return place;  // &x of a location
    return pointerOfPlace(std::move(place), offset, "`&`");
  }
  return parsePostfix();
}

KernelExpr KernelParser::parsePostfix() {
  KernelExpr expr = parsePrimary();
  while (true) {
    if (token_.is(".") || (token_.is("-") && peekToken().is(">"))) {
      expr = parseMemberAccess(std::move(expr));
    } else if (accept("[")) {  // a[i] is *(a + i)
      KernelExpr place = make(KernelExprKind::binary, {std::move(expr), parseExpression()});
      place.op = Operator::add;
      expect("]", "after the index");
      expr = make(KernelExprKind::plainLoad, {std::move(place)});
    } else {
      return expr;
    }
  }
}

bool KernelParser::isRegister(const std::string& name) {
  return name[0] == 'r' && std::ranges::any_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

KernelExpr KernelParser::parsePrimary() {
  const std::size_t offset = token_.offset;
  if (token_.kind == TokenKind::number) {
    KernelExpr constant = make(KernelExprKind::constant);
    constant.value = token_.value;
    advance();
    return constant;
  }
  if (accept("(")) {
    const bool isCast = atType();
    if (isCast) skipType();
    KernelExpr inner = isCast ? KernelExpr{} : parseExpression();
    expect(")", isCast ? "after the type" : "to close the parenthesis");
    return isCast ? parseUnary() : inner;
  }
  if (token_.kind != TokenKind::identifier) failHere(fmt::format("expected an expression, found {}", shown()));
  const std::string name = expectName("a variable");
  if (token_.is("(")) return parseCall(name, offset);
  if (name == "NULL" || name == "true" || name == "false") {
    KernelExpr constant = make(KernelExprKind::constant);
    constant.value = name == "true";
    return constant;
  }
  if (const auto parameter = parameters_.find(name); parameter != parameters_.end()) {
    KernelExpr constant = make(KernelExprKind::constant);
    constant.value = static_cast<std::int64_t>(parameter->second);
    return constant;
  }
  // A register that nothing is assigned to is 0, as in the kernel's own tool. Other names may be mistakes.
  if (localOf_[thread_].count(name) == 0 && (!isRegister(name) || locationOf_.count(name) > 0)) {
    file_.fail(offset, fmt::format("unknown name `{}`", name), "a location that a thread uses is one of its parameters");
  }
  KernelExpr variable = make(KernelExprKind::local);
  variable.slot = local(thread_, name);
  return variable;
}

KernelExpr KernelParser::pointerOfPlace(KernelExpr place, std::size_t offset, const std::string& user) {
  if (place.kind != KernelExprKind::plainLoad) {
    file_.fail(offset, fmt::format("{} needs a place in memory", user), "write `*pointer`");
  }
  KernelExpr pointer = std::move(place.parts[0]);
  return pointer;
}

KernelExpr KernelParser::parseCall(const std::string& name, std::size_t offset) {
  const std::optional<Primitive> primitive = findPrimitive(name);
  if (!primitive) {
    file_.fail(offset, fmt::format("unknown function `{}`", name),
               "docs/kernel.md lists the primitives of the kernel that are known");
  }
  KernelExpr call = make(KernelExprKind::call);
  call.primitive = *primitive;
  expect("(", "after the name of the function");
  const bool takesPlace = primitive->kind == PrimitiveKind::load || primitive->kind == PrimitiveKind::store;
  while (!token_.is(")")) {
    const std::size_t argument = token_.offset;
    KernelExpr part = parseExpression();
    if (takesPlace && call.parts.empty()) part = pointerOfPlace(std::move(part), argument, name);
    call.parts.push_back(std::move(part));
    if (!accept(",")) break;
  }
  expect(")", "after the arguments");
  if (call.parts.size() != primitive->arguments) {
    file_.fail(offset, fmt::format("`{}` takes {} argument{}, not {}", name, primitive->arguments,
                                   primitive->arguments == 1 ? "" : "s", call.parts.size()));
  }
  return call;
}

}  // namespace heddle::litmus
