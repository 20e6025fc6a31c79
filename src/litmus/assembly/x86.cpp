// X86 and X86_64, in the notation of the simulators: MOV EAX,[x] and MOV [x],$1. A locked instruction is a seq_cst
// read-modify-write, MFENCE a seq_cst fence, and all other accesses are relaxed (models/tso.cat).
#include <fmt/format.h>

#include <array>
#include <vector>

#include "litmus/assembly/common_instructions.h"

namespace heddle::litmus {

std::optional<RegisterName> x86Register(std::string_view word) {
  static constexpr std::array<std::string_view, 8> kNames = {"AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP"};
  std::string name = lowerCase(word);
  if (!name.empty() && name[0] == '%') name.erase(0, 1);
  for (const std::string_view tail : kNames) {
    if (name == "r" + lowerCase(tail)) return RegisterName{.whole = "R" + std::string(tail)};
    if (name == "e" + lowerCase(tail)) return RegisterName{.whole = "R" + std::string(tail), .size = 4};
  }
  for (unsigned i = 8; i < 16; ++i) {
    if (name == fmt::format("r{}", i)) return RegisterName{.whole = fmt::format("R{}", i)};
    if (name == fmt::format("r{}d", i)) return RegisterName{.whole = fmt::format("R{}", i), .size = 4};
  }
  return std::nullopt;
}

namespace x86 {
namespace {

using Operand = ThreadWriter::Operand;

// Of the register among the operands, of the suffix (movl, movq), or of an int.
unsigned sizeOf(ThreadWriter& w, const InstructionRow& row) {
  if (row.size != 0) return row.size;
  for (std::size_t i = 0; i < w.count(); ++i) {
    if (w.isRegister(i)) return w.reg(i).size;
  }
  return 4;
}

// What operand i has in it; if it is in memory, by a load.
Operand fetch(ThreadWriter& w, std::size_t i, unsigned size) {
  if (!w.isMemory(i)) return w.value(i);
  const RegisterPart loaded = w.temporary();
  w.loadFrom(loaded, w.memory(i), size, Order::relaxed, false);
  return w.read(loaded);
}

void put(ThreadWriter& w, std::size_t i, Operand value, unsigned size) {
  if (w.isMemory(i)) return w.storeTo(w.memory(i), value, size, Order::relaxed);
  w.move({.slot = w.reg(i).slot, .size = size}, value);
}

void move(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(2, 2);
  const unsigned size = sizeOf(w, row);
  if (w.isMemory(0) && w.isMemory(1)) w.fail(1, "one of the operands has to be a register or a number");
  put(w, 0, fetch(w, 1, size), size);
}

void arithmeticOn(ThreadWriter& w, const AssemblyLine& line, const InstructionRow& row, Operand right) {
  const unsigned size = sizeOf(w, row);
  Operand left, result;
  if (line.locked) {
    const RegisterPart old = w.temporary();
    w.update(old, w.memory(0), row.rmw, right, size, Order::seq_cst);
    left = w.read(old);
    result = w.combined(row.op, left, right);
  } else {
    left = fetch(w, 0, size);
    result = w.combined(row.op, left, right);
    put(w, 0, result, size);
  }
  if (row.op == Operator::sub) {
    w.compare(left, right, size);
  } else {
    w.compare(result, ThreadWriter::constant(0), size);
  }
}

void arithmetic(ThreadWriter& w, const AssemblyLine& line, const InstructionRow& row) {
  w.expectCount(2, 2);
  arithmeticOn(w, line, row, fetch(w, 1, sizeOf(w, row)));
}

void increment(ThreadWriter& w, const AssemblyLine& line, const InstructionRow& row) {
  w.expectCount(1, 1);
  arithmeticOn(w, line, row, ThreadWriter::constant(1));
}

// Locked, whether that is said or not, if one of the two is in memory.
void exchange(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(2, 2);
  const unsigned size = sizeOf(w, row);
  if (!w.isMemory(0) && !w.isMemory(1)) {
    const RegisterPart kept = w.temporary();
    w.move(kept, w.read(w.reg(0)));
    put(w, 0, w.read(w.reg(1)), size);
    put(w, 1, w.read(kept), size);
    return;
  }
  const std::size_t place = w.isMemory(0) ? 0 : 1;
  const RegisterPart reg = w.reg(1 - place);
  w.update(reg, w.memory(place), RmwOp::exchange, w.read(reg), size, Order::seq_cst);
}

void exchangeAndAdd(ThreadWriter& w, const AssemblyLine& line, const InstructionRow& row) {
  w.expectCount(2, 2);
  const unsigned size = sizeOf(w, row);
  const RegisterPart reg = w.reg(1);
  const RegisterPart old = w.temporary();
  if (line.locked) {
    w.update(old, w.memory(0), RmwOp::add, w.read(reg), size, Order::seq_cst);
  } else {
    w.move(old, fetch(w, 0, size));
    put(w, 0, w.sum(w.read(old), w.read(reg)), size);
  }
  w.compare(w.sum(w.read(old), w.read(reg)), ThreadWriter::constant(0), size);
  w.move({.slot = reg.slot, .size = size}, w.read(old));
}

void compareAndExchange(ThreadWriter& w, const AssemblyLine& line, const InstructionRow& row) {
  w.expectCount(2, 2);
  if (!line.locked) w.failLine("`cmpxchg` is supported with LOCK only", "LOCK CMPXCHG [x],ECX");
  const unsigned size = sizeOf(w, row);
  const RegisterPart accumulator = w.wholeRegister("RAX");
  w.setFlags(w.compareAndSwap({.slot = accumulator.slot, .size = size}, w.memory(0), w.read(w.reg(1)), size, Order::seq_cst),
             ThreadWriter::constant(1));
}

void compare(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(2, 2);
  const unsigned size = sizeOf(w, row);
  const Operand left = fetch(w, 0, size), right = fetch(w, 1, size);
  w.compare(left, right, size);
}

void testBits(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(2, 2);
  const unsigned size = sizeOf(w, row);
  const Operand left = fetch(w, 0, size), right = fetch(w, 1, size);
  w.compare(w.combined(Operator::bitAnd, left, right), ThreadWriter::constant(0), size);
}

void fence(ThreadWriter& w, const AssemblyLine&, const InstructionRow&) {
  w.expectCount(0, 0);
  w.fence(Order::seq_cst);
}

constexpr InstructionRow kRows[] = {
    {.mnemonic = "mov", .form = "MOV EAX,[x] or MOV [x],$1", .translate = move},
    {.mnemonic = "movl", .form = "MOVL EAX,[x]", .translate = move, .size = 4},
    {.mnemonic = "movq", .form = "MOVQ RAX,[x]", .translate = move, .size = 8},
    {.mnemonic = "add", .form = "ADD EAX,$1", .translate = arithmetic, .rmw = RmwOp::add, .op = Operator::add},
    {.mnemonic = "sub", .form = "SUB EAX,$1", .translate = arithmetic, .rmw = RmwOp::sub, .op = Operator::sub},
    {.mnemonic = "and", .form = "AND EAX,$1", .translate = arithmetic, .rmw = RmwOp::bitAnd, .op = Operator::bitAnd},
    {.mnemonic = "or", .form = "OR EAX,$1", .translate = arithmetic, .rmw = RmwOp::bitOr, .op = Operator::bitOr},
    {.mnemonic = "xor", .form = "XOR EAX,EAX", .translate = arithmetic, .rmw = RmwOp::bitXor, .op = Operator::bitXor},
    {.mnemonic = "inc", .form = "INC EAX", .translate = increment, .rmw = RmwOp::add, .op = Operator::add},
    {.mnemonic = "dec", .form = "DEC EAX", .translate = increment, .rmw = RmwOp::sub, .op = Operator::sub},
    {.mnemonic = "xchg", .form = "XCHG [x],EAX", .translate = exchange},
    {.mnemonic = "xadd", .form = "LOCK XADD [x],EAX", .translate = exchangeAndAdd},
    {.mnemonic = "cmpxchg", .form = "LOCK CMPXCHG [x],ECX", .translate = compareAndExchange},
    {.mnemonic = "cmp", .form = "CMP EAX,$1", .translate = compare},
    {.mnemonic = "test", .form = "TEST EAX,EAX", .translate = testBits},
    {.mnemonic = "nop", .form = "NOP", .translate = nothing},

    {.mnemonic = "jmp", .form = "JMP label", .translate = jump},
    {.mnemonic = "je", .form = "JE label", .translate = branchOnFlags, .comparison = Comparison::equal},
    {.mnemonic = "jz", .form = "JZ label", .translate = branchOnFlags, .comparison = Comparison::equal},
    {.mnemonic = "jne", .form = "JNE label", .translate = branchOnFlags, .comparison = Comparison::notEqual},
    {.mnemonic = "jnz", .form = "JNZ label", .translate = branchOnFlags, .comparison = Comparison::notEqual},
    {.mnemonic = "jl", .form = "JL label", .translate = branchOnFlags, .comparison = Comparison::less},
    {.mnemonic = "jle", .form = "JLE label", .translate = branchOnFlags, .comparison = Comparison::lessEqual},
    {.mnemonic = "jg", .form = "JG label", .translate = branchOnFlags, .comparison = Comparison::greater},
    {.mnemonic = "jge", .form = "JGE label", .translate = branchOnFlags, .comparison = Comparison::greaterEqual},
    {.mnemonic = "jb", .form = "JB label", .translate = branchOnFlags, .comparison = Comparison::below},
    {.mnemonic = "jbe", .form = "JBE label", .translate = branchOnFlags, .comparison = Comparison::belowEqual},
    {.mnemonic = "ja", .form = "JA label", .translate = branchOnFlags, .comparison = Comparison::above},
    {.mnemonic = "jae", .form = "JAE label", .translate = branchOnFlags, .comparison = Comparison::aboveEqual},

    {.mnemonic = "mfence", .form = "MFENCE", .translate = fence},
    {.mnemonic = "lfence", .form = "LFENCE", .translate = nothing},  // loads and stores are in order anyway
    {.mnemonic = "sfence", .form = "SFENCE", .translate = nothing},
};

}  // namespace
}  // namespace x86

std::span<const InstructionRow> x86Instructions() { return x86::kRows; }

}  // namespace heddle::litmus
