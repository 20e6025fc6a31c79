// Expressions, by precedence climbing, with constants folded on the way. An expression that denotes a place in memory
// is parsed as a read of it; an assignment makes a write of that.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "litmus/parser.h"

namespace heddle::litmus {

namespace {

struct BinaryOperator {
  std::string_view text;
  int precedence;
  ExprKind kind;
  Operator op;
};

constexpr int kMultiplicative = 10;

constexpr std::array<BinaryOperator, 18> kBinaryOperators = {{
    {"||", 1, ExprKind::logicalOr, Operator::none},
    {"&&", 2, ExprKind::logicalAnd, Operator::none},
    {"|", 3, ExprKind::binary, Operator::bitOr},
    {"^", 4, ExprKind::binary, Operator::bitXor},
    {"&", 5, ExprKind::binary, Operator::bitAnd},
    {"==", 6, ExprKind::binary, Operator::equal},
    {"!=", 6, ExprKind::binary, Operator::notEqual},
    {"<", 7, ExprKind::binary, Operator::less},
    {"<=", 7, ExprKind::binary, Operator::lessEqual},
    {">", 7, ExprKind::binary, Operator::greater},
    {">=", 7, ExprKind::binary, Operator::greaterEqual},
    {"<<", 8, ExprKind::binary, Operator::shiftLeft},
    {">>", 8, ExprKind::binary, Operator::shiftRight},
    {"+", 9, ExprKind::binary, Operator::add},
    {"-", 9, ExprKind::binary, Operator::sub},
    {"*", kMultiplicative, ExprKind::binary, Operator::mul},
    {"/", kMultiplicative, ExprKind::binary, Operator::div},
    {"%", kMultiplicative, ExprKind::binary, Operator::mod},
}};

struct AssignmentOperator {
  std::string_view text;
  Operator op;
};

constexpr std::array<AssignmentOperator, 11> kAssignmentOperators = {{
    {"=", Operator::none},
    {"+=", Operator::add},
    {"-=", Operator::sub},
    {"*=", Operator::mul},
    {"/=", Operator::div},
    {"%=", Operator::mod},
    {"&=", Operator::bitAnd},
    {"|=", Operator::bitOr},
    {"^=", Operator::bitXor},
    {"<<=", Operator::shiftLeft},
    {">>=", Operator::shiftRight},
}};

template <typename Table>
auto lookUp(const Table& table, const Token& token) {
  if (token.kind != TokenKind::punctuation) return table.end();
  return std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.text == token.text; });
}

}  // namespace

// Signed overflow wraps around, as do shifts by 64 or more (the count is taken modulo 64).
std::int64_t applyOperator(Operator op, std::int64_t left, std::int64_t right) {
  const auto l = static_cast<std::uint64_t>(left);
  const auto r = static_cast<std::uint64_t>(right);
  switch (op) {
    case Operator::add: return static_cast<std::int64_t>(l + r);
    case Operator::sub: return static_cast<std::int64_t>(l - r);
    case Operator::mul: return static_cast<std::int64_t>(l * r);
    case Operator::div: return right == -1 ? static_cast<std::int64_t>(0 - l) : left / right;
    case Operator::mod: return right == -1 ? 0 : left % right;
    case Operator::bitAnd: return left & right;
    case Operator::bitOr: return left | right;
    case Operator::bitXor: return left ^ right;
    case Operator::shiftLeft: return static_cast<std::int64_t>(l << (r & 63));
    case Operator::shiftRight: return left >> (r & 63);
    case Operator::equal: return left == right;
    case Operator::notEqual: return left != right;
    case Operator::less: return left < right;
    case Operator::lessEqual: return left <= right;
    case Operator::greater: return left > right;
    case Operator::greaterEqual: return left >= right;
    case Operator::none: break;
  }
  return 0;
}

// Nodes -------------------------------------------------------------------------------------------------------

Expr* Parser::makeExpr(ExprKind kind, std::size_t offset) {
  Expr& expr = syntax_.exprs.emplace_back();
  expr.kind = kind;
  expr.source = source_;
  expr.offset = static_cast<std::uint32_t>(offset);
  return &expr;
}

// The explorer relies on a mutex being written by lock, trylock and unlock alone.
void Parser::noteUse(const Expr& expr) {
  bool asMutex = false;
  switch (expr.kind) {
    case ExprKind::lock:
    case ExprKind::unlock:
    case ExprKind::trylock: asMutex = true; break;
    case ExprKind::load:
    case ExprKind::store:
    case ExprKind::rmw:
    case ExprKind::update:
    case ExprKind::cas: break;
    default: return;
  }
  Location& used = syntax_.locations[expr.place.location];
  (asMutex ? used.locked : used.accessed) = true;
  if (used.locked && used.accessed) {
    file_.fail(expr.offset, fmt::format("`{}` is a mutex in one place and memory in another", used.name), kMutexOnly);
  }
}

