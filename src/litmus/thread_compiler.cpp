#include "litmus/thread_compiler.h"

#include <fmt/format.h>

#include <limits>
#include <set>

namespace heddle::litmus {

namespace {

bool fits16(std::int64_t value) {
  return value >= std::numeric_limits<std::int16_t>::min() && value <= std::numeric_limits<std::int16_t>::max();
}

}  // namespace

ThreadCompiler::ThreadCompiler(const SourceFile& file, const Thread& thread, const std::vector<ThreadId>& threadIds,
                               std::vector<std::uint8_t>& sizesUsed, Code& code)
    : CodeBuilder(code, thread.locals.size()),
      file_(file),
      thread_(thread),
      threadIds_(threadIds),
      sizesUsed_(sizesUsed),
      spinLoops_(findSpinLoops(file, thread)) {}

CompiledThread ThreadCompiler::compile() {
  CompiledThread compiled;
  compiled.number = thread_.number;
  compiled.entry = here();
  for (const Local& local : thread_.locals) compiled.locals.push_back(local.type.convert(local.initial));
  statement(*thread_.body);
  emitReady(Operation::end().at(thread_.endSource));
  compiled.stateWords = stateWords();
  return compiled;
}

// Code --------------------------------------------------------------------------------------------------------

// dst = the operand, a value of type `from`, as a value of type `to`.
void ThreadCompiler::convert(Register dst, const Operand& operand, const Type& from, const Type& to) {
  if (operand.isConstant) {
    load(dst, Operand{.isConstant = true, .value = to.convert(operand.value)});
  } else if (from.fitsIn(to)) {
    load(dst, operand);
  } else if (to.boolean) {
    emitMove(Opcode::toBool, dst, operand.reg);
  } else {
    emitMove(to.isSigned ? Opcode::signExtend : Opcode::zeroExtend, dst, operand.reg, 64U - 8U * to.size);
  }
}

// May dst hold an intermediate value while `other` is evaluated? A variable may not if `other` mentions it; the
// set of mentioned variables is approximate for threads with more than 64.
bool ThreadCompiler::isFree(Register dst, const Expr& other) const {
  return dst >= thread_.locals.size() || ((other.locals >> (dst % 64)) & 1) == 0;
}

// Transactions ------------------------------------------------------------------------------------------------

namespace {

void collectReads(const Expr& expr, std::set<std::uint32_t>& locations) {
  switch (expr.kind) {
    case ExprKind::load:
    case ExprKind::rmw:
    case ExprKind::update:
    case ExprKind::cas: locations.insert(expr.place.location); break;
    default: break;
  }
  for (const Expr* part : {expr.left, expr.right, expr.third, expr.place.index}) {
    if (part != nullptr) collectReads(*part, locations);
  }
}

void collectReads(const Stmt& stmt, std::set<std::uint32_t>& locations) {
  for (const Expr* part : {stmt.expr, stmt.step}) {
    if (part != nullptr) collectReads(*part, locations);
  }
  for (const Stmt* part : stmt.init) collectReads(*part, locations);
  for (const Stmt* part : stmt.body) collectReads(*part, locations);
}

}  // namespace

// What it may read is known beforehand: every location that its text reads.
void ThreadCompiler::beginTransaction(const Stmt& stmt) {
  std::set<std::uint32_t> locations;
  collectReads(stmt, locations);
  emitReady(Operation::beginTransaction(static_cast<std::uint32_t>(code_.transactions.size())).at(stmt.source));
  code_.transactions.push_back({{locations.begin(), locations.end()}});
}

// Statements --------------------------------------------------------------------------------------------------

void ThreadCompiler::statement(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::expression: effect(*stmt.expr); break;
    case StmtKind::block:
      if (stmt.atomic) beginTransaction(stmt);
      for (const Stmt* part : stmt.body) statement(*part);
      if (stmt.atomic) emitReady(Operation::endTransaction().at(stmt.source));
      break;
    case StmtKind::choice: {
      Label otherwise, end;
      branch(*stmt.expr, false, otherwise);
      statement(*stmt.body[0]);
      if (stmt.body.size() > 1) {
        jump(Opcode::jump, end);
        bind(otherwise);
        statement(*stmt.body[1]);
        bind(end);
      } else {
        bind(otherwise);
      }
      break;
    }
    case StmtKind::loop: loop(stmt); break;
    case StmtKind::breakLoop: jump(Opcode::jump, *loops_.back().exit); break;
    case StmtKind::continueLoop: jump(Opcode::jump, *loops_.back().next); break;
    case StmtKind::returnThread: emitReady(Operation::end().at(thread_.endSource)); break;
  }
}

