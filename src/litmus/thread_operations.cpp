// The visible operations of a thread: from an expression to an entry in the table of operations and the
// instruction that pauses there.
#include <fmt/format.h>

#include "litmus/thread_compiler.h"

namespace heddle::litmus {

void ThreadCompiler::emitReady(OperationKind kind, Value operand, std::uint32_t source) {
  Operation operation;
  operation.kind = kind;
  operation.operand = operand;
  operation.source = source;
  Instruction instruction;
  emitOperation(operation, nullptr, nullptr, instruction);
}

std::uint32_t ThreadCompiler::errorOperation(std::int64_t messageNumber, std::uint32_t source) {
  Operation operation;
  operation.kind = OperationKind::error;
  operation.operand = static_cast<Value>(messageNumber);
  operation.source = source;
  code_.operations.push_back(operation);
  return static_cast<std::uint32_t>(code_.operations.size() - 1);
}

// Fills in what is constant of address and operand, and leaves the rest to the instruction.
void ThreadCompiler::emitOperation(Operation operation, const Operand* address, const Operand* operand,
                                   Instruction instruction) {
  if (address != nullptr) {
    if (address->isConstant) {
      operation.address = static_cast<Address>(address->value);
    } else {
      instruction.flags |= kAddressFromB;
      instruction.b = address->reg;
    }
  }
  if (operand != nullptr) {
    if (operand->isConstant) {
      operation.operand = truncate(static_cast<Value>(operand->value), operation.size);
    } else {
      instruction.flags |= kOperandFromA;
      instruction.a = operand->reg;
    }
  }
  const bool isAccess = operation.kind == OperationKind::load || operation.kind == OperationKind::store;
  if (isAccess && operation.order == Order::plain) code_.hasPlainAccesses = true;
  instruction.opcode = instruction.flags == 0 ? Opcode::ready : Opcode::patched;
  instruction.index = static_cast<std::uint32_t>(code_.operations.size());
  code_.operations.push_back(operation);
  emit(instruction);
}

Operation ThreadCompiler::access(OperationKind kind, const Expr& expr) {
  Operation operation;
  operation.kind = kind;
  operation.order = expr.order;
  operation.failureOrder = expr.failureOrder;
  operation.rmw = expr.rmw;
  operation.lock = expr.lock;
  operation.weak = expr.weak;
  operation.size = expr.place.type.size;
  operation.source = expr.source;
  return operation;
}

// One reader fewer; an error if there was none. It releases nothing: graph/lock_order.h.
void ThreadCompiler::leaveAsReader(const Expr& expr, const Operand& place) {
  Operation operation = access(OperationKind::rmw, expr);
  operation.order = Order::relaxed;
  operation.rmw = RmwOp::sub;
  const Operand reader{.isConstant = true, .value = kReader};
  Instruction instruction;
  Instruction check;
  check.opcode = Opcode::checkPositive;
  check.a = instruction.dst = newTemporary();
  check.index = errorOperation(message("a lock is given back by a reader, and there is none"), expr.source);
  instruction.result = ResultKind::value;
  emitOperation(operation, &place, &reader, instruction);
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
  emitOperation(access(OperationKind::load, expr), &place, nullptr, loadOld);
  const Operand operand = evaluate(*expr.right);
  const Register updated = expr.postfix && dst != kNoRegister ? newTemporary() : old;
  emitBinary(expr.op, {.reg = old}, operand, expr.source, updated);
  convert(updated, {.reg = updated}, kWide, expr.type);
  const Operand stored{.reg = updated};
  emitOperation(access(OperationKind::store, expr), &place, &stored, {});
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
      emitOperation(access(OperationKind::load, expr), &place, nullptr, instruction);
      break;
    }
    case ExprKind::store: {
      touch();
      const Operand place = address(expr.place, expr.source);
      const Operand operand = storedValue(expr);
      emitOperation(access(OperationKind::store, expr), &place, &operand, {});
      storeResult(expr, operand, dst);
      break;
    }
    case ExprKind::rmw: {
      touch();
      const Operand place = address(expr.place, expr.source);
      const Operand operand = expr.rmw == RmwOp::exchange ? storedValue(expr) : evaluate(*expr.right);
      const bool wantsNew = dst != kNoRegister && expr.op != Operator::none && !expr.postfix;
      if (wantsNew && !operand.isConstant && operand.reg == dst) instruction.dst = newTemporary();
      emitOperation(access(OperationKind::rmw, expr), &place, &operand, instruction);
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
      emitOperation(access(OperationKind::cas, expr), &place, &operand, instruction);
      const Type& expected = thread_.locals[expr.slot].type;
      noteChange(instruction.dst, true);
      if (!type.fitsIn(expected) && dst != expr.slot) convert(expr.slot, {.reg = expr.slot}, type, expected);
      break;
    }
    case ExprKind::fence: {
      Operation operation;
      operation.kind = OperationKind::fence;
      operation.order = expr.order;
      operation.source = expr.source;
      emitOperation(operation, nullptr, nullptr, {});
      break;
    }
    case ExprKind::lock:
    case ExprKind::unlock: {
      const Operand place = address(expr.place, expr.source);
      if (expr.kind == ExprKind::unlock && expr.lock == LockOp::read) {
        leaveAsReader(expr, place);
        break;
      }
      Operation operation;
      operation.kind = expr.kind == ExprKind::lock ? OperationKind::lock : OperationKind::unlock;
      operation.lock = expr.lock;
      operation.size = type.size;
      operation.source = expr.source;
      emitOperation(operation, &place, nullptr, {});
      break;
    }
    case ExprKind::barrier: {
      const Operand place = address(expr.place, expr.source);
      const Operand count{.isConstant = true, .value = expr.right->value};
      Operation operation;
      operation.kind = OperationKind::arrive;
      operation.size = type.size;
      operation.source = expr.source;
      operation.expected = 1;
      Instruction check;
      check.opcode = Opcode::checkPositive;
      check.a = instruction.dst = newTemporary();
      check.index = errorOperation(message("more threads wait at the barrier than should meet there"), expr.source);
      instruction.result = ResultKind::cas;
      instruction.c = newTemporary();
      emitOperation(operation, &place, &count, instruction);
      emit(check);
      operation.kind = OperationKind::depart;
      operation.expected = 0;  // from the round that it has arrived in
      emitOperation(operation, &place, &count, {});
      break;
    }
    case ExprKind::trylock: {  // a compare-exchange of the free state for the held one
      const Operand place = address(expr.place, expr.source);
      const Operand held{.isConstant = true, .value = 1};
      emitOperation(access(OperationKind::cas, expr), &place, &held, instruction);
      noteChange(instruction.dst, false);  // it found the mutex free
      break;
    }
    case ExprKind::spawn:
    case ExprKind::join:
      emitReady(expr.kind == ExprKind::spawn ? OperationKind::spawn : OperationKind::join,
                threadIds_[static_cast<std::size_t>(expr.value)], expr.source);
      break;
    case ExprKind::choose: {
      const Operand limit = evaluate(*expr.left);
      if (!limit.isConstant) {
        Instruction check;
        check.opcode = Opcode::checkPositive;
        check.a = limit.reg;
        check.index = errorOperation(message("choose needs a positive number"), expr.source);
        emit(check);
      }
      Operation operation;
      operation.kind = OperationKind::choose;
      operation.size = 8;
      operation.source = expr.source;
      instruction.shift = 0;
      emitOperation(operation, nullptr, &limit, instruction);
      break;
    }
    default: break;
  }
}

}  // namespace heddle::litmus