// Fills in what follows from the parts.
const Expr* Parser::seal(Expr* expr) {
  noteUse(*expr);
  switch (expr->kind) {
    case ExprKind::load:
    case ExprKind::rmw:
    case ExprKind::update:
    case ExprKind::trylock:
    case ExprKind::choose: expr->readsMemory = true; break;
    case ExprKind::cas:
      expr->readsMemory = true;
      expr->locals |= std::uint64_t{1} << (expr->slot % 64);
      break;
    case ExprKind::local:
    case ExprKind::assign: expr->locals |= std::uint64_t{1} << (expr->slot % 64); break;
    default: break;
  }
  for (const Expr* part : {expr->left, expr->right, expr->third, expr->place.index}) {
    if (part == nullptr) continue;
    expr->depth = std::max(expr->depth, static_cast<std::uint16_t>(part->depth + 1));
    expr->locals |= part->locals;
    expr->readsMemory = expr->readsMemory || part->readsMemory;
  }
  if (expr->depth > kMaxExprDepth) file_.fail(expr->offset, "this expression is too long");
  return expr;
}

const Expr* Parser::constant(std::int64_t number, std::size_t offset) {
  Expr* expr = makeExpr(ExprKind::constant, offset);
  expr->value = number;
  expr->type = kWide;
  return expr;
}

const Expr* Parser::value(const Expr* expr) const {
  if (expr->type.isVoid) file_.fail(expr->offset, "this has no value");
  return expr;
}

const Expr* Parser::makeBinary(Operator op, const Expr* left, const Expr* right, std::size_t offset) {
  const bool divides = op == Operator::div || op == Operator::mod;
  if (value(left)->isConstant() && value(right)->isConstant() && !(divides && right->value == 0)) {
    return constant(applyOperator(op, left->value, right->value), offset);
  }
  Expr* expr = makeExpr(ExprKind::binary, offset);
  expr->op = op;
  expr->left = left;
  expr->right = right;
  expr->type = op >= Operator::equal ? kBool : kWide;
  return seal(expr);
}

// A plain read or, of an atomic type, a sequentially consistent one; until an assignment makes it a write.
const Expr* Parser::makeAccess(const Place& place, std::size_t offset) {
  if (place.type.mutex) file_.fail(offset, kMutexOnly);
  Expr* expr = makeExpr(ExprKind::load, offset);
  expr->place = place;
  expr->order = place.type.atomic ? Order::seq_cst : Order::plain;
  expr->type = place.type;
  expr->lvalue = true;
  return seal(expr);
}

void Parser::failUnknown(const std::string& name, std::size_t offset) const {
  if (locationOf_.count(name) != 0) {
    file_.fail(offset, fmt::format("`{}` is not a parameter of P{}", name, thread_->number),
               fmt::format("add it, for example as `atomic_int* {}`", name));
  }
  if (slotOf_.count(name) != 0) {
    file_.fail(offset, fmt::format("`{}` is not in scope here", name), "declare it in an enclosing block");
  }
  file_.fail(offset, fmt::format("unknown variable `{}`", name),
             fmt::format("declare it, `int {} = ...;`, or make it a parameter of P{}", name, thread_->number));
}

// Operators, loosest first ------------------------------------------------------------------------------------

const Expr* Parser::parseExpression() {
  const Expr* left = parseAssignment();
  while (token_.is(",")) {
    Expr* comma = makeExpr(ExprKind::comma, token_.offset);
    advance();
    comma->left = left;
    comma->right = parseAssignment();
    comma->type = comma->right->type;
    left = seal(comma);
  }
  return left;
}

const Expr* Parser::parseAssignment() {
  const Nesting nesting(*this);
  const Expr* target = parseConditional();
  const auto found = lookUp(kAssignmentOperators, token_);
  if (found == kAssignmentOperators.end()) return target;
  const std::size_t offset = token_.offset;
  advance();
  return makeAssignment(target, found->op, value(parseAssignment()), false, offset);
}

