// Writes bytecode: registers, labels, and instructions one by one. What a front end compiles a thread with.
//
// The thread's own registers come first; temporaries are a stack behind them.
#pragma once

#include <string>
#include <vector>

#include "litmus/bytecode.h"

namespace heddle::litmus {

class CodeBuilder {
 public:
  using Register = std::uint16_t;

  struct Operand {
    bool isConstant = false;
    std::int64_t value = 0;
    Register reg = 0;
  };
  static Operand constant(std::int64_t value) { return {.isConstant = true, .value = value}; }

  // A place in the code that jumps may go to before it is known.
  struct Label {
    std::uint32_t target = kUnknown;
    std::vector<std::uint32_t> jumps;
    bool isBound() const { return target != kUnknown; }
  };

  // Frees the temporaries made while it lives.
  class Temporaries {
   public:
    explicit Temporaries(CodeBuilder& builder) : builder_(builder), top_(builder.temporaries_) {}
    ~Temporaries() { builder_.temporaries_ = top_; }
    Temporaries(const Temporaries&) = delete;
    Temporaries& operator=(const Temporaries&) = delete;

   private:
    CodeBuilder& builder_;
    Register top_;
  };

  CodeBuilder(Code& code, std::size_t registers)
      : code_(code), temporaries_(static_cast<Register>(registers)), registers_(temporaries_) {}

  std::uint32_t here() const { return static_cast<std::uint32_t>(code_.instructions.size()); }
  std::uint32_t stateWords() const { return (1U + registers_ + 3U) / 4U * 4U; }

  void emit(Instruction instruction) { code_.instructions.push_back(instruction); }
  void emitMove(Opcode opcode, Register dst, Register a, unsigned shift = 0);
  void load(Register dst, const Operand& operand);
  void emitBinary(Operator op, Operand left, Operand right, std::uint32_t source, Register dst);
  // Fills in what is constant of address and operand, and leaves the rest to the instruction.
  void emitOperation(Operation operation, const Operand* address, const Operand* operand, Instruction instruction);
  void emitReady(const Operation& operation) { emitOperation(operation, nullptr, nullptr, {}); }

  Register inRegister(const Operand& operand);
  Register newTemporary();
  void jump(Opcode opcode, Label& label, Register a = 0, std::int64_t compared = 0);
  void bind(Label& label);
  std::int64_t message(const std::string& text);
  std::uint32_t errorOperation(std::int64_t message, std::uint32_t source);

 protected:
  static constexpr std::uint32_t kUnknown = 0xffffffff;

  Code& code_;
  Register temporaries_;  // the next free one
  Register registers_;    // how many there are
};

}  // namespace heddle::litmus
