// AArch64. LDAR and STLR are seq_cst accesses, LDAPR is an acquire load, and all others are relaxed (models/armv8.cat).
#include <fmt/format.h>

#include <array>
#include <vector>

#include "litmus/assembly/common_instructions.h"

namespace heddle::litmus {

std::optional<RegisterName> aarch64Register(std::string_view word) {
  if (word.size() > 1 && word[0] == '%') return RegisterName{.whole = std::string(word)};  // a name for some register
  const std::string name = lowerCase(word);
  if (name == "xzr" || name == "wzr") return RegisterName{.whole = "XZR", .size = name[0] == 'x' ? 8U : 4U, .isZero = true};
  if (name == "sp") return RegisterName{.whole = "SP"};
  if (name.size() < 2 || name.size() > 3 || (name[0] != 'x' && name[0] != 'w')) return std::nullopt;
  unsigned number = 0;
  for (const char c : name.substr(1)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = 10 * number + static_cast<unsigned>(c - '0');
  }
  if (number > 30 || (name[1] == '0' && name.size() > 2)) return std::nullopt;
  return RegisterName{.whole = fmt::format("X{}", number), .size = name[0] == 'x' ? 8U : 4U};
}

namespace aarch64 {
namespace {

using Operand = ThreadWriter::Operand;

unsigned sizeOf(const InstructionRow& row, RegisterPart reg) { return row.size != 0 ? row.size : reg.size; }

// The operand from `i` on: a register or a number, and how it is extended or shifted.
Operand flexible(ThreadWriter& w, std::size_t i, unsigned size) {
  Operand value = w.value(i);
  if (i + 1 >= w.count()) return value;
  const std::string how = lowerCase(w.name(i + 1));
  const unsigned shift = w.operand(i + 1).shift;
  if (how == "sxtw" || how == "uxtw") {
    value = w.extended(value, 4, how == "sxtw");
  } else if (how != "lsl" && how != "sxtx" && how != "uxtx") {
    w.fail(i + 1, fmt::format("`{}` is not supported here", w.name(i + 1)), "use SXTW, UXTW or LSL #n");
  } else if (w.isRegister(i) && size == 4) {
    value = w.extended(value, 4, false);
  }
  return shift == 0 ? value : w.shifted(value, shift);
}

void advance(ThreadWriter& w, RegisterPart reg, std::int64_t by) {
  w.binary(Operator::add, reg, w.read(reg), ThreadWriter::constant(by));
}

// The place of an access that may change the register of its address: before it, [X1,#4]!, or after it, [X1],#4.
template <class Access>
void atAdvancedPlace(ThreadWriter& w, Access&& access) {
  w.expectCount(2, 3);
  AssemblyOperand place = w.memory(1);
  if (place.writesBack && place.base) {
    advance(w, *place.base, place.number);
    place.number = 0;
    place.writesBack = false;
  }
  access(place);
  if (w.count() == 3 && place.base) advance(w, *place.base, w.number(2));
}

void load(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  atAdvancedPlace(
      w, [&](const AssemblyOperand& place) { w.loadFrom(w.reg(0), place, sizeOf(row, w.reg(0)), row.order, row.isSigned); });
}

void store(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  atAdvancedPlace(w,
                  [&](const AssemblyOperand& place) { w.storeTo(place, w.read(w.reg(0)), sizeOf(row, w.reg(0)), row.order); });
}

// LDP W1,W2,[X0] and STP are two accesses side by side, each by itself.
template <class Access>
void atBothPlaces(ThreadWriter& w, Access&& access) {
  w.expectCount(3, 4);
  AssemblyOperand place = w.memory(2);
  if (place.writesBack || w.count() == 4) w.fail(2, "an address that is written back is not supported here");
  const unsigned size = w.reg(0).size;
  if (w.reg(1).size != size) w.fail(1, "expected two registers of the same size");
  access(w.reg(0), place, size);
  place.number += size;
  access(w.reg(1), place, size);
}

void loadPair(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  // The address must still be there for the second access.
  const AssemblyOperand& place = w.memory(2);
  const auto holdsAddress = [&](const std::optional<RegisterPart>& part) { return part && part->slot == w.reg(0).slot; };
  if (holdsAddress(place.base) || holdsAddress(place.index)) w.fail(0, "this register has the address of both accesses");
  atBothPlaces(
      w, [&](RegisterPart reg, const AssemblyOperand& at, unsigned size) { w.loadFrom(reg, at, size, row.order, false); });
}

void storePair(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  atBothPlaces(
      w, [&](RegisterPart reg, const AssemblyOperand& at, unsigned size) { w.storeTo(at, w.read(reg), size, row.order); });
}

void loadExclusive(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(2, 2);
  w.loadExclusive(w.reg(0), w.memory(1), sizeOf(row, w.reg(0)), row.order, false);
}

void storeExclusive(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(3, 3);
  const RegisterPart status = w.reg(0);
  w.move(status, w.storeExclusive(w.memory(2), w.read(w.reg(1)), sizeOf(row, w.reg(1)), row.order));
}

// LDADD Ws,Wt,[Xn]: Wt is what was there. Of LDCLR and STCLR the operand are the bits to clear.
void update(ThreadWriter& w, const InstructionRow& row, RegisterPart dst, const AssemblyOperand& place) {
  const RegisterPart with = w.reg(0);
  Operand operand = w.read(with);
  if (row.rmw == RmwOp::bitAnd) operand = w.complement(operand);
  // Nobody is told what was there, so nothing can be ordered after that.
  Order order = row.order;
  if (dst.slot == kNoRegister) {
    if (order == Order::acquire) order = Order::relaxed;
    if (order == Order::seq_cst || order == Order::acq_rel) order = Order::release;
  }
  w.update(dst, place, row.rmw, operand, sizeOf(row, with), order, true);
}

void loadUpdate(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(3, 3);
  update(w, row, w.reg(1), w.memory(2));
}

void storeUpdate(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(2, 2);
  update(w, row, {.slot = kNoRegister, .size = w.reg(0).size}, w.memory(1));
}

void compareAndSwap(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(3, 3);
  w.compareAndSwap(w.reg(0), w.memory(2), w.read(w.reg(1)), sizeOf(row, w.reg(1)), row.order, true);
}

void arithmetic(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(3, 4);
  const RegisterPart dst = w.reg(0);
  w.binary(row.op, dst, w.read(w.reg(1)), flexible(w, 2, dst.size));
}

// The same, and compares the result with 0; what is subtracted is compared with what it is subtracted from.
void arithmeticWithFlags(ThreadWriter& w, const AssemblyLine& line, const InstructionRow& row) {
  w.expectCount(3, 4);
  const RegisterPart dst = w.reg(0);
  const Operand left = w.read(w.reg(1)), right = flexible(w, 2, dst.size);
  if (row.op == Operator::sub) w.compare(left, right, dst.size);
  arithmetic(w, line, row);
  if (row.op != Operator::sub) w.compare(w.read(dst), ThreadWriter::constant(0), dst.size);
}

void compare(ThreadWriter& w, const AssemblyLine&, const InstructionRow&) {
  w.expectCount(2, 3);
  w.compare(w.read(w.reg(0)), flexible(w, 1, w.reg(0).size), w.reg(0).size);
}

void testBits(ThreadWriter& w, const AssemblyLine&, const InstructionRow&) {
  w.expectCount(2, 2);
  w.compare(w.combined(Operator::bitAnd, w.read(w.reg(0)), w.value(1)), ThreadWriter::constant(0), w.reg(0).size);
}

// Conditions of branches and selections.
struct Condition {
  std::string_view name, dotted, plain;
  Comparison comparison;
};
constexpr Condition kConditions[] = {
    {"eq", "b.eq", "beq", Comparison::equal},   {"ne", "b.ne", "bne", Comparison::notEqual},
    {"lt", "b.lt", "blt", Comparison::less},    {"le", "b.le", "ble", Comparison::lessEqual},
    {"gt", "b.gt", "bgt", Comparison::greater}, {"ge", "b.ge", "bge", Comparison::greaterEqual},
    {"lo", "b.lo", "blo", Comparison::below},   {"ls", "b.ls", "bls", Comparison::belowEqual},
    {"hi", "b.hi", "bhi", Comparison::above},   {"hs", "b.hs", "bhs", Comparison::aboveEqual},
    {"cc", "b.cc", "bcc", Comparison::below},   {"cs", "b.cs", "bcs", Comparison::aboveEqual},
};

Comparison conditionNamed(ThreadWriter& w, std::size_t i) {
  const std::string name = lowerCase(w.name(i));
  for (const Condition& condition : kConditions) {
    if (condition.name == name) return condition.comparison;
  }
  w.fail(i, fmt::format("`{}` is not a condition", w.name(i)), "EQ, NE, LT, LE, GT, GE, LO, LS, HI, HS, CC or CS");
}

// CSEL Wd,Wn,Wm,NE, and with Wm changed: CSINC adds 1, CSINV inverts, CSNEG negates.
void select(ThreadWriter& w, const AssemblyLine& line, const InstructionRow&) {
  w.expectCount(4, 4);
  Operand other = w.read(w.reg(2));
  if (line.mnemonic == "csinc") other = w.combined(Operator::add, other, ThreadWriter::constant(1));
  if (line.mnemonic == "csinv") other = w.complement(other);
  if (line.mnemonic == "csneg") other = w.combined(Operator::sub, ThreadWriter::constant(0), other);
  w.select(w.reg(0), conditionNamed(w, 3), w.read(w.reg(1)), other);
}

// CSET Wd,NE: 1 or 0.
void set(ThreadWriter& w, const AssemblyLine&, const InstructionRow&) {
  w.expectCount(2, 2);
  w.select(w.reg(0), conditionNamed(w, 1), ThreadWriter::constant(1), ThreadWriter::constant(0));
}

void compareAndBranch(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(2, 2);
  const RegisterPart reg = w.reg(0);
  w.branchIf(row.comparison, w.extended(w.read(reg), reg.size, false), ThreadWriter::constant(0), w.name(1));
}

// DMB and DSB of any domain; without an option of the whole system.
void barrier(ThreadWriter& w, const AssemblyLine&, const InstructionRow&) {
  w.expectCount(0, 1);
  const std::string option = w.count() == 0 ? "sy" : lowerCase(w.name(0));
  for (const std::string_view full : {"sy", "ish", "osh", "nsh"}) {
    if (option == full) return w.fence(Order::seq_cst);
    if (option == std::string(full) + "ld" || option == "ld") return w.fence(Order::acquire);
    if (option == std::string(full) + "st" || option == "st") return w.fence(MachineFence::writeWrite);
  }
  w.fail(0, fmt::format("`{}` is not a kind of barrier", w.name(0)),
         "SY, LD, ST, or one of these in a domain: ISH, ISHLD, ISHST");
}

void instructionBarrier(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(0, 1);
  w.fence(*row.fence);
}

std::vector<InstructionRow> makeRows() {
  std::vector<InstructionRow> rows = {
      {.mnemonic = "mov", .form = "MOV Wd,Wn or MOV Wd,#n", .translate = moveOperand},
      {.mnemonic = "movz", .form = "MOVZ Wd,#n", .translate = moveOperand},
      {.mnemonic = "nop", .form = "NOP", .translate = nothing},

      {.mnemonic = "ldr", .form = "LDR Wt,[Xn]", .translate = load},
      {.mnemonic = "ldur", .form = "LDUR Wt,[Xn]", .translate = load},
      {.mnemonic = "ldrsw", .form = "LDRSW Xt,[Xn]", .translate = load, .size = 4, .isSigned = true},
      {.mnemonic = "ldp", .form = "LDP Wt,Wu,[Xn]", .translate = loadPair},
      {.mnemonic = "ldnp", .form = "LDNP Wt,Wu,[Xn]", .translate = loadPair},
      {.mnemonic = "stp", .form = "STP Wt,Wu,[Xn]", .translate = storePair},
      {.mnemonic = "stnp", .form = "STNP Wt,Wu,[Xn]", .translate = storePair},
      {.mnemonic = "str", .form = "STR Wt,[Xn]", .translate = store},
      {.mnemonic = "stur", .form = "STUR Wt,[Xn]", .translate = store},

      {.mnemonic = "add", .form = "ADD Wd,Wn,Wm", .translate = arithmetic, .op = Operator::add},
      {.mnemonic = "sub", .form = "SUB Wd,Wn,Wm", .translate = arithmetic, .op = Operator::sub},
      {.mnemonic = "eor", .form = "EOR Wd,Wn,Wm", .translate = arithmetic, .op = Operator::bitXor},
      {.mnemonic = "orr", .form = "ORR Wd,Wn,Wm", .translate = arithmetic, .op = Operator::bitOr},
      {.mnemonic = "and", .form = "AND Wd,Wn,Wm", .translate = arithmetic, .op = Operator::bitAnd},
      {.mnemonic = "mul", .form = "MUL Wd,Wn,Wm", .translate = arithmetic, .op = Operator::mul},
      {.mnemonic = "lsl", .form = "LSL Wd,Wn,#n", .translate = arithmetic, .op = Operator::shiftLeft},
      {.mnemonic = "adds", .form = "ADDS Wd,Wn,Wm", .translate = arithmeticWithFlags, .op = Operator::add},
      {.mnemonic = "subs", .form = "SUBS Wd,Wn,Wm", .translate = arithmeticWithFlags, .op = Operator::sub},
      {.mnemonic = "ands", .form = "ANDS Wd,Wn,Wm", .translate = arithmeticWithFlags, .op = Operator::bitAnd},
      {.mnemonic = "cmp", .form = "CMP Wn,Wm", .translate = compare},
      {.mnemonic = "tst", .form = "TST Wn,Wm", .translate = testBits},

      {.mnemonic = "csel", .form = "CSEL Wd,Wn,Wm,NE", .translate = select},
      {.mnemonic = "csinc", .form = "CSINC Wd,Wn,Wm,NE", .translate = select},
      {.mnemonic = "csinv", .form = "CSINV Wd,Wn,Wm,NE", .translate = select},
      {.mnemonic = "csneg", .form = "CSNEG Wd,Wn,Wm,NE", .translate = select},
      {.mnemonic = "cset", .form = "CSET Wd,NE", .translate = set},

      {.mnemonic = "b", .form = "B label", .translate = jump},
      {.mnemonic = "cbz", .form = "CBZ Wt,label", .translate = compareAndBranch, .comparison = Comparison::equal},
      {.mnemonic = "cbnz", .form = "CBNZ Wt,label", .translate = compareAndBranch, .comparison = Comparison::notEqual},

      {.mnemonic = "dmb", .form = "DMB SY", .translate = barrier},
      {.mnemonic = "dsb", .form = "DSB SY", .translate = barrier},
      {.mnemonic = "isb", .form = "ISB", .translate = instructionBarrier, .fence = MachineFence::instruction},
  };
  // With a dot or, as older assemblers have them, without.
  for (const Condition& condition : kConditions) {
    for (const std::string_view mnemonic : {condition.dotted, condition.plain}) {
      rows.push_back(
          {.mnemonic = mnemonic, .form = "B.NE label", .translate = branchOnFlags, .comparison = condition.comparison});
    }
  }
  // Accesses of one register, of a byte (b), of two (h): the same with another letter at the end.
  static constexpr struct {
    std::string_view word, byte, half;
    std::string_view form;
    Translate translate;
    Order order;
  } kAccesses[] = {
      {"", "ldrb", "ldrh", "LDRB Wt,[Xn]", load, Order::relaxed},
      {"", "strb", "strh", "STRB Wt,[Xn]", store, Order::relaxed},
      {"ldar", "ldarb", "ldarh", "LDAR Wt,[Xn]", load, Order::seq_cst},
      {"ldapr", "ldaprb", "ldaprh", "LDAPR Wt,[Xn]", load, Order::acquire},
      {"stlr", "stlrb", "stlrh", "STLR Wt,[Xn]", store, Order::seq_cst},
      {"ldxr", "ldxrb", "ldxrh", "LDXR Wt,[Xn]", loadExclusive, Order::relaxed},
      {"ldaxr", "ldaxrb", "ldaxrh", "LDAXR Wt,[Xn]", loadExclusive, Order::seq_cst},
      {"stxr", "stxrb", "stxrh", "STXR Ws,Wt,[Xn]", storeExclusive, Order::relaxed},
      {"stlxr", "stlxrb", "stlxrh", "STLXR Ws,Wt,[Xn]", storeExclusive, Order::seq_cst},
  };
  for (const auto& access : kAccesses) {
    const std::pair<std::string_view, unsigned> sizes[] = {{access.word, 0}, {access.byte, 1}, {access.half, 2}};
    for (const auto& [mnemonic, size] : sizes) {
      if (mnemonic.empty()) continue;
      rows.push_back(
          {.mnemonic = mnemonic, .form = access.form, .translate = access.translate, .size = size, .order = access.order});
    }
  }
  // Atomic instructions: relaxed, acquire, release, and both.
  static constexpr struct {
    std::string_view plain, acquire, release, both;
    std::string_view form;
    Translate translate;
    RmwOp rmw;
  } kAtomics[] = {
      {"ldadd", "ldadda", "ldaddl", "ldaddal", "LDADD Ws,Wt,[Xn]", loadUpdate, RmwOp::add},
      {"ldset", "ldseta", "ldsetl", "ldsetal", "LDSET Ws,Wt,[Xn]", loadUpdate, RmwOp::bitOr},
      {"ldclr", "ldclra", "ldclrl", "ldclral", "LDCLR Ws,Wt,[Xn]", loadUpdate, RmwOp::bitAnd},
      {"ldeor", "ldeora", "ldeorl", "ldeoral", "LDEOR Ws,Wt,[Xn]", loadUpdate, RmwOp::bitXor},
      {"ldsmax", "ldsmaxa", "ldsmaxl", "ldsmaxal", "LDSMAX Ws,Wt,[Xn]", loadUpdate, RmwOp::max},
      {"ldsmin", "ldsmina", "ldsminl", "ldsminal", "LDSMIN Ws,Wt,[Xn]", loadUpdate, RmwOp::min},
      {"ldumax", "ldumaxa", "ldumaxl", "ldumaxal", "LDUMAX Ws,Wt,[Xn]", loadUpdate, RmwOp::umax},
      {"ldumin", "ldumina", "lduminl", "lduminal", "LDUMIN Ws,Wt,[Xn]", loadUpdate, RmwOp::umin},
      {"swp", "swpa", "swpl", "swpal", "SWP Ws,Wt,[Xn]", loadUpdate, RmwOp::exchange},
      {"cas", "casa", "casl", "casal", "CAS Ws,Wt,[Xn]", compareAndSwap, RmwOp::exchange},
      {"stadd", "", "staddl", "", "STADD Ws,[Xn]", storeUpdate, RmwOp::add},
      {"stset", "", "stsetl", "", "STSET Ws,[Xn]", storeUpdate, RmwOp::bitOr},
      {"stclr", "", "stclrl", "", "STCLR Ws,[Xn]", storeUpdate, RmwOp::bitAnd},
      {"steor", "", "steorl", "", "STEOR Ws,[Xn]", storeUpdate, RmwOp::bitXor},
      {"stsmax", "", "stsmaxl", "", "STSMAX Ws,[Xn]", storeUpdate, RmwOp::max},
      {"stsmin", "", "stsminl", "", "STSMIN Ws,[Xn]", storeUpdate, RmwOp::min},
      {"stumax", "", "stumaxl", "", "STUMAX Ws,[Xn]", storeUpdate, RmwOp::umax},
      {"stumin", "", "stuminl", "", "STUMIN Ws,[Xn]", storeUpdate, RmwOp::umin},
  };
  for (const auto& atomic : kAtomics) {
    const std::pair<std::string_view, Order> orders[] = {{atomic.plain, Order::relaxed},
                                                         {atomic.acquire, Order::acquire},
                                                         {atomic.release, Order::release},
                                                         {atomic.both, Order::seq_cst}};
    for (const auto& [mnemonic, order] : orders) {
      if (mnemonic.empty()) continue;
      rows.push_back(
          {.mnemonic = mnemonic, .form = atomic.form, .translate = atomic.translate, .order = order, .rmw = atomic.rmw});
    }
  }
  return rows;
}

}  // namespace
}  // namespace aarch64

std::span<const InstructionRow> aarch64Instructions() {
  static const std::vector<InstructionRow> rows = aarch64::makeRows();
  return rows;
}

}  // namespace heddle::litmus