const Expr* Parser::makeAssignment(const Expr* target, Operator op, const Expr* operand, bool postfix, std::size_t offset) {
  if (!target->lvalue) file_.fail(offset, "what stands left of this cannot be assigned to");
  Expr* expr = makeExpr(ExprKind::assign, offset);
  expr->op = op;
  expr->right = operand;
  expr->type = target->type;
  expr->postfix = postfix;
  if (target->kind == ExprKind::local) {
    expr->slot = target->slot;
    return seal(expr);
  }
  expr->place = target->place;
  expr->order = target->order;
  if (op == Operator::none) {
    expr->kind = ExprKind::store;
  } else if (!target->type.atomic) {
    expr->kind = ExprKind::update;
  } else {
    expr->kind = ExprKind::rmw;
    switch (op) {
      case Operator::add: expr->rmw = RmwOp::add; break;
      case Operator::sub: expr->rmw = RmwOp::sub; break;
      case Operator::bitAnd: expr->rmw = RmwOp::bitAnd; break;
      case Operator::bitOr: expr->rmw = RmwOp::bitOr; break;
      case Operator::bitXor: expr->rmw = RmwOp::bitXor; break;
      default: file_.fail(offset, "this operator is not supported on an atomic location");
    }
  }
  return seal(expr);
}

const Expr* Parser::parseConditional() {
  const Expr* condition = parseBinary(1);
  if (!token_.is("?")) return condition;
  Expr* expr = makeExpr(ExprKind::conditional, token_.offset);
  advance();
  expr->left = value(condition);
  expr->right = parseExpression();
  expect(":", "after the first choice of `?`");
  const Nesting nesting(*this);
  expr->third = parseConditional();
  const Type& a = expr->right->type;
  const Type& b = expr->third->type;
  if (a.isVoid != b.isVoid) file_.fail(expr->offset, "only one of the two choices has a value");
  expr->type = a.isVoid ? kVoid : a.fitsIn(b) ? b : b.fitsIn(a) ? a : kWide;
  return seal(expr);
}

const Expr* Parser::parseBinary(int minPrecedence) {
  const Expr* left = parseUnary();
  for (;;) {
    const auto found = lookUp(kBinaryOperators, token_);
    if (found == kBinaryOperators.end() || found->precedence < minPrecedence) return left;
    const std::size_t offset = token_.offset;
    advance();
    const Expr* right = parseBinary(found->precedence + 1);
    if (found->kind == ExprKind::binary) {
      left = makeBinary(found->op, left, right, offset);
      continue;
    }
    Expr* expr = makeExpr(found->kind, offset);
    expr->left = value(left);
    expr->right = value(right);
    expr->type = kBool;
    left = seal(expr);
  }
}

const Expr* Parser::parseUnary() {
  if (token_.kind != TokenKind::punctuation || token_.is("(")) return parsePostfix();
  const std::size_t offset = token_.offset;
  const auto operand = [&] {
    advance();
    const Nesting nesting(*this);
    return value(parseUnary());
  };
  const auto unary = [&](ExprKind kind, Type type) {
    const Expr* inner = operand();
    Expr* expr = makeExpr(kind, offset);
    expr->left = inner;
    expr->type = type;
    return seal(expr);
  };
  if (token_.is("-")) {
    const Expr* inner = operand();
    return makeBinary(Operator::sub, constant(0, offset), inner, offset);
  }
  if (token_.is("+")) {
    const Expr* inner = operand();
    return makeBinary(Operator::add, inner, constant(0, offset), offset);
  }
  if (token_.is("~")) {
    const Expr* inner = operand();
    return makeBinary(Operator::bitXor, inner, constant(-1, offset), offset);
  }
  if (token_.is("!")) return unary(ExprKind::logicalNot, kBool);
  if (token_.is("*")) {
    advance();
    return makeAccess(parsePlace(false), offset);
  }
  if (token_.is("++") || token_.is("--")) {
    const Operator op = token_.is("++") ? Operator::add : Operator::sub;
    const Expr* target = operand();
    return makeAssignment(target, op, constant(1, offset), false, offset);
  }
  if (token_.is("&")) {
    failHere("an address cannot be a value here: pointers to locations are not supported",
             "addresses may be given to atomic functions, lock, trylock and unlock");
  }
  return parsePostfix();
}

const Expr* Parser::parsePostfix() {
  const Expr* expr = parsePrimary();
  if (token_.is("++") || token_.is("--")) {
    const std::size_t offset = token_.offset;
    const Operator op = token_.is("++") ? Operator::add : Operator::sub;
    advance();
    return makeAssignment(expr, op, constant(1, offset), true, offset);
  }
  if (token_.is(".")) failHere("structures and method calls are not supported", "write atomic_load_explicit(x, ...)");
  return expr;
}

