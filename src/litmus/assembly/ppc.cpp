// POWER. sync is a full fence, lwsync orders all but writes with later reads, isync comes after branches (models/power.cat).
#include <fmt/format.h>

#include <vector>

#include "litmus/assembly/common_instructions.h"

namespace heddle::litmus {

std::optional<RegisterName> powerRegister(std::string_view word) {
  const std::string name = lowerCase(word);
  if (name.size() < 2 || name.size() > 3 || name[0] != 'r') return std::nullopt;
  unsigned number = 0;
  for (const char c : name.substr(1)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = 10 * number + static_cast<unsigned>(c - '0');
  }
  if (number > 31) return std::nullopt;
  return RegisterName{.whole = fmt::format("r{}", number)};
}

namespace power {
namespace {

using Operand = ThreadWriter::Operand;

std::int64_t upperHalf(std::int64_t number) {
  return static_cast<std::int64_t>((static_cast<std::uint64_t>(number) & 0xffff) << 16);
}

// lis rd,n: n in the upper half of a word.
void moveShifted(ThreadWriter& w, const AssemblyLine&, const InstructionRow&) {
  w.expectCount(2, 2);
  w.move(w.reg(0), ThreadWriter::constant(upperHalf(w.number(1))));
}

// addis rd,ra,n: the same, added to a register; r0 stands for 0.
void addShifted(ThreadWriter& w, const AssemblyLine&, const InstructionRow&) {
  w.expectCount(3, 3);
  const Operand shifted = ThreadWriter::constant(upperHalf(w.number(2)));
  if (w.operand(1).name == "r0" || w.operand(1).name == "R0") return w.move(w.reg(0), shifted);
  w.binary(Operator::add, w.reg(0), w.read(w.reg(1)), shifted);
}

void negate(ThreadWriter& w, const AssemblyLine&, const InstructionRow&) {
  w.expectCount(2, 2);
  w.binary(Operator::sub, w.reg(0), ThreadWriter::constant(0), w.read(w.reg(1)));
}

// As arithmetic, and compares the result with 0: `xor.`
void arithmeticWithFlags(ThreadWriter& w, const AssemblyLine& line, const InstructionRow& row) {
  threeOperands(w, line, row);
  w.compare(w.read(w.reg(0)), ThreadWriter::constant(0), 4);
}

// subf rd,ra,rb is rb - ra.
void subtractFrom(ThreadWriter& w, const AssemblyLine&, const InstructionRow&) {
  w.expectCount(3, 3);
  w.binary(Operator::sub, w.reg(0), w.value(2), w.read(w.reg(1)));
}

// The address is the sum of two registers; r0 in front stands for 0.
AssemblyOperand indexed(ThreadWriter& w) {
  w.expectCount(3, 3);
  AssemblyOperand place;
  place.kind = OperandKind::memory;
  place.offset = w.operand(1).offset;
  if (w.isRegister(1) && !(w.operand(1).name == "r0" || w.operand(1).name == "R0")) place.base = w.reg(1);
  if (!w.isRegister(1) && w.number(1) != 0) w.fail(1, "expected a register, or 0 for none");
  place.index = w.reg(2);
  return place;
}

void loadIndexed(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.loadFrom(w.reg(0), indexed(w), row.size, Order::relaxed, row.isSigned);
}

void storeIndexed(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.storeTo(indexed(w), w.read(w.reg(0)), row.size, Order::relaxed);
}

void loadReserve(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.loadExclusive(w.reg(0), indexed(w), row.size, Order::relaxed, false);
}

// bne jumps if it has failed.
void storeConditional(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.setFlags(w.storeExclusive(indexed(w), w.read(w.reg(0)), row.size, Order::relaxed), ThreadWriter::constant(0));
}

// The first operand may name the field of the condition register; there is only one here.
std::size_t withoutField(ThreadWriter& w) {
  const bool names = w.count() > 0 && w.operand(0).kind == OperandKind::name && lowerCase(w.operand(0).name).starts_with("cr");
  if (names && lowerCase(w.operand(0).name) != "cr0") w.fail(0, "only cr0 is supported");
  return names ? 1 : 0;
}

void compare(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  const std::size_t first = withoutField(w);
  w.expectCount(first + 2, first + 2);
  w.compare(w.read(w.reg(first)), w.value(first + 1), row.size);
}

void branch(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  const std::size_t first = withoutField(w);
  w.expectCount(first + 1, first + 1);
  w.branch(row.comparison, w.name(first));
}

void orderFence(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(0, 1);
  w.fence(row.order);
}

constexpr InstructionRow kRows[] = {
    {.mnemonic = "li", .form = "li rd,n", .translate = moveOperand},
    {.mnemonic = "mr", .form = "mr rd,rs", .translate = moveOperand},
    {.mnemonic = "lis", .form = "lis rd,n", .translate = moveShifted},
    {.mnemonic = "nop", .form = "nop", .translate = nothing},

    {.mnemonic = "add", .form = "add rd,ra,rb", .translate = threeOperands, .op = Operator::add},
    {.mnemonic = "addi", .form = "addi rd,ra,n", .translate = threeOperands, .op = Operator::add},
    {.mnemonic = "addis", .form = "addis rd,ra,n", .translate = addShifted},
    {.mnemonic = "neg", .form = "neg rd,ra", .translate = negate},
    {.mnemonic = "sub", .form = "sub rd,ra,rb", .translate = threeOperands, .op = Operator::sub},
    {.mnemonic = "subi", .form = "subi rd,ra,n", .translate = threeOperands, .op = Operator::sub},
    {.mnemonic = "subf", .form = "subf rd,ra,rb", .translate = subtractFrom},
    {.mnemonic = "xor", .form = "xor rd,ra,rb", .translate = threeOperands, .op = Operator::bitXor},
    {.mnemonic = "xori", .form = "xori rd,ra,n", .translate = threeOperands, .op = Operator::bitXor},
    {.mnemonic = "or", .form = "or rd,ra,rb", .translate = threeOperands, .op = Operator::bitOr},
    {.mnemonic = "ori", .form = "ori rd,ra,n", .translate = threeOperands, .op = Operator::bitOr},
    {.mnemonic = "and", .form = "and rd,ra,rb", .translate = threeOperands, .op = Operator::bitAnd},
    {.mnemonic = "andi.", .form = "andi. rd,ra,n", .translate = arithmeticWithFlags, .op = Operator::bitAnd},
    {.mnemonic = "andi", .form = "andi rd,ra,n", .translate = threeOperands, .op = Operator::bitAnd},
    {.mnemonic = "xor.", .form = "xor. rd,ra,rb", .translate = arithmeticWithFlags, .op = Operator::bitXor},
    {.mnemonic = "and.", .form = "and. rd,ra,rb", .translate = arithmeticWithFlags, .op = Operator::bitAnd},
    {.mnemonic = "add.", .form = "add. rd,ra,rb", .translate = arithmeticWithFlags, .op = Operator::add},
    {.mnemonic = "mullw", .form = "mullw rd,ra,rb", .translate = threeOperands, .op = Operator::mul},

    {.mnemonic = "lwz", .form = "lwz rd,0(ra)", .translate = loadOperand, .size = 4},
    {.mnemonic = "lwa", .form = "lwa rd,0(ra)", .translate = loadOperand, .size = 4, .isSigned = true},
    {.mnemonic = "lha", .form = "lha rd,0(ra)", .translate = loadOperand, .size = 2, .isSigned = true},
    {.mnemonic = "ld", .form = "ld rd,0(ra)", .translate = loadOperand, .size = 8},
    {.mnemonic = "lhz", .form = "lhz rd,0(ra)", .translate = loadOperand, .size = 2},
    {.mnemonic = "lbz", .form = "lbz rd,0(ra)", .translate = loadOperand, .size = 1},
    {.mnemonic = "stw", .form = "stw rs,0(ra)", .translate = storeOperand, .size = 4},
    {.mnemonic = "std", .form = "std rs,0(ra)", .translate = storeOperand, .size = 8},
    {.mnemonic = "sth", .form = "sth rs,0(ra)", .translate = storeOperand, .size = 2},
    {.mnemonic = "stb", .form = "stb rs,0(ra)", .translate = storeOperand, .size = 1},
    {.mnemonic = "lwzx", .form = "lwzx rd,ra,rb", .translate = loadIndexed, .size = 4},
    {.mnemonic = "lwax", .form = "lwax rd,ra,rb", .translate = loadIndexed, .size = 4, .isSigned = true},
    {.mnemonic = "ldx", .form = "ldx rd,ra,rb", .translate = loadIndexed, .size = 8},
    {.mnemonic = "stwx", .form = "stwx rs,ra,rb", .translate = storeIndexed, .size = 4},
    {.mnemonic = "stdx", .form = "stdx rs,ra,rb", .translate = storeIndexed, .size = 8},
    {.mnemonic = "lwarx", .form = "lwarx rd,0,rb", .translate = loadReserve, .size = 4},
    {.mnemonic = "ldarx", .form = "ldarx rd,0,rb", .translate = loadReserve, .size = 8},
    {.mnemonic = "stwcx.", .form = "stwcx. rs,0,rb", .translate = storeConditional, .size = 4},
    {.mnemonic = "stdcx.", .form = "stdcx. rs,0,rb", .translate = storeConditional, .size = 8},

    {.mnemonic = "cmpw", .form = "cmpw ra,rb", .translate = compare, .size = 4},
    {.mnemonic = "cmpwi", .form = "cmpwi ra,n", .translate = compare, .size = 4},
    {.mnemonic = "cmpd", .form = "cmpd ra,rb", .translate = compare, .size = 8},
    {.mnemonic = "cmpdi", .form = "cmpdi ra,n", .translate = compare, .size = 8},
    {.mnemonic = "b", .form = "b label", .translate = jump},
    {.mnemonic = "beq", .form = "beq label", .translate = branch, .comparison = Comparison::equal},
    {.mnemonic = "bne", .form = "bne label", .translate = branch, .comparison = Comparison::notEqual},
    {.mnemonic = "blt", .form = "blt label", .translate = branch, .comparison = Comparison::less},
    {.mnemonic = "ble", .form = "ble label", .translate = branch, .comparison = Comparison::lessEqual},
    {.mnemonic = "bgt", .form = "bgt label", .translate = branch, .comparison = Comparison::greater},
    {.mnemonic = "bge", .form = "bge label", .translate = branch, .comparison = Comparison::greaterEqual},

    {.mnemonic = "sync", .form = "sync", .translate = orderFence, .order = Order::seq_cst},
    {.mnemonic = "hwsync", .form = "hwsync", .translate = orderFence, .order = Order::seq_cst},
    {.mnemonic = "lwsync", .form = "lwsync", .translate = orderFence, .order = Order::acq_rel},
    {.mnemonic = "isync", .form = "isync", .translate = machineFence, .fence = MachineFence::instruction},
    {.mnemonic = "eieio", .form = "eieio", .translate = machineFence, .fence = MachineFence::writeWrite},
};

}  // namespace
}  // namespace power

std::span<const InstructionRow> powerInstructions() { return power::kRows; }

}  // namespace heddle::litmus