void ThreadCompiler::loop(const Stmt& stmt) {
  for (const Stmt* init : stmt.init) statement(*init);
  const Temporaries temporaries(*this);
  const auto spin = spinLoops_.find(&stmt);
  const bool spins = spin != spinLoops_.end();
  Label top, next, exit;
  bind(top);
  const Spinning spinning = spins ? beginRound(spin->second) : Spinning{};
  if (!stmt.testAtEnd && stmt.expr != nullptr) branch(*stmt.expr, false, exit);
  loops_.push_back({&exit, &next});
  statement(*stmt.body[0]);
  loops_.pop_back();
  bind(next);
  if (stmt.testAtEnd) branch(*stmt.expr, false, exit);
  if (stmt.step != nullptr) effect(*stmt.step);
  if (spins) endRound(spin->second, spinning, stmt.source);
  code_.loops.push_back({here(), stmt.offset});
  jump(Opcode::loop, top);
  bind(exit);
}

ThreadCompiler::Spinning ThreadCompiler::beginRound(const SpinLoop& spin) {
  Spinning spinning;
  if (spin.mayAffect) {
    spinning.changed = newTemporary();
    load(spinning.changed, {.isConstant = true, .value = 0});
    changed_.push_back(spinning.changed);
  }
  for (const std::uint16_t slot : spin.carried) {
    const Register before = newTemporary();
    load(before, {.reg = slot});
    spinning.before.push_back(before);
  }
  return spinning;
}

void ThreadCompiler::endRound(const SpinLoop& spin, const Spinning& spinning, std::uint32_t source) {
  const Temporaries temporaries(*this);
  Label again;
  if (spin.mayAffect) {
    jump(Opcode::jumpIfNotZero, again, spinning.changed);
    changed_.pop_back();
  }
  for (std::size_t i = 0; i < spin.carried.size(); ++i) {
    const Register differs = newTemporary();
    emitBinary(Operator::notEqual, {.reg = spin.carried[i]}, {.reg = spinning.before[i]}, source, differs);
    jump(Opcode::jumpIfNotZero, again, differs);
  }
  emitReady(Operation::block(0).at(source));
  bind(again);
}

// Memory has changed: for certain if there is no register, otherwise if the truth of what is in it is `when`.
void ThreadCompiler::noteChange(Register success, bool when) {
  if (changed_.empty()) return;
  Label unchanged;
  if (success != kNoRegister) jump(when ? Opcode::jumpIfZero : Opcode::jumpIfNotZero, unchanged, success);
  for (const Register changed : changed_) load(changed, {.isConstant = true, .value = 1});
  bind(unchanged);
}

// Expressions -------------------------------------------------------------------------------------------------

void ThreadCompiler::effect(const Expr& expr) {
  const Temporaries temporaries(*this);
  switch (expr.kind) {
    case ExprKind::nothing:
    case ExprKind::constant:
    case ExprKind::local: break;
    case ExprKind::logicalNot:
    case ExprKind::cast: effect(*expr.left); break;
    case ExprKind::comma:
      effect(*expr.left);
      effect(*expr.right);
      break;
    case ExprKind::binary:
      if (expr.op == Operator::div || expr.op == Operator::mod) {
        evaluate(expr);  // it may fail
      } else {
        effect(*expr.left);
        effect(*expr.right);
      }
      break;
    case ExprKind::logicalAnd:
    case ExprKind::logicalOr: {
      Label end;
      branch(*expr.left, expr.kind == ExprKind::logicalOr, end);
      effect(*expr.right);
      bind(end);
      break;
    }
    case ExprKind::conditional: {
      Label otherwise, end;
      branch(*expr.left, false, otherwise);
      effect(*expr.right);
      jump(Opcode::jump, end);
      bind(otherwise);
      effect(*expr.third);
      bind(end);
      break;
    }
    case ExprKind::assign: assignment(expr, kNoRegister); break;
    case ExprKind::assume: {
      Label ok;
      branch(*expr.left, true, ok);
      emitReady(Operation::block(0).at(expr.source));
      bind(ok);
      break;
    }
    case ExprKind::assertion: {
      Label ok;
      branch(*expr.left, true, ok);
      Instruction fail;
      fail.opcode = Opcode::ready;
      fail.index = errorOperation(expr.value, expr.source);
      emit(fail);
      bind(ok);
      break;
    }
    default: visible(expr, kNoRegister); break;
  }
}

ThreadCompiler::Operand ThreadCompiler::evaluate(const Expr& expr) {
  if (expr.isConstant()) return {.isConstant = true, .value = expr.value};
  if (expr.kind == ExprKind::local) return {.reg = expr.slot};
  if (expr.kind == ExprKind::assign && !expr.postfix) {
    assignment(expr, kNoRegister);
    return {.reg = expr.slot};
  }
  if (expr.kind == ExprKind::comma) {
    effect(*expr.left);
    return evaluate(*expr.right);
  }
  const Register reg = newTemporary();
  evaluateInto(expr, reg);
  return {.reg = reg};
}

