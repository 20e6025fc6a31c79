#include "litmus/code_builder.h"

#include <limits>

namespace heddle::litmus {

namespace {

bool fits32(std::int64_t value) {
  return value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
}

Opcode opcodeOf(Operator op) {
  switch (op) {
    case Operator::add: return Opcode::add;
    case Operator::sub: return Opcode::sub;
    case Operator::mul: return Opcode::mul;
    case Operator::div: return Opcode::div;
    case Operator::mod: return Opcode::mod;
    case Operator::bitAnd: return Opcode::bitAnd;
    case Operator::bitOr: return Opcode::bitOr;
    case Operator::bitXor: return Opcode::bitXor;
    case Operator::shiftLeft: return Opcode::shiftLeft;
    case Operator::shiftRight: return Opcode::shiftRight;
    case Operator::equal: return Opcode::equal;
    case Operator::notEqual: return Opcode::notEqual;
    case Operator::less: return Opcode::less;
    case Operator::lessEqual: return Opcode::lessEqual;
    case Operator::greater: return Opcode::greater;
    case Operator::greaterEqual: return Opcode::greaterEqual;
    case Operator::none: break;
  }
  return Opcode::add;
}

// a op b as b op' a, where there is such an op'.
Operator mirrored(Operator op) {
  switch (op) {
    case Operator::less: return Operator::greater;
    case Operator::lessEqual: return Operator::greaterEqual;
    case Operator::greater: return Operator::less;
    case Operator::greaterEqual: return Operator::lessEqual;
    case Operator::add:
    case Operator::mul:
    case Operator::bitAnd:
    case Operator::bitOr:
    case Operator::bitXor:
    case Operator::equal:
    case Operator::notEqual: return op;
    default: return Operator::none;
  }
}

}  // namespace

void CodeBuilder::emitMove(Opcode opcode, Register dst, Register a, unsigned shift) {
  Instruction instruction;
  instruction.opcode = opcode;
  instruction.dst = dst;
  instruction.a = a;
  instruction.shift = static_cast<std::uint8_t>(shift);
  emit(instruction);
}

void CodeBuilder::load(Register dst, const Operand& operand) {
  if (!operand.isConstant) {
    if (operand.reg != dst) emitMove(Opcode::copy, dst, operand.reg);
    return;
  }
  Instruction instruction;
  instruction.dst = dst;
  if (fits32(operand.value)) {
    instruction.opcode = Opcode::constant;
    instruction.index = static_cast<std::uint32_t>(operand.value);
  } else {
    instruction.opcode = Opcode::wideConstant;
    instruction.index = static_cast<std::uint32_t>(code_.constants.size());
    code_.constants.push_back(operand.value);
  }
  emit(instruction);
}

CodeBuilder::Register CodeBuilder::newTemporary() {
  const Register reg = temporaries_++;
  if (temporaries_ > registers_) registers_ = temporaries_;
  return reg;
}

CodeBuilder::Register CodeBuilder::inRegister(const Operand& operand) {
  if (!operand.isConstant) return operand.reg;
  const Register reg = newTemporary();
  load(reg, operand);
  return reg;
}

void CodeBuilder::jump(Opcode opcode, Label& label, Register a, std::int64_t compared) {
  Instruction instruction;
  instruction.opcode = opcode;
  instruction.a = a;
  instruction.c = static_cast<std::uint16_t>(compared);
  instruction.index = label.target;
  if (label.target == kUnknown) label.jumps.push_back(here());
  emit(instruction);
}

void CodeBuilder::bind(Label& label) {
  label.target = here();
  for (const std::uint32_t pc : label.jumps) code_.instructions[pc].index = label.target;
  label.jumps.clear();
}

std::int64_t CodeBuilder::message(const std::string& text) {
  for (std::size_t i = code_.messages.size(); i-- > 0 && i + 8 >= code_.messages.size();) {
    if (code_.messages[i] == text) return static_cast<std::int64_t>(i);
  }
  code_.messages.push_back(text);
  return static_cast<std::int64_t>(code_.messages.size() - 1);
}

void CodeBuilder::emitBinary(Operator op, Operand left, Operand right, std::uint32_t source, Register dst) {
  if (left.isConstant && mirrored(op) != Operator::none) {
    std::swap(left, right);
    op = mirrored(op);
  }
  const bool divides = op == Operator::div || op == Operator::mod;
  Instruction instruction;
  instruction.opcode = opcodeOf(op);
  instruction.dst = dst;
  instruction.a = inRegister(left);
  if (right.isConstant && fits32(right.value) && !divides) {
    instruction.flags = kImmediate;
    instruction.index = static_cast<std::uint32_t>(right.value);
  } else {
    instruction.b = inRegister(right);
  }
  if (divides) instruction.index = errorOperation(message("division by zero"), source);
  emit(instruction);
}

std::uint32_t CodeBuilder::errorOperation(std::int64_t messageNumber, std::uint32_t source) {
  code_.operations.push_back(Operation::error(static_cast<Value>(messageNumber)).at(source));
  return static_cast<std::uint32_t>(code_.operations.size() - 1);
}

void CodeBuilder::emitOperation(Operation operation, const Operand* address, const Operand* operand, Instruction instruction) {
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
      operation.setOperand(truncate(static_cast<Value>(operand->value), operation.size));
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

}  // namespace heddle::litmus