const Expr* Parser::parsePrimary() {
  const std::size_t offset = token_.offset;
  if (token_.kind == TokenKind::number) {
    const Expr* expr = constant(token_.value, offset);
    advance();
    return expr;
  }
  if (token_.kind == TokenKind::identifier) return parseIdentifier();
  if (!accept("(")) failHere(fmt::format("expected an expression, found {}", shown()));
  if (token_.kind == TokenKind::identifier && beginsType(token_.text)) {
    const Type type = parseType();
    if (token_.is("*")) failHere("casts to pointer types are not supported");
    expect(")", "after the type");
    const Nesting nesting(*this);
    const Expr* inner = parseUnary();
    Expr* cast = makeExpr(ExprKind::cast, offset);
    cast->left = inner;
    cast->type = type;
    cast->type.atomic = false;
    if (!type.isVoid && value(inner)->isConstant()) return constant(type.convert(inner->value), offset);
    return seal(cast);
  }
  const Expr* inner = parseExpression();
  expect(")", "after the expression");
  return inner;
}

const Expr* Parser::parseIdentifier() {
  const std::size_t offset = token_.offset;
  const std::string name = expectName("a name");
  if (token_.is("(")) return parseCall(name, offset);
  if (name == "true") return constant(1, offset);
  if (name == "false") return constant(0, offset);
  const auto variable = inScope_.find(name);
  if (variable != inScope_.end()) {
    Expr* expr = makeExpr(ExprKind::local, offset);
    expr->slot = variable->second;
    expr->type = thread_->locals[expr->slot].type;
    expr->lvalue = true;
    return seal(expr);
  }
  const auto parameter = parameters_.find(name);
  if (parameter == parameters_.end()) failUnknown(name, offset);
  if (token_.is("[")) return parseElement(name, parameter->second, offset);
  file_.fail(offset, fmt::format("`{}` is the address of a location; pointers cannot be used as values", name),
             fmt::format("write `*{}` for what it holds", name));
}

const Expr* Parser::parseElement(const std::string& name, const Parameter& parameter, std::size_t offset) {
  expect("[", fmt::format("after `{}`", name));
  Place place;
  place.location = parameter.location;
  place.type = parameter.type;
  place.index = value(parseExpression());
  expect("]", "after the index");
  return makeAccess(place, offset);
}

// x    &x    &a[e]    &*x    (x)    (atomic_char*)x    and, as an argument or in parentheses, a + e. `&x` is what
// people write by habit; a parameter itself has no address that matters, so it means the same as `x`.
Place Parser::parsePlace(bool allowSum) {
  const Nesting nesting(*this);
  const std::size_t offset = token_.offset;
  Place place;
  if (accept("(")) {
    if (token_.kind == TokenKind::identifier && beginsType(token_.text)) {
      place = parseCastPlace();
    } else {
      place = parsePlace(true);
      expect(")", "after the address");
    }
  } else {
    const bool address = accept("&");
    if (address && accept("*")) {
      place = parsePlace(false);
    } else {
      if (token_.kind != TokenKind::identifier) {
        failHere(fmt::format("expected a location, found {}", shown()),
                 "a location is a parameter of the thread, `x` or `&a[i]`");
      }
      const std::size_t nameOffset = token_.offset;
      const std::string name = expectName("a location");
      const auto parameter = parameters_.find(name);
      if (parameter == parameters_.end()) {
        if (inScope_.count(name) != 0) {
          file_.fail(nameOffset, fmt::format("`{}` is a local variable, not a location", name));
        }
        failUnknown(name, nameOffset);
      }
      place.location = parameter->second.location;
      place.type = parameter->second.type;
      if (token_.is("[")) {
        if (!address) file_.fail(offset, "this is a value where an address is needed", "write `&` before it");
        advance();
        place.index = value(parseExpression());
        expect("]", "after the index");
      }
    }
  }
  if (allowSum && token_.is("+")) {
    const std::size_t sumOffset = token_.offset;
    advance();
    const Expr* index = value(parseBinary(kMultiplicative));
    place.index = place.index == nullptr ? index : makeBinary(Operator::add, place.index, index, sumOffset);
  }
  return place;
}

// type*) x, after the parenthesis: the same bytes through another type. What is added afterwards counts elements of
// that type, so nothing may have been added before.
Place Parser::parseCastPlace() {
  const std::size_t offset = token_.offset;
  const Type type = parseType();
  expect("*", "after the type");
  if (token_.is("*")) failHere("pointers to locations are not supported");
  expect(")", "after the type");
  Place place = parsePlace(false);
  if (type.isVoid) file_.fail(offset, "an access needs an integer type");
  if (type.mutex || place.type.mutex) file_.fail(offset, kMutexOnly);
  if (place.index != nullptr) {
    file_.fail(offset, "a cast of the address of an element is not supported",
               "cast the whole and index it: `(atomic_char*)a + 3`");
  }
  place.type = type;
  Location& whole = syntax_.locations[place.location];
  whole.bytes = std::max<std::uint64_t>(whole.bytes, type.size);
  return place;
}

}  // namespace heddle::litmus
