// The syntax tree of a litmus test in the kernel's dialect, with names resolved: a local variable is its slot, a parameter the
// address of the location of its name. Every value is a number of 64 bits; a pointer is an address.
#pragma once

#include <cstdint>
#include <memory>
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

enum class KernelStmtKind : std::uint8_t { expression, block, branch, loop, returnThread };

struct KernelStmt {
  KernelStmtKind kind = KernelStmtKind::block;
  bool testAtEnd = false;         // do ... while
  KernelExpr expr;                // expression; of a branch and a loop: the condition
  std::vector<KernelStmt> parts;  // of a branch: what is done, and perhaps what is done else
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
