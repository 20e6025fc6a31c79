// Types, declarations and control flow. Variables have block scope, but a thread has one slot for each name: the final
// condition knows a variable by its name alone. So shadowing is an error, and blocks side by side share the slot.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "litmus/parser.h"

namespace heddle::litmus {

// Types -------------------------------------------------------------------------------------------------------

void Parser::skipQualifiers() {
  while (token_.is("const") || token_.is("volatile") || token_.is("restrict") || token_.is("_Atomic")) advance();
}

// The current token begins a type. Words come in any order: `unsigned long int`, `volatile int`, `_Atomic(int)`.
Type Parser::parseType() {
  const std::size_t offset = token_.offset;
  const Nesting nesting(*this);
  bool atomic = false, isUnsigned = false, isVoid = false, any = false;
  unsigned longs = 0;
  std::uint8_t size = 4;
  std::optional<Type> named;
  for (; token_.kind == TokenKind::identifier && beginsType(token_.text); advance()) {
    const std::string_view word = token_.text;
    if (word == "_Atomic") {
      atomic = true;
      advance();
      if (accept("(")) {
        if (token_.kind != TokenKind::identifier || !beginsType(token_.text)) failHere("expected a type");
        named = parseType();
        any = true;
        if (!token_.is(")")) failHere(fmt::format("expected `)` after the type, found {}", shown()));
        continue;
      }
      if (token_.kind != TokenKind::identifier || !beginsType(token_.text)) break;
    }
    const std::string_view current = token_.text;
    if (current == "const" || current == "volatile" || current == "static" || current == "register" || current == "restrict" ||
        current == "_Atomic") {
      continue;
    }
    if (const auto found = namedType(current)) {
      if (any) failHere(fmt::format("`{}` does not combine with the words before it", current));
      named = found;
    } else if (current == "void") {
      isVoid = true;
    } else if (current == "unsigned") {
      isUnsigned = true;
    } else if (current == "char") {
      size = 1;
    } else if (current == "short") {
      size = 2;
    } else if (current == "long") {
      if (++longs > 2) failHere("`long` is given too often");
    }
    any = true;
  }
  if (!any) file_.fail(offset, "this type lacks its name, such as `int`");
  Type type;
  if (named) {
    type = *named;
  } else if (isVoid) {
    type = kVoid;
  } else {
    type.size = longs > 0 ? std::uint8_t{8} : size;
    type.isSigned = !isUnsigned;
  }
  type.atomic = type.atomic || atomic;
  return type;
}

// Statements --------------------------------------------------------------------------------------------------

Stmt* Parser::makeStmt(StmtKind kind) {
  Stmt& stmt = syntax_.stmts.emplace_back();
  stmt.kind = kind;
  stmt.source = source_;
  stmt.offset = static_cast<std::uint32_t>(token_.offset);
  return &stmt;
}

// From here, what is parsed belongs to a new entry of the source table.
void Parser::beginSource() {
  source_ = static_cast<std::uint32_t>(syntax_.sources.size());
  SourceRange range;
  range.begin = range.end = static_cast<std::uint32_t>(token_.offset);
  syntax_.sources.push_back(range);
}

void Parser::endSource(std::uint32_t source) { syntax_.sources[source].end = static_cast<std::uint32_t>(previousEnd_); }

const Stmt* Parser::parseBlock() {
  const bool outermost = scopeStack_.empty();
  Stmt* block = makeStmt(StmtKind::block);
  expect("{", "");
  const std::size_t scope = scopeStack_.size();
  scopeStack_.emplace_back();  // so that only the outermost block sees an empty stack
  while (!token_.is("}")) {
    if (token_.kind == TokenKind::end) file_.fail(block->offset, "this `{` is never closed");
    block->body.push_back(parseStatement());
  }
  while (scopeStack_.size() > scope) {
    if (!scopeStack_.back().empty()) inScope_.erase(scopeStack_.back());
    scopeStack_.pop_back();
  }
  if (outermost) {
    beginSource();
    thread_->endOffset = static_cast<std::uint32_t>(token_.offset);
    thread_->endSource = source_;
    lexer_.setBody(false);
  }
  advance();
  if (outermost) endSource(thread_->endSource);
  return block;
}

const Stmt* Parser::parseStatement() {
  const Nesting nesting(*this);
  if (token_.is("{")) return parseBlock();
  if (token_.is("atomic")) return parseAtomic();
  if (token_.is("if")) return parseIf();
  if (token_.is("while")) return parseWhile();
  if (token_.is("do")) return parseDo();
  if (token_.is("for")) return parseFor();
  if (token_.is("break")) return parseJump(StmtKind::breakLoop);
  if (token_.is("continue")) return parseJump(StmtKind::continueLoop);
  if (token_.is("return")) return parseJump(StmtKind::returnThread);
  if (token_.is("goto") || token_.is("switch")) failHere(fmt::format("{} is not supported", shown()));
  if (token_.is("#")) failHere("preprocessor directives are not supported");
  if (token_.is(";")) {
    const Stmt* empty = makeStmt(StmtKind::block);
    advance();
    return empty;
  }
  if (token_.kind == TokenKind::identifier && beginsType(token_.text)) {
    beginSource();
    const std::uint32_t source = source_;
    const Stmt* declaration = parseDeclaration();
    expect(";", "after the declaration");
    endSource(source);
    return declaration;
  }
  return parseExpressionStatement();
}

// A transaction, which is left at its end only. One inside another is a part of that.
const Stmt* Parser::parseAtomic() {
  const std::optional<unsigned> around = std::exchange(loopsAroundAtomic_, loopDepth_);
  if (around) loopsAroundAtomic_ = around;
  beginSource();
  Stmt* stmt = makeStmt(StmtKind::block);
  stmt->atomic = !around;
  advance();
  endSource(stmt->source);
  if (!token_.is("{")) failHere(fmt::format("expected `{{` after `atomic`, found {}", shown()));
  stmt->body.push_back(parseBlock());
  loopsAroundAtomic_ = around;
  return stmt;
}

std::uint16_t Parser::declareLocal(const std::string& name, const Type& type, std::size_t offset) {
  if (parameters_.count(name) != 0) {
    file_.fail(offset, fmt::format("`{}` is already the name of a location", name));
  }
  const auto known = slotOf_.find(name);
  if (known != slotOf_.end()) {
    Local& local = thread_->locals[known->second];
    const bool visible = inScope_.count(name) != 0;
    if (visible && local.declared) file_.fail(offset, fmt::format("`{}` is already declared", name));
    if (local.declared && !(local.type == type)) {
      file_.fail(offset, fmt::format("`{}` was declared with another type before", name),
                 "the final condition knows a variable by its name alone; give them different names");
    }
    local.type = type;
    local.declared = true;
  } else {
    slotOf_[name] = declareUnnamed(type, offset);
    thread_->locals.back().name = name;
  }
  const std::uint16_t slot = slotOf_[name];
  inScope_[name] = slot;
  scopeStack_.push_back(name);
  return slot;
}

std::uint16_t Parser::declareUnnamed(const Type& type, std::size_t offset) {
  if (thread_->locals.size() >= kMaxLocals) file_.fail(offset, "this thread has too many variables");
  Local& local = thread_->locals.emplace_back();
  local.type = type;
  local.declared = true;
  return static_cast<std::uint16_t>(thread_->locals.size() - 1);
}

// Without its `;`. One statement per initialiser, wrapped in a block that opens no scope.
const Stmt* Parser::parseDeclaration() {
  Stmt* group = makeStmt(StmtKind::block);
  Type type = parseType();
  if (type.isVoid) file_.fail(group->offset, "a variable cannot have the type void");
  type.atomic = false;  // nobody else can see it
  do {
    if (token_.is("*")) {
      failHere("pointers to locations cannot be stored in variables", "use the thread's parameters directly");
    }
    const std::size_t offset = token_.offset;
    const std::string name = expectName("the name of a variable");
    if (token_.is("[")) failHere("arrays of local variables are not supported");
    if (token_.is("(")) failHere("functions are not supported; a thread is one body");
    const bool initialised = accept("=");
    if (token_.is("{")) failHere("expected a value");
    // In C the name is in scope in its own initialiser; reading it there is a mistake we can afford to refuse.
    const Expr* initial = initialised ? value(parseAssignment()) : nullptr;
    const std::uint16_t slot = declareLocal(name, type, offset);
    if (!initialised) continue;
    Expr* assign = makeExpr(ExprKind::assign, offset);
    assign->slot = slot;
    assign->right = initial;
    assign->type = type;
    Stmt* stmt = makeStmt(StmtKind::expression);
    stmt->expr = seal(assign);
    group->body.push_back(stmt);
  } while (accept(","));
  return group;
}

const Expr* Parser::parseControllingExpression() {
  expect("(", "before the condition");
  const Expr* condition = value(parseExpression());
  expect(")", "after the condition");
  return condition;
}

const Stmt* Parser::parseIf() {
  beginSource();
  Stmt* stmt = makeStmt(StmtKind::choice);
  advance();
  stmt->expr = parseControllingExpression();
  endSource(stmt->source);
  stmt->body.push_back(parseStatement());
  if (accept("else")) stmt->body.push_back(parseStatement());
  return stmt;
}

const Stmt* Parser::parseWhile() {
  beginSource();
  Stmt* stmt = makeStmt(StmtKind::loop);
  advance();
  stmt->expr = parseControllingExpression();
  endSource(stmt->source);
  ++loopDepth_;
  stmt->body.push_back(parseStatement());
  --loopDepth_;
  return stmt;
}

const Stmt* Parser::parseDo() {
  Stmt* stmt = makeStmt(StmtKind::loop);
  stmt->testAtEnd = true;
  advance();
  ++loopDepth_;
  stmt->body.push_back(parseStatement());
  --loopDepth_;
  if (!token_.is("while")) failHere(fmt::format("expected `while` at the end of `do`, found {}", shown()));
  beginSource();
  stmt->source = source_;
  advance();
  stmt->expr = parseControllingExpression();
  expect(";", "after the condition");
  endSource(stmt->source);
  return stmt;
}

const Stmt* Parser::parseFor() {
  beginSource();
  Stmt* stmt = makeStmt(StmtKind::loop);
  advance();
  expect("(", "after `for`");
  const std::size_t scope = scopeStack_.size();
  ++loopDepth_;  // a spawn in the head would be odd as well
  if (!token_.is(";")) {
    if (token_.kind == TokenKind::identifier && beginsType(token_.text)) {
      stmt->init.push_back(parseDeclaration());
    } else {
      Stmt* init = makeStmt(StmtKind::expression);
      init->expr = parseExpression();
      stmt->init.push_back(init);
    }
  }
  expect(";", "in the head of `for`");
  if (!token_.is(";")) stmt->expr = value(parseExpression());
  expect(";", "in the head of `for`");
  if (!token_.is(")")) stmt->step = parseExpression();
  expect(")", "after the head of `for`");
  endSource(stmt->source);
  stmt->body.push_back(parseStatement());
  --loopDepth_;
  while (scopeStack_.size() > scope) {
    if (!scopeStack_.back().empty()) inScope_.erase(scopeStack_.back());
    scopeStack_.pop_back();
  }
  return stmt;
}

const Stmt* Parser::parseJump(StmtKind kind) {
  const Stmt* stmt = makeStmt(kind);
  if (kind != StmtKind::returnThread && loopDepth_ == 0) failHere(fmt::format("{} outside a loop", shown()));
  if (loopsAroundAtomic_ && (kind == StmtKind::returnThread || loopDepth_ == *loopsAroundAtomic_)) {
    failHere(fmt::format("{} would leave a transaction in the middle", shown()));
  }
  advance();
  if (kind == StmtKind::returnThread && !token_.is(";")) failHere("a thread returns no value", "write `return;`");
  expect(";", "after this");
  return stmt;
}

const Stmt* Parser::parseExpressionStatement() {
  beginSource();
  Stmt* stmt = makeStmt(StmtKind::expression);
  stmt->expr = parseExpression();
  expect(";", "after the statement");
  endSource(stmt->source);
  return stmt;
}

}  // namespace heddle::litmus
