// The syntax tree of a litmus test in the kernel's dialect, with names resolved: a local variable is its slot, a parameter the
// address of the location of its name. Every value is a number of 64 bits; a pointer is an address.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "litmus/kernel/primitives.h"
#include "litmus/syntax.h"
#include "program/operation.h"

namespace heddle::litmus {

enum class KernelExprKind : std::uint8_t {
  constant,   // value
  local,      // slot
  plainLoad,  // parts: pointer
  call,       // primitive, parts: arguments; a place is given by its pointer
  logicalNot,
  binary,      // op, parts: left, right
  logicalAnd,  // the right one is run only if it matters
  logicalOr,
  conditional,
  assign,      // slot; parts: value
  plainStore,  // parts: pointer, value
};

struct KernelExpr {
  KernelExprKind kind = KernelExprKind::constant;
  Operator op = Operator::none;
  Primitive primitive;
  std::int64_t value = 0;
  unsigned slot = 0;
  unsigned line = 0;
  std::vector<KernelExpr> parts;
};

enum class KernelStmtKind : std::uint8_t {
  expression,
  block,
  branch,
  loop,
  select,  // switch
  label,
  jump,  // goto
  breakOut,
  nextRound,  // continue
  returnThread,
};

// `case value:` or `default:`, in front of a part of the block.
struct KernelCase {
  bool isDefault = false;
  std::int64_t value = 0;
  std::size_t part = 0;
};

// Where a statement may lead, other than behind it.
struct WaysOut {
  bool returns = false, breaks = false, continues = false;
  std::set<unsigned> labels;  // further on
};

struct KernelStmt {
  KernelStmtKind kind = KernelStmtKind::block;
  bool testAtEnd = false;   // do ... while
  bool isBackward = false;  // of a jump
  unsigned label = 0;       // of a label, and of a jump
  KernelExpr expr;          // expression; of a branch, a loop and a switch: what decides
  std::vector<KernelStmt>
      parts;  // of a branch: what is done, and perhaps what is done else. Of a loop: what is done, and after it
  std::vector<KernelCase> cases;
  WaysOut ways;  // of what decides

  bool decides() const {
    return kind == KernelStmtKind::branch || kind == KernelStmtKind::loop || kind == KernelStmtKind::select;
  }
};

struct KernelThread {
  std::vector<std::string> locals;  // names, by slot
  std::vector<Value> initial;
  KernelStmt body;
};

struct KernelLocation {
  std::string name;
  Address address = 0;
  Value initial = 0;
};

struct KernelProgram {
  std::vector<KernelThread> threads;
  std::vector<KernelLocation> locations;
};

}  // namespace heddle::litmus
