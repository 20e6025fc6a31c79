// RISC-V. Accesses have the suffixes .aq and .rl, plain loads and stores too, as tests of the memory model write them.
#include <fmt/format.h>

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "litmus/assembly/common_instructions.h"

namespace heddle::litmus {

std::optional<RegisterName> riscvRegister(std::string_view word) {
  // By the calling convention, from x0 on.
  static constexpr std::array<std::string_view, 32> kNames = {
      "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
      "a6",   "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
  const std::string name = lowerCase(word);
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (name == fmt::format("x{}", i) || name == kNames[i] || (i == 8 && name == "fp")) {
      return RegisterName{.whole = fmt::format("x{}", i), .isZero = i == 0};
    }
  }
  return std::nullopt;
}

namespace riscv {
namespace {

using Operand = ThreadWriter::Operand;

// The result is a number of 4 bytes with a sign: addw, addiw.
void wordArithmetic(ThreadWriter& w, const AssemblyLine& line, const InstructionRow& row) {
  threeOperands(w, line, row);
  w.move(w.reg(0), w.extended(w.read(w.reg(0)), 4, true));
}

void loadReserved(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(2, 2);
  w.loadExclusive(w.reg(0), w.memory(1), row.size, row.order, true);
}

void storeConditional(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(3, 3);
  const RegisterPart status = w.reg(0);
  w.move(status, w.storeExclusive(w.memory(2), w.read(w.reg(1)), row.size, row.order));
}

void update(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(3, 3);
  w.update(w.reg(0), w.memory(2), row.rmw, w.read(w.reg(1)), row.size, row.order);
  if (row.size < 8) w.move(w.reg(0), w.extended(w.read(w.reg(0)), row.size, true));
}

void branch(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(3, 3);
  w.branchIf(row.comparison, w.read(w.reg(0)), w.read(w.reg(1)), w.name(2));
}

void branchZero(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(2, 2);
  w.branchIf(row.comparison, w.read(w.reg(0)), ThreadWriter::constant(0), w.name(1));
}

// The kinds of accesses that a side of a fence names, without those of devices: "r", "w" or "rw"; empty if it names others.
std::string sideOf(const std::string& text) {
  std::string side;
  for (const char c : {'r', 'w'}) {
    if (text.find(c) != std::string::npos) side += c;
  }
  return text.find_first_not_of("iorw") == std::string::npos ? side : "";
}

void fence(ThreadWriter& w, const AssemblyLine&, const InstructionRow&) {
  if (w.count() == 0) return w.fence(Order::seq_cst);
  w.expectCount(2, 2);
  const std::string before = sideOf(lowerCase(w.name(0))), after = sideOf(lowerCase(w.name(1)));
  if (before.empty() || after.empty()) {
    w.fail(before.empty() ? 0 : 1, "a side of a fence is `r`, `w` or `rw`", "fence rw,w");
  }
  // Those that C/C++ have as well are theirs, so that all models know them.
  static constexpr struct {
    std::string_view before, after;
    MachineFence fence;
  } kFences[] = {
      {"r", "r", MachineFence::readRead},   {"r", "w", MachineFence::readWrite}, {"w", "r", MachineFence::writeRead},
      {"w", "w", MachineFence::writeWrite}, {"w", "rw", MachineFence::writeAny}, {"rw", "r", MachineFence::anyRead},
  };
  for (const auto& row : kFences) {
    if (row.before == before && row.after == after) return w.fence(row.fence);
  }
  w.fence(before == "r" ? Order::acquire : after == "w" ? Order::release : Order::seq_cst);
}

constexpr InstructionRow kRows[] = {
    {.mnemonic = "li", .form = "li rd,n", .translate = moveOperand},
    {.mnemonic = "mv", .form = "mv rd,rs", .translate = moveOperand},
    {.mnemonic = "nop", .form = "nop", .translate = nothing},

    {.mnemonic = "add", .form = "add rd,rs1,rs2", .translate = threeOperands, .op = Operator::add},
    {.mnemonic = "addi", .form = "addi rd,rs,n", .translate = threeOperands, .op = Operator::add},
    {.mnemonic = "addw", .form = "addw rd,rs1,rs2", .translate = wordArithmetic, .op = Operator::add},
    {.mnemonic = "addiw", .form = "addiw rd,rs,n", .translate = wordArithmetic, .op = Operator::add},
    {.mnemonic = "sub", .form = "sub rd,rs1,rs2", .translate = threeOperands, .op = Operator::sub},
    {.mnemonic = "xor", .form = "xor rd,rs1,rs2", .translate = threeOperands, .op = Operator::bitXor},
    {.mnemonic = "xori", .form = "xori rd,rs,n", .translate = threeOperands, .op = Operator::bitXor},
    {.mnemonic = "or", .form = "or rd,rs1,rs2", .translate = threeOperands, .op = Operator::bitOr},
    {.mnemonic = "ori", .form = "ori rd,rs,n", .translate = threeOperands, .op = Operator::bitOr},
    {.mnemonic = "and", .form = "and rd,rs1,rs2", .translate = threeOperands, .op = Operator::bitAnd},
    {.mnemonic = "andi", .form = "andi rd,rs,n", .translate = threeOperands, .op = Operator::bitAnd},
    {.mnemonic = "slli", .form = "slli rd,rs,n", .translate = threeOperands, .op = Operator::shiftLeft},
    {.mnemonic = "slt", .form = "slt rd,rs1,rs2", .translate = threeOperands, .op = Operator::less},
    {.mnemonic = "slti", .form = "slti rd,rs,n", .translate = threeOperands, .op = Operator::less},

    {.mnemonic = "j", .form = "j label", .translate = jump},
    {.mnemonic = "beq", .form = "beq rs1,rs2,label", .translate = branch, .comparison = Comparison::equal},
    {.mnemonic = "bne", .form = "bne rs1,rs2,label", .translate = branch, .comparison = Comparison::notEqual},
    {.mnemonic = "blt", .form = "blt rs1,rs2,label", .translate = branch, .comparison = Comparison::less},
    {.mnemonic = "bge", .form = "bge rs1,rs2,label", .translate = branch, .comparison = Comparison::greaterEqual},
    {.mnemonic = "bgt", .form = "bgt rs1,rs2,label", .translate = branch, .comparison = Comparison::greater},
    {.mnemonic = "ble", .form = "ble rs1,rs2,label", .translate = branch, .comparison = Comparison::lessEqual},
    {.mnemonic = "bltu", .form = "bltu rs1,rs2,label", .translate = branch, .comparison = Comparison::below},
    {.mnemonic = "bgeu", .form = "bgeu rs1,rs2,label", .translate = branch, .comparison = Comparison::aboveEqual},
    {.mnemonic = "beqz", .form = "beqz rs,label", .translate = branchZero, .comparison = Comparison::equal},
    {.mnemonic = "bnez", .form = "bnez rs,label", .translate = branchZero, .comparison = Comparison::notEqual},
    {.mnemonic = "bltz", .form = "bltz rs,label", .translate = branchZero, .comparison = Comparison::less},
    {.mnemonic = "bgez", .form = "bgez rs,label", .translate = branchZero, .comparison = Comparison::greaterEqual},

    {.mnemonic = "fence", .form = "fence rw,rw", .translate = fence},
    {.mnemonic = "fence.tso", .form = "fence.tso", .translate = machineFence, .fence = MachineFence::tso},
    {.mnemonic = "fence.i", .form = "fence.i", .translate = machineFence, .fence = MachineFence::instruction},
};

// Those that may have .aq and .rl behind them.
constexpr InstructionRow kOrderedRows[] = {
    {.mnemonic = "lw", .form = "lw rd,0(rs)", .translate = loadOperand, .size = 4, .isSigned = true},
    {.mnemonic = "lwu", .form = "lwu rd,0(rs)", .translate = loadOperand, .size = 4},
    {.mnemonic = "ld", .form = "ld rd,0(rs)", .translate = loadOperand, .size = 8},
    {.mnemonic = "lh", .form = "lh rd,0(rs)", .translate = loadOperand, .size = 2, .isSigned = true},
    {.mnemonic = "lhu", .form = "lhu rd,0(rs)", .translate = loadOperand, .size = 2},
    {.mnemonic = "lb", .form = "lb rd,0(rs)", .translate = loadOperand, .size = 1, .isSigned = true},
    {.mnemonic = "lbu", .form = "lbu rd,0(rs)", .translate = loadOperand, .size = 1},
    {.mnemonic = "sw", .form = "sw rs,0(rd)", .translate = storeOperand, .size = 4},
    {.mnemonic = "sd", .form = "sd rs,0(rd)", .translate = storeOperand, .size = 8},
    {.mnemonic = "sh", .form = "sh rs,0(rd)", .translate = storeOperand, .size = 2},
    {.mnemonic = "sb", .form = "sb rs,0(rd)", .translate = storeOperand, .size = 1},
    {.mnemonic = "lr.w", .form = "lr.w rd,(rs)", .translate = loadReserved, .size = 4},
    {.mnemonic = "lr.d", .form = "lr.d rd,(rs)", .translate = loadReserved, .size = 8},
    {.mnemonic = "sc.w", .form = "sc.w rd,rs,(ra)", .translate = storeConditional, .size = 4},
    {.mnemonic = "sc.d", .form = "sc.d rd,rs,(ra)", .translate = storeConditional, .size = 8},
    {.mnemonic = "amoswap.w", .form = "amoswap.w rd,rs,(ra)", .translate = update, .size = 4, .rmw = RmwOp::exchange},
    {.mnemonic = "amoswap.d", .form = "amoswap.d rd,rs,(ra)", .translate = update, .size = 8, .rmw = RmwOp::exchange},
    {.mnemonic = "amoadd.w", .form = "amoadd.w rd,rs,(ra)", .translate = update, .size = 4, .rmw = RmwOp::add},
    {.mnemonic = "amoadd.d", .form = "amoadd.d rd,rs,(ra)", .translate = update, .size = 8, .rmw = RmwOp::add},
    {.mnemonic = "amoor.w", .form = "amoor.w rd,rs,(ra)", .translate = update, .size = 4, .rmw = RmwOp::bitOr},
    {.mnemonic = "amoor.d", .form = "amoor.d rd,rs,(ra)", .translate = update, .size = 8, .rmw = RmwOp::bitOr},
    {.mnemonic = "amoand.w", .form = "amoand.w rd,rs,(ra)", .translate = update, .size = 4, .rmw = RmwOp::bitAnd},
    {.mnemonic = "amoand.d", .form = "amoand.d rd,rs,(ra)", .translate = update, .size = 8, .rmw = RmwOp::bitAnd},
    {.mnemonic = "amoxor.w", .form = "amoxor.w rd,rs,(ra)", .translate = update, .size = 4, .rmw = RmwOp::bitXor},
    {.mnemonic = "amoxor.d", .form = "amoxor.d rd,rs,(ra)", .translate = update, .size = 8, .rmw = RmwOp::bitXor},
    {.mnemonic = "amomax.w", .form = "amomax.w rd,rs,(ra)", .translate = update, .size = 4, .rmw = RmwOp::max},
    {.mnemonic = "amomin.w", .form = "amomin.w rd,rs,(ra)", .translate = update, .size = 4, .rmw = RmwOp::min},
    {.mnemonic = "amomaxu.w", .form = "amomaxu.w rd,rs,(ra)", .translate = update, .size = 4, .rmw = RmwOp::umax},
    {.mnemonic = "amominu.w", .form = "amominu.w rd,rs,(ra)", .translate = update, .size = 4, .rmw = RmwOp::umin},
};

std::vector<InstructionRow> makeRows() {
  static std::deque<std::string> mnemonics;  // that the rows speak of
  std::vector<InstructionRow> rows(std::begin(kRows), std::end(kRows));
  static constexpr std::pair<std::string_view, Order> kSuffixes[] = {{"", Order::relaxed},
                                                                     {".aq", Order::acquire},
                                                                     {".rl", Order::release},
                                                                     {".aq.rl", Order::acq_rel},
                                                                     {".aqrl", Order::acq_rel}};
  for (const InstructionRow& row : kOrderedRows) {
    for (const auto& [suffix, order] : kSuffixes) {
      InstructionRow& added = rows.emplace_back(row);
      added.mnemonic = mnemonics.emplace_back(fmt::format("{}{}", row.mnemonic, suffix));
      added.order = order;
    }
  }
  return rows;
}

}  // namespace
}  // namespace riscv

std::span<const InstructionRow> riscvInstructions() {
  static const std::vector<InstructionRow> rows = riscv::makeRows();
  return rows;
}

}  // namespace heddle::litmus
