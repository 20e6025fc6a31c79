// The functions that a thread may call.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "litmus/parser.h"

namespace heddle::litmus {

namespace {

struct OrderName {
  std::string_view name;
  Order order;
};

constexpr std::array<OrderName, 6> kOrders = {{
    {"relaxed", Order::relaxed},
    {"consume", Order::acquire},  // as every compiler does
    {"acquire", Order::acquire},
    {"release", Order::release},
    {"acq_rel", Order::acq_rel},
    {"seq_cst", Order::seq_cst},
}};

struct FetchFunction {
  std::string_view name;
  RmwOp op;
};

constexpr std::array<FetchFunction, 8> kFetchFunctions = {{
    {"atomic_exchange", RmwOp::exchange},
    {"atomic_fetch_add", RmwOp::add},
    {"atomic_fetch_sub", RmwOp::sub},
    {"atomic_fetch_and", RmwOp::bitAnd},
    {"atomic_fetch_or", RmwOp::bitOr},
    {"atomic_fetch_xor", RmwOp::bitXor},
    {"atomic_fetch_max", RmwOp::max},
    {"atomic_fetch_min", RmwOp::min},
}};

constexpr std::array<std::string_view, 6> kLock = {"lock", "mtx_lock", "pthread_mutex_lock", "mutex_lock", "wrlock", "rdlock"};
constexpr std::array<std::string_view, 6> kUnlock = {"unlock",       "mtx_unlock", "pthread_mutex_unlock",
                                                     "mutex_unlock", "wrunlock",   "rdunlock"};
constexpr std::array<std::string_view, 4> kTrylock = {"trylock", "mutex_trylock", "trywrlock",  // 1 on success
                                                      "tryrdlock"};
constexpr std::array<std::string_view, 2> kTrylockOfC = {"mtx_trylock", "pthread_mutex_trylock"};  // 0 on success

template <typename Names>
bool contains(const Names& names, std::string_view name) {
  for (const std::string_view candidate : names) {
    if (candidate == name) return true;
  }
  return false;
}

}  // namespace

void Parser::expectComma(std::string_view after) {
  if (!accept(",")) failHere(fmt::format("expected `,` after {}, found {}", after, shown()));
}

// An order that the operation may have; kind `cas` stands for the failure order of a compare-exchange.
Order Parser::parseOrder(ExprKind kind) {
  std::string_view name = token_.text;
  constexpr std::string_view prefix = "memory_order_";
  if (name.substr(0, prefix.size()) == prefix) name.remove_prefix(prefix.size());
  for (const OrderName& candidate : kOrders) {
    if (token_.kind != TokenKind::identifier || candidate.name != name) continue;
    const Order order = candidate.order;
    const bool acquires = order == Order::acquire || order == Order::acq_rel;
    const bool releases = order == Order::release || order == Order::acq_rel;
    if (kind == ExprKind::load && releases) failHere("a load cannot have this order");
    if (kind == ExprKind::store && acquires) failHere("a store cannot have this order");
    if (kind == ExprKind::cas && releases) failHere("the order of a failed compare-exchange cannot be this one");
    advance();
    return order;
  }
  failHere(fmt::format("expected a memory order, found {}", shown()),
           "memory_order_relaxed, _acquire, _release, _acq_rel or _seq_cst");
}

Order Parser::parseOptionalOrder(ExprKind kind, bool isExplicit) {
  if (!isExplicit) {
    if (token_.is(",")) failHere("too many arguments", "the functions that take an order end in _explicit");
    return Order::seq_cst;
  }
  expectComma("this argument; a memory order follows");
  return parseOrder(kind);
}

const Expr* Parser::parseCall(const std::string& name, std::size_t offset) {
  expect("(", "");
  constexpr std::string_view suffix = "_explicit";
  const bool isExplicit = name.size() > suffix.size() && name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
  const std::string base = isExplicit ? name.substr(0, name.size() - suffix.size()) : name;
  const Expr* call = nullptr;

  const auto simple = [&](ExprKind kind, Type type) {
    Expr* expr = makeExpr(kind, offset);
    expr->left = value(parseAssignment());
    expr->type = type;
    return expr;
  };
  if (name == "assume" || name == "__VERIFIER_assume") {
    call = seal(simple(ExprKind::assume, kVoid));
  } else if (name == "assert") {
    const std::size_t begin = token_.offset;
    Expr* expr = simple(ExprKind::assertion, kVoid);
    std::string text = file_.text.substr(begin, std::min<std::size_t>(previousEnd_ - begin, 200));
    for (char& c : text) {
      if (c == '\n' || c == '\t' || c == '\r') c = ' ';
    }
    expr->value = static_cast<std::int64_t>(syntax_.messages.size());
    syntax_.messages.push_back("assertion failed: " + text);
    call = seal(expr);
  } else if (name == "choose") {
    Expr* expr = simple(ExprKind::choose, kWide);
    if (expr->left->isConstant() && expr->left->value <= 0) {
      file_.fail(expr->left->offset, "choose needs a positive number");
    }
    call = seal(expr);
  } else if (name == "spawn") {
    call = parseSpawnOrJoin(ExprKind::spawn, offset);
  } else if (name == "join") {
    call = parseSpawnOrJoin(ExprKind::join, offset);
  } else if (contains(kLock, name) || contains(kUnlock, name)) {
    Expr* expr = makeExpr(contains(kLock, name) ? ExprKind::lock : ExprKind::unlock, offset);
    if (name == "rdlock" || name == "rdunlock") expr->lock = LockOp::read;
    expr->place = parsePlace(true);
    call = seal(expr);
  } else if (name == "barrier_wait") {
    Expr* expr = makeExpr(ExprKind::barrier, offset);
    expr->place = parsePlace(true);
    expectComma("the barrier; how many threads meet there follows");
    expr->right = value(parseAssignment());
    if (!expr->right->isConstant() || expr->right->value <= 0) {
      file_.fail(expr->right->offset, "how many threads meet at a barrier is a positive constant");
    }
    call = seal(expr);
  } else if (contains(kTrylock, name) || contains(kTrylockOfC, name)) {
    call = name == "tryrdlock" ? parseTryForReading(offset) : parseTrylock(contains(kTrylock, name), offset);
  } else if (name == "READ_ONCE" || name == "WRITE_ONCE") {
    const Expr* target = parseUnary();
    if (target->kind != ExprKind::load || !target->lvalue) {
      file_.fail(target->offset, fmt::format("{} takes a location, such as `*x`", name));
    }
    Expr* expr = makeExpr(name == "READ_ONCE" ? ExprKind::load : ExprKind::store, offset);
    expr->place = target->place;
    expr->order = Order::relaxed;
    if (expr->kind == ExprKind::load) {
      expr->type = target->type;
    } else {
      expectComma("the location");
      expr->right = value(parseAssignment());
    }
    call = seal(expr);
  } else {
    call = parseAtomicCall(base, isExplicit, offset);
  }
  if (!token_.is(")")) failHere(fmt::format("expected `)` after the arguments of {}, found {}", name, shown()));
  advance();
  return call;
}

const Expr* Parser::parseTrylock(bool trueOnSuccess, std::size_t offset) {
  Expr* expr = makeExpr(ExprKind::trylock, offset);
  expr->place = parsePlace(true);
  expr->order = Order::acquire;
  expr->failureOrder = Order::relaxed;
  expr->type = kInt;
  const Expr* found = seal(expr);
  if (!trueOnSuccess) return found;
  Expr* success = makeExpr(ExprKind::logicalNot, offset);
  success->left = found;
  success->type = kBool;
  return seal(success);
}

// It finds a state in which nobody has the lock for writing, and takes it, or one in which somebody has.
const Expr* Parser::parseTryForReading(std::size_t offset) {
  Expr* expr = makeExpr(ExprKind::trylock, offset);
  expr->place = parsePlace(true);
  expr->order = Order::acquire;
  expr->failureOrder = Order::relaxed;
  expr->lock = LockOp::read;
  expr->type = kInt;
  return makeBinary(Operator::notEqual, seal(expr), constant(kHeld, offset), offset);
}

const Expr* Parser::parseSpawnOrJoin(ExprKind kind, std::size_t offset) {
  const std::size_t nameOffset = token_.offset;
  const std::string name = expectName("a thread such as P1");
  bool isThread = name.size() > 1 && name.size() <= 5 && name[0] == 'P';
  for (std::size_t i = 1; i < name.size() && isThread; ++i) isThread = name[i] >= '0' && name[i] <= '9';
  if (!isThread) file_.fail(nameOffset, fmt::format("expected a thread such as P1, found `{}`", name));
  Expr* expr = makeExpr(kind, offset);
  expr->value = std::stol(name.substr(1));
  if (expr->value == thread_->number) {
    file_.fail(nameOffset, fmt::format("P{} cannot {} itself", thread_->number, kind == ExprKind::spawn ? "spawn" : "join"));
  }
  if (kind == ExprKind::spawn && loopDepth_ > 0) {
    file_.fail(offset, "spawn inside a loop is not supported: a thread runs once");
  }
  spawnSites_.push_back({expr->value, nameOffset, kind == ExprKind::spawn});
  return seal(expr);
}

// compare_exchange(place, expected, desired, success, failure). The expected value is that of a local variable,
// `&e`, or in memory: then it is a plain read before, and where the compare-exchange fails a plain write after it.
const Expr* Parser::parseCas(bool weak, bool isExplicit, std::size_t offset) {
  Expr* expr = makeExpr(ExprKind::cas, offset);
  expr->weak = weak;
  expr->place = parsePlace(true);
  if (expr->place.type.mutex) file_.fail(offset, kMutexOnly);
  expectComma("the location");
  const std::optional<std::uint16_t> local = parseAddressOfLocal();
  Place memory;
  if (!local) memory = parseExpectedInMemory();
  expectComma("the expected value");
  expr->right = value(parseAssignment());
  expr->order = parseOptionalOrder(ExprKind::rmw, isExplicit);
  expr->failureOrder = parseOptionalOrder(ExprKind::cas, isExplicit);
  expr->type = kBool;
  if (!local) return withExpectedInMemory(expr, memory);
  expr->slot = *local;
  return seal(expr);
}

std::optional<std::uint16_t> Parser::parseAddressOfLocal() {
  if (!token_.is("&")) return std::nullopt;
  const Token name = Lexer(lexer_).next();
  const auto variable = inScope_.find(std::string(name.text));
  if (name.kind != TokenKind::identifier || variable == inScope_.end()) return std::nullopt;
  advance();
  advance();
  return variable->second;
}

Place Parser::parseExpectedInMemory() {
  if (token_.kind == TokenKind::number ||
      (token_.kind == TokenKind::identifier && inScope_.count(std::string(token_.text)) != 0)) {
    failHere("the expected value of a compare-exchange is given by its address",
             "int expected = 0; ... compare_exchange(x, &expected, 1)");
  }
  const std::size_t offset = token_.offset;
  Place place = parsePlace(true);
  if (place.type.mutex) file_.fail(offset, kMutexOnly);
  return place;
}

// desired' = desired, e = *expected, compare_exchange(place, &e, desired') ? 1 : (*expected = e, 0)
const Expr* Parser::withExpectedInMemory(Expr* cas, Place expected) {
  const std::size_t offset = cas->offset;
  const Expr* before = nullptr;
  const auto then = [&](const Expr* first, const Expr* second) {
    if (first == nullptr) return second;
    Expr* comma = makeExpr(ExprKind::comma, offset);
    comma->left = first;
    comma->right = second;
    comma->type = second->type;
    return seal(comma);
  };
  // A value that is needed later, in a variable without a name.
  const auto kept = [&](const Expr* source, const Type& type) {
    Expr* assign = makeExpr(ExprKind::assign, offset);
    assign->slot = declareUnnamed(type, offset);
    assign->right = source;
    assign->type = type;
    before = then(before, seal(assign));
    Expr* local = makeExpr(ExprKind::local, offset);
    local->slot = assign->slot;
    local->type = type;
    return seal(local);
  };
  if (expected.index != nullptr && !expected.index->isConstant()) expected.index = kept(expected.index, kWide);
  if (!cas->right->isConstant()) cas->right = kept(cas->right, kWide);
  Expr* read = makeExpr(ExprKind::load, offset);
  read->place = expected;
  read->order = Order::plain;
  read->type = expected.type;
  Type type = expected.type;
  type.atomic = false;
  const Expr* found = kept(seal(read), type);
  cas->slot = found->slot;

  Expr* write = makeExpr(ExprKind::store, offset);
  write->place = expected;
  write->order = Order::plain;
  write->right = found;
  Expr* result = makeExpr(ExprKind::conditional, offset);
  result->left = seal(cas);
  result->right = constant(1, offset);
  result->third = then(seal(write), constant(0, offset));
  result->type = kBool;
  return then(before, seal(result));
}

const Expr* Parser::parseAtomicCall(const std::string& base, bool isExplicit, std::size_t offset) {
  Expr* expr = makeExpr(ExprKind::nothing, offset);
  if (base == "atomic_thread_fence" && !isExplicit) {
    expr->kind = ExprKind::fence;
    expr->order = parseOrder(ExprKind::fence);
    if (expr->order == Order::relaxed) expr->kind = ExprKind::nothing;
    return seal(expr);
  }
  if (base == "atomic_signal_fence" && !isExplicit) {
    parseOrder(ExprKind::fence);
    return seal(expr);
  }
  if (base == "atomic_compare_exchange_strong") return parseCas(false, isExplicit, offset);
  if (base == "atomic_compare_exchange_weak") return parseCas(true, isExplicit, offset);

  const auto place = [&] {
    expr->place = parsePlace(true);
    if (expr->place.type.mutex) file_.fail(offset, kMutexOnly);
  };
  const auto operand = [&] {
    expectComma("the location");
    expr->right = value(parseAssignment());
  };
  if (base == "atomic_load") {
    expr->kind = ExprKind::load;
    place();
    expr->order = parseOptionalOrder(ExprKind::load, isExplicit);
    expr->type = expr->place.type;
    return seal(expr);
  }
  if (base == "atomic_store" || (base == "atomic_init" && !isExplicit)) {
    expr->kind = ExprKind::store;
    place();
    operand();
    // Initialisation is not atomic: to do it while others can look is a race.
    expr->order = base == "atomic_init" ? Order::plain : parseOptionalOrder(ExprKind::store, isExplicit);
    return seal(expr);
  }
  if (base == "atomic_flag_test_and_set") {
    expr->kind = ExprKind::rmw;
    place();
    expr->right = constant(1, offset);
    expr->order = parseOptionalOrder(ExprKind::rmw, isExplicit);
    expr->type = expr->place.type;
    return seal(expr);
  }
  if (base == "atomic_flag_clear") {
    expr->kind = ExprKind::store;
    place();
    expr->right = constant(0, offset);
    expr->order = parseOptionalOrder(ExprKind::store, isExplicit);
    return seal(expr);
  }
  for (const FetchFunction& function : kFetchFunctions) {
    if (function.name != base) continue;
    expr->kind = ExprKind::rmw;
    place();
    operand();
    expr->rmw = function.op;
    if (!expr->place.type.isSigned && function.op == RmwOp::max) expr->rmw = RmwOp::umax;
    if (!expr->place.type.isSigned && function.op == RmwOp::min) expr->rmw = RmwOp::umin;
    expr->order = parseOptionalOrder(ExprKind::rmw, isExplicit);
    expr->type = expr->place.type;
    return seal(expr);
  }
  file_.fail(offset, fmt::format("unknown function `{}{}`", base, isExplicit ? "_explicit" : ""),
             "known are the atomic_* functions of C11, READ_ONCE, WRITE_ONCE, assume, assert, choose, lock, unlock, "
             "trylock, rdlock, rdunlock, tryrdlock, barrier_wait, spawn and join");
}

}  // namespace heddle::litmus
