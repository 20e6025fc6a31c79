// What instructions do, as bytecode: the words that the tables of instructions are written in.
//
// Registers have 64 bits. What is written to a part of one clears the rest, as AArch64 and X86 do; parts are cut out where they
// are read, if it makes a difference. The flags are the two numbers that were compared last. A reservation is the address of
// the last load-exclusive, 0 if a store-exclusive has used it up.
//
// A jump back is taken by a round that has changed nothing: it has written no memory, and whatever registers it has written
// the next round writes again before it looks at them. Then the round can be left out, as in litmus/spin_loop.h, so in place of
// another one the thread stops there. A loop of which this cannot be seen is refused.
//
// Dependencies are those of the bytecode (litmus/program.cpp): results depend on operands, whatever their values, and
// everything after a branch on what it looked at.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "litmus/assembly/operand.h"
#include "litmus/code_builder.h"
#include "litmus/source.h"

namespace heddle::litmus {

// How a location is accessed: found out while threads are written, for what is observed of it in the end.
struct LocationUse {
  unsigned size = 0;  // 0: not yet known
  std::size_t offset = 0;
};

// What all threads of a test have in common.
struct AssemblyContext {
  const SourceFile& file;
  Code& code;
  std::vector<LocationUse> uses;  // by location
  std::function<std::uint32_t(const std::string&)> locationNamed;

  explicit AssemblyContext(const SourceFile& source, Code& target) : file(source), code(target) {}
};

class ThreadWriter : private CodeBuilder {
 public:
  using CodeBuilder::constant;
  using CodeBuilder::Operand;

  static constexpr std::uint32_t kNowhere = 0xffffffff;

  // `pointsTo`: by register, the location that it has the address of at first, or kNowhere.
  ThreadWriter(AssemblyContext& context, const std::map<std::string, std::uint16_t>& registers,
               std::vector<std::uint32_t> pointsTo);

  void beginLine(const AssemblyLine& line);
  // `isLoop`: something behind it jumps there.
  void bindLabel(const std::string& name, std::size_t offset, bool isLoop);
  // All labels must be bound by then.
  void end(std::uint32_t source);
  std::uint32_t stateWords() const { return CodeBuilder::stateWords(); }

  // ---- Operands of the line. What it has instead is an error.

  std::size_t count() const { return line_->operands.size(); }
  void expectCount(std::size_t least, std::size_t most) const;
  const AssemblyOperand& operand(std::size_t i) const { return line_->operands[i]; }
  bool isRegister(std::size_t i) const { return i < count() && operand(i).kind == OperandKind::reg; }
  bool isMemory(std::size_t i) const { return i < count() && operand(i).kind == OperandKind::memory; }
  RegisterPart reg(std::size_t i) const;
  const AssemblyOperand& memory(std::size_t i) const;
  std::int64_t number(std::size_t i) const;
  const std::string& name(std::size_t i) const;
  Operand value(std::size_t i);  // a register or a number
  [[noreturn]] void fail(std::size_t i, const std::string& message, const std::string& hint = {}) const;
  [[noreturn]] void failLine(const std::string& message, const std::string& hint = {}) const;

  // ---- Registers.

  Operand read(RegisterPart reg) const;
  RegisterPart temporary() { return {.slot = newTemporary()}; }
  RegisterPart wholeRegister(const std::string& name) const { return {.slot = registers_.at(name)}; }
  Operand extended(Operand operand, unsigned size, bool isSigned);
  void move(RegisterPart dst, Operand value);
  void binary(Operator op, RegisterPart dst, Operand left, Operand right);
  // Results that are no register's.
  Operand combined(Operator op, Operand left, Operand right);
  Operand sum(Operand left, Operand right);
  Operand shifted(Operand operand, unsigned left) { return combined(Operator::shiftLeft, operand, constant(left)); }
  Operand complement(Operand operand) { return combined(Operator::bitXor, operand, constant(-1)); }

  // ---- Memory. The size is that of the access.

  void loadFrom(RegisterPart dst, const AssemblyOperand& place, unsigned size, Order order, bool isSigned);
  void storeTo(const AssemblyOperand& place, Operand value, unsigned size, Order order);
  // `hidesRead`: Operation::hidesRead, if there is no register for what was there.
  void update(RegisterPart dst, const AssemblyOperand& place, RmwOp op, Operand operand, unsigned size, Order order,
              bool hidesRead = false);
  // Compares with what is in `expected`, and puts there what was found. The result is whether it has exchanged.
  Operand compareAndSwap(RegisterPart expected, const AssemblyOperand& place, Operand desired, unsigned size, Order order,
                         bool hidesRead = false);
  void loadExclusive(RegisterPart dst, const AssemblyOperand& place, unsigned size, Order order, bool isSigned);
  // The result is 0 if it has stored, and 1 if it has failed.
  Operand storeExclusive(const AssemblyOperand& place, Operand value, unsigned size, Order order);
  void fence(Order order);
  void fence(MachineFence machine);

  // ---- Control.

  // Numbers of this size, as they are compared with a sign.
  void compare(Operand left, Operand right, unsigned size);
  void setFlags(Operand left, Operand right);
  // `left` if the flags are so, otherwise `right`.
  void select(RegisterPart dst, Comparison comparison, Operand left, Operand right);
  void branch(Comparison comparison, const std::string& label);
  void branchIf(Comparison comparison, Operand left, Operand right, const std::string& label);
  void jumpTo(const std::string& label);

 private:
  struct NamedLabel {
    Label label;
    std::size_t offset = 0;  // of its first use
  };

  // What the text tells of the reservation: nothing behind a label.
  struct Reservation {
    bool isKnown = true;
    std::optional<std::uint32_t> location;  // none: there is no reservation; kNowhere: somewhere
  };
  enum class Covers : std::uint8_t { yes, no, perhaps };

  std::uint32_t locationOf(const AssemblyOperand& place) const;
  Operand addressOf(const AssemblyOperand& place, unsigned size);
  Covers covers(const AssemblyOperand& place) const;
  void emitLoad(RegisterPart dst, const Operation& operation, const Operand& address, bool isSigned);
  Operand truth(Comparison comparison, Operand left, Operand right);
  Operand updated(RmwOp op, Operand old, Operand operand, unsigned size);
  void emitHalf(const Operation& operation, const Operand* address, const Operand* operand, Instruction instruction);
  bool hasConstant(Register reg) const;
  void chooseSource(Register compared, Register success, Register before, bool mayDepend);
  void noteUse(std::uint32_t location, unsigned size, std::size_t offset);
  std::uint32_t pointedTo(const Operand& operand) const;
  Label& labelNamed(const std::string& name);
  void jumpBack(const Label& label, const std::string& name);
  void requireIdleRound(std::uint32_t begin, const std::string& label) const;
  std::uint32_t source() const { return line_->source; }

  void notePointer(Register reg, std::uint32_t location);

  AssemblyContext& context_;
  const std::map<std::string, std::uint16_t>& registers_;
  std::vector<std::uint32_t> pointsTo_;
  const AssemblyLine* line_ = nullptr;
  Register flagLeft_, flagRight_, reservation_;
  Reservation reserved_;
  Register stored_;  // has a store-exclusive succeeded since the last label?
  bool hasLoops_ = false;
  Register base_ = 0;    // where the temporaries of a line begin
  std::uint32_t begin_;  // of the thread's code
  std::map<std::string, NamedLabel> labels_;
};

}  // namespace heddle::litmus
