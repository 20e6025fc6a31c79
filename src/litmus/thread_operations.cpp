// The visible operations of a thread: from an expression to an entry in the table of operations and the
// instruction that pauses there.
#include <fmt/format.h>

#include "litmus/thread_compiler.h"

namespace heddle::litmus {

namespace {

// Operations at a place and with values that emitOperation fills in.
Operation loadOf(const Expr& expr) { return Operation::load(0, expr.place.type.size, expr.order).at(expr.source); }
Operation storeOf(const Expr& expr) { return Operation::store(0, expr.place.type.size, expr.order, 0).at(expr.source); }

}  // namespace

// One reader fewer; an error if there was none.
void ThreadCompiler::leaveAsReader(const Expr& expr, const Operand& place) {
  Instruction instruction;
  Instruction check;
  check.opcode = Opcode::checkPositive;
  check.a = instruction.dst = newTemporary();
  check.index = errorOperation(message("a lock is given back by a reader, and there is none"), expr.source);
  instruction.result = ResultKind::value;
  emitOperation(Operation::leaveReading(0, 0, expr.place.type.size).at(expr.source), &place, nullptr, instruction);
  emit(check);
}

ThreadCompiler::Operand ThreadCompiler::address(const Place& place, std::uint32_t source) {
  const CompiledLocation& location = code_.locations[place.location];
  const std::uint64_t count = location.bytes / place.type.size;
  if (place.index == nullptr) return {.isConstant = true, .value = static_cast<std::int64_t>(location.address)};
  if (place.index->isConstant()) {
    const auto index = static_cast<std::uint64_t>(place.index->value);
    if (index >= count) {
      file_.fail(place.index->offset, fmt::format("`{}` has the elements 0 to {}", location.name, count - 1));
    }
    return {.isConstant = true, .value = static_cast<std::int64_t>(location.address + index * place.type.size)};
  }
  const Operand index = evaluate(*place.index);
  ArrayView view;
  view.address = location.address;
  view.count = count;
  view.size = place.type.size;
  view.outOfBounds =
      errorOperation(message(fmt::format("index outside `{}`, which has {} elements", location.name, count)), source);
  Instruction instruction;
  instruction.opcode = Opcode::elementAddress;
  instruction.dst = newTemporary();
  instruction.a = inRegister(index);
  instruction.index = static_cast<std::uint32_t>(code_.arrays.size());
  code_.arrays.push_back(view);
  emit(instruction);
  return {.reg = instruction.dst};
}

// The value that a store, exchange or compare-exchange writes. Memory keeps the low bytes of it, which is all the
// conversion that most types need.
ThreadCompiler::Operand ThreadCompiler::storedValue(const Expr& expr) {
  const Type& type = expr.place.type;
  Operand operand = evaluate(*expr.right);
  if (operand.isConstant) {
    operand.value = type.convert(operand.value);
  } else if (type.boolean && !expr.right->type.boolean) {
    const Register reg = newTemporary();
    convert(reg, operand, expr.right->type, type);
    operand.reg = reg;
  }
  return operand;
}

// *x += e where *x is not atomic, read and written one after the other.
void ThreadCompiler::update(const Expr& expr, Register dst) {
  const Operand place = address(expr.place, expr.source);
  const Register old = newTemporary();
  Instruction loadOld;
  loadOld.result = ResultKind::value;
  loadOld.dst = old;
  loadOld.shift = static_cast<std::uint8_t>(expr.type.isSigned ? 64U - 8U * expr.type.size : 0U);
  emitOperation(loadOf(expr), &place, nullptr, loadOld);
  const Operand operand = evaluate(*expr.right);
  const Register updated = expr.postfix && dst != kNoRegister ? newTemporary() : old;
  emitBinary(expr.op, {.reg = old}, operand, expr.source, updated);
  convert(updated, {.reg = updated}, kWide, expr.type);
  const Operand stored{.reg = updated};
  emitOperation(storeOf(expr), &place, &stored, {});
  if (dst != kNoRegister) load(dst, {.reg = expr.postfix ? old : updated});
}

// The value of an assignment to memory is what was stored, as the location's type sees it.
void ThreadCompiler::storeResult(const Expr& expr, const Operand& operand, Register dst) {
  if (dst != kNoRegister && !expr.type.isVoid) convert(dst, operand, expr.right->type, expr.type);
}

void ThreadCompiler::visible(const Expr& expr, Register dst) {
  Instruction instruction;
  instruction.dst = dst;
  instruction.result = dst == kNoRegister ? ResultKind::none : ResultKind::value;
  const Type& type = expr.place.type;
  instruction.shift = static_cast<std::uint8_t>(type.isSigned ? 64U - 8U * type.size : 0U);
  const auto touch = [&] { sizesUsed_[expr.place.location] |= type.size; };

  const bool tries = expr.kind == ExprKind::cas || expr.kind == ExprKind::trylock;
  if (mayAffect(expr) && !tries) noteChange(kNoRegister, true);
  if (tries && dst == kNoRegister && !changed_.empty()) {
    instruction.dst = newTemporary();
    instruction.result = ResultKind::value;
  }
  switch (expr.kind) {
    case ExprKind::load: {
      touch();
      const Operand place = address(expr.place, expr.source);
      emitOperation(loadOf(expr), &place, nullptr, instruction);
      break;
    }
    case ExprKind::store: {
      touch();
      const Operand place = address(expr.place, expr.source);
      const Operand operand = storedValue(expr);
      emitOperation(storeOf(expr), &place, &operand, {});
      storeResult(expr, operand, dst);
      break;
    }
    case ExprKind::rmw: {
      touch();
      const Operand place = address(expr.place, expr.source);
      const Operand operand = expr.rmw == RmwOp::exchange ? storedValue(expr) : evaluate(*expr.right);
      const bool wantsNew = dst != kNoRegister && expr.op != Operator::none && !expr.postfix;
      if (wantsNew && !operand.isConstant && operand.reg == dst) instruction.dst = newTemporary();
      emitOperation(Operation::update(0, type.size, expr.order, expr.rmw, 0).at(expr.source), &place, &operand, instruction);
      if (wantsNew) {
        emitBinary(expr.op, {.reg = instruction.dst}, operand, expr.source, dst);
        convert(dst, {.reg = dst}, kWide, expr.type);
      }
      break;
    }
    case ExprKind::update:
      touch();
      update(expr, dst);
      break;
    case ExprKind::cas: {
      touch();
      const Operand place = address(expr.place, expr.source);
      const Operand operand = storedValue(expr);
      instruction.result = ResultKind::cas;
      instruction.c = expr.slot;
      instruction.flags = kExpectedFromC;
      Operation operation = Operation::cas(0, type.size, expr.order, expr.failureOrder, 0, 0).at(expr.source);
      operation.mayFailSpuriously = expr.weak;
      emitOperation(operation, &place, &operand, instruction);
      const Type& expected = thread_.locals[expr.slot].type;
      noteChange(instruction.dst, true);
      if (!type.fitsIn(expected) && dst != expr.slot) convert(expr.slot, {.reg = expr.slot}, type, expected);
      break;
    }
    case ExprKind::fence: emitReady(Operation::fence(expr.order).at(expr.source)); break;
    case ExprKind::lock:
    case ExprKind::unlock: {
      const Operand place = address(expr.place, expr.source);
      if (expr.kind == ExprKind::unlock && expr.lock == LockOp::read) {
        leaveAsReader(expr, place);
        break;
      }
      const bool takes = expr.kind == ExprKind::lock;
      const Operation operation = takes ? Operation::take(0, expr.lock, type.size) : Operation::unlock(0, type.size);
      emitOperation(operation.at(expr.source), &place, nullptr, {});
      break;
    }
    case ExprKind::barrier: {
      const Operand place = address(expr.place, expr.source);
      const Value count = truncate(static_cast<Value>(expr.right->value), type.size);
      Operation arrive = Operation::arrive(0, count, 1).at(expr.source);
      Operation depart = Operation::depart(0, count, std::nullopt).at(expr.source);
      arrive.size = depart.size = type.size;
      Instruction check;
      check.opcode = Opcode::checkPositive;
      check.a = instruction.dst = newTemporary();
      check.index = errorOperation(message("more threads wait at the barrier than should meet there"), expr.source);
      instruction.result = ResultKind::cas;
      instruction.c = newTemporary();
      emitOperation(arrive, &place, nullptr, instruction);
      emit(check);
      emitOperation(depart, &place, nullptr, {});
      break;
    }
    case ExprKind::trylock: {
      const Operand place = address(expr.place, expr.source);
      emitOperation(Operation::tryTake(0, expr.lock, type.size).at(expr.source), &place, nullptr, instruction);
      noteChange(instruction.dst, false);  // it found the mutex free
      break;
    }
    case ExprKind::spawn:
    case ExprKind::join: {
      const ThreadId other = threadIds_[static_cast<std::size_t>(expr.value)];
      emitReady((expr.kind == ExprKind::spawn ? Operation::spawn(other) : Operation::join(other)).at(expr.source));
      break;
    }
    case ExprKind::choose: {
      const Operand limit = evaluate(*expr.left);
      if (!limit.isConstant) {
        Instruction check;
        check.opcode = Opcode::checkPositive;
        check.a = limit.reg;
        check.index = errorOperation(message("choose needs a positive number"), expr.source);
        emit(check);
      }
      instruction.shift = 0;
      if (!limit.isConstant) {
        instruction.flags = kChoicesFromA;
        instruction.a = limit.reg;
      }
      const Value known = limit.isConstant ? static_cast<Value>(limit.value) : 0;
      emitOperation(Operation::choose(known).at(expr.source), nullptr, nullptr, instruction);
      break;
    }
    default: break;
  }
}

}  // namespace heddle::litmus