void ThreadCompiler::evaluateInto(const Expr& expr, Register dst) {
  const Temporaries temporaries(*this);
  switch (expr.kind) {
    case ExprKind::constant: load(dst, {.isConstant = true, .value = expr.value}); break;
    case ExprKind::local: load(dst, {.reg = expr.slot}); break;
    case ExprKind::binary: binaryInto(expr.op, *expr.left, *expr.right, expr.source, dst); break;
    case ExprKind::logicalNot: emitMove(Opcode::isZero, dst, inRegister(evaluate(*expr.left))); break;
    case ExprKind::cast:
      // The operand may be computed in dst itself: nothing is read from it between the two.
      if (expr.left->isConstant() || expr.left->kind == ExprKind::local) {
        convert(dst, evaluate(*expr.left), expr.left->type, expr.type);
      } else {
        evaluateInto(*expr.left, dst);
        if (!expr.left->type.fitsIn(expr.type)) convert(dst, {.reg = dst}, expr.left->type, expr.type);
      }
      break;
    case ExprKind::comma:
      effect(*expr.left);
      evaluateInto(*expr.right, dst);
      break;
    case ExprKind::logicalAnd:
    case ExprKind::logicalOr: {
      Label isFalse, end;
      branch(expr, false, isFalse);
      load(dst, {.isConstant = true, .value = 1});
      jump(Opcode::jump, end);
      bind(isFalse);
      load(dst, {.isConstant = true, .value = 0});
      bind(end);
      break;
    }
    case ExprKind::conditional: conditionalInto(expr, dst); break;
    case ExprKind::assign: assignment(expr, dst); break;
    default: visible(expr, dst); break;
  }
}

void ThreadCompiler::conditionalInto(const Expr& expr, Register dst) {
  Label otherwise, end;
  branch(*expr.left, false, otherwise);
  evaluateInto(*expr.right, dst);
  jump(Opcode::jump, end);
  bind(otherwise);
  evaluateInto(*expr.third, dst);
  bind(end);
}

void ThreadCompiler::binaryInto(Operator op, const Expr& left, const Expr& right, std::uint32_t source, Register dst) {
  Operand first;
  const bool direct = left.isConstant() || left.kind == ExprKind::local;
  if (!direct && isFree(dst, right)) {
    evaluateInto(left, dst);
    first.reg = dst;
  } else {
    first = evaluate(left);
  }
  Operand second;
  const bool directRight = right.isConstant() || right.kind == ExprKind::local;
  const bool dstHoldsFirst = !first.isConstant && first.reg == dst;
  if (!directRight && !dstHoldsFirst) {
    evaluateInto(right, dst);
    second.reg = dst;
  } else {
    second = evaluate(right);
  }
  emitBinary(op, first, second, source, dst);
}

// slot = value, slot op= value, slot++; the value of the whole goes to dst unless that is kNoRegister.
void ThreadCompiler::assignment(const Expr& expr, Register dst) {
  const Temporaries temporaries(*this);
  const Type& type = thread_.locals[expr.slot].type;
  const Register slot = expr.slot;
  if (expr.postfix && dst != kNoRegister) load(dst, {.reg = slot});
  if (expr.op != Operator::none) {
    const Operand operand = evaluate(*expr.right);
    emitBinary(expr.op, {.reg = slot}, operand, expr.source, slot);
    if (!kWide.fitsIn(type)) convert(slot, {.reg = slot}, kWide, type);
  } else if (expr.right->isConstant() || expr.right->kind == ExprKind::local ||
             (expr.right->kind == ExprKind::assign && !expr.right->postfix)) {
    convert(slot, evaluate(*expr.right), expr.right->type, type);
  } else {
    evaluateInto(*expr.right, slot);
    if (!expr.right->type.fitsIn(type)) convert(slot, {.reg = slot}, expr.right->type, type);
  }
  if (!expr.postfix && dst != kNoRegister) load(dst, {.reg = slot});
}

// Jumps to the label if the expression's truth is `when`; falls through otherwise.
void ThreadCompiler::branch(const Expr& expr, bool when, Label& label) {
  const Temporaries temporaries(*this);
  if (expr.isConstant()) {
    if ((expr.value != 0) == when) jump(Opcode::jump, label);
    return;
  }
  if (expr.kind == ExprKind::logicalNot) {
    branch(*expr.left, !when, label);
    return;
  }
  if (expr.kind == ExprKind::logicalAnd || expr.kind == ExprKind::logicalOr) {
    const bool decides = expr.kind == ExprKind::logicalOr;  // the truth of the left side that settles it
    if (when == decides) {
      branch(*expr.left, when, label);
      branch(*expr.right, when, label);
    } else {
      Label end;
      branch(*expr.left, decides, end);
      branch(*expr.right, when, label);
      bind(end);
    }
    return;
  }
  const bool equality = expr.kind == ExprKind::binary && (expr.op == Operator::equal || expr.op == Operator::notEqual);
  if (equality && expr.right->isConstant() && fits16(expr.right->value)) {
    const Register reg = inRegister(evaluate(*expr.left));
    const bool jumpIfEqual = (expr.op == Operator::equal) == when;
    jump(jumpIfEqual ? Opcode::jumpIfEqual : Opcode::jumpIfNotEqual, label, reg, expr.right->value);
    return;
  }
  const Register reg = inRegister(evaluate(expr));
  jump(when ? Opcode::jumpIfNotZero : Opcode::jumpIfZero, label, reg);
}

}  // namespace heddle::litmus
