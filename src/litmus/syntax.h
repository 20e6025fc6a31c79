// The syntax tree of a litmus test, with names resolved.
//
// Names are resolved while parsing: a local variable is its slot in the thread's state, a location its index in
// Syntax::locations. The nodes live in deques owned by Syntax, so that a tree is freed without recursion, and
// each expression carries the few facts about itself that later passes would otherwise have to search for.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "litmus/condition.h"
#include "litmus/types.h"
#include "program/operation.h"

namespace heddle::litmus {

enum class Operator : std::uint8_t {
  add,
  sub,
  mul,
  div,
  mod,
  bitAnd,
  bitOr,
  bitXor,
  shiftLeft,
  shiftRight,  // these may stand before `=`
  equal,
  notEqual,
  less,
  lessEqual,
  greater,
  greaterEqual,
  none,
};

enum class ExprKind : std::uint8_t {
  constant,    // value
  local,       // slot
  logicalNot,  // left; other unary operators are written with binary ones
  binary,      // op, left, right
  logicalAnd,
  logicalOr,
  comma,        // left, right
  conditional,  // left ? right : third
  cast,         // left, converted to `type`
  assign,       // slot = right, or slot op= right; `postfix` gives the old value
  load,         // place, order
  store,        // place, order, right
  rmw,          // place, order, rmw, right
  update,       // place op= right on memory that is not atomic: a load and a store; `postfix` as above
  cas,          // place, order, failureOrder, weak, slot = expected, right = desired
  fence,        // order
  lock,         // place, lock
  unlock,       // place; lock = read: of a reader
  barrier,      // place, right: how many threads meet
  trylock,      // place; its value is what it found there: 0 if it took the mutex
  spawn,
  join,       // value = the source number of the thread
  choose,     // left = n
  assume,     // left
  assertion,  // left, value = message number
  nothing,    // an operation that has no effect, such as atomic_signal_fence
};

struct Expr;

// A memory access's target: an element of a location, seen through the type of the thread's parameter.
struct Place {
  std::uint32_t location = 0;
  Type type;
  const Expr* index = nullptr;  // in elements of `type`; null means 0
};

struct Expr {
  ExprKind kind = ExprKind::nothing;
  Operator op = Operator::none;
  RmwOp rmw = RmwOp::exchange;
  LockOp lock = LockOp::hold;
  Order order = Order::seq_cst;
  Order failureOrder = Order::seq_cst;
  bool weak = false;
  bool postfix = false;
  bool lvalue = false;       // `*x`, `a[i]` or a variable: may stand left of `=`
  bool readsMemory = false;  // it, or a part of it, gets a value from memory or from choose
  std::uint16_t slot = 0;
  std::uint16_t depth = 1;   // of the tree below
  Type type = kVoid;         // the range of its value; kVoid where it has none
  std::uint32_t source = 0;  // the statement it belongs to: an index in Syntax::sources
  std::uint32_t offset = 0;
  std::uint64_t locals = 0;  // bit (slot mod 64) is set for every local variable it mentions
  std::int64_t value = 0;
  Place place;
  const Expr* left = nullptr;
  const Expr* right = nullptr;
  const Expr* third = nullptr;

  bool isConstant() const { return kind == ExprKind::constant; }
};

enum class StmtKind : std::uint8_t {
  expression,  // expr
  block,       // body; `atomic`: a transaction
  choice,      // if (expr) body[0] else body[1]
  loop,        // while, for and do: for (init; expr; step) body[0]; `expr` may be null; `testAtEnd` for do
  breakLoop,
  continueLoop,
  returnThread,
};

struct Stmt {
  StmtKind kind = StmtKind::block;
  bool testAtEnd = false;
  bool atomic = false;
  std::uint32_t source = 0;
  std::uint32_t offset = 0;
  const Expr* expr = nullptr;
  const Expr* step = nullptr;
  std::vector<const Stmt*> init;  // the declarations or expression at the head of a `for`
  std::vector<const Stmt*> body;
};

struct Local {
  std::string name;
  Type type;
  std::int64_t initial = 0;
  bool declared = false;  // in the body, rather than only given a value in the initial state
};

struct Thread {
  unsigned number = 0;  // n of Pn
  std::uint32_t endOffset = 0;
  std::uint32_t endSource = 0;
  bool spawned = false;
  std::vector<Local> locals;  // indexed by slot
  const Stmt* body = nullptr;
};

struct Location {
  std::string name;
  Type type;
  bool typed = false;  // the type is known; until then it is the default, int
  bool isArray = false;
  bool locked = false;    // some thread uses it as a mutex
  bool accessed = false;  // some thread uses it as memory
  std::uint64_t count = 1;
  std::uint64_t bytes = 0;  // at least count * type.size; a parameter of a wider type makes it more
  std::vector<std::int64_t> initial;
};

// A statement, for messages: a range of the text.
struct SourceRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  unsigned line = 0;
};

// Something whose final value is to be shown: a register or an element of a location.
struct Observed {
  bool isRegister = false;
  unsigned thread = 0;  // source number
  std::uint16_t slot = 0;
  std::uint32_t location = 0;
  std::uint64_t index = 0;
  std::string name;
  Type type;
};

struct Syntax {
  std::string name;
  std::vector<Location> locations;
  std::vector<Thread> threads;
  std::vector<SourceRange> sources;
  std::vector<std::string> messages;  // what an `error` operation says
  std::vector<Observed> observed;     // sorted: registers by thread and name, then locations by name
  Quantifier quantifier = Quantifier::none;
  Formula condition;  // over `observed`
  std::deque<Expr> exprs;
  std::deque<Stmt> stmts;
};

}  // namespace heddle::litmus
