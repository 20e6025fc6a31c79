// Compiles one thread.
//
// Values are computed where they are wanted: `evaluateInto` a given register, `evaluate` to wherever is cheapest (a
// constant, the variable's own register, or a temporary). Temporaries are a stack, and the register that an
// assignment aims at serves as one too when nothing else in the expression needs it, because every register makes
// the thread's state, and so each mark, larger.
#pragma once

#include <vector>

#include "litmus/code_builder.h"
#include "litmus/source.h"
#include "litmus/spin_loop.h"
#include "litmus/syntax.h"

namespace heddle::litmus {

class ThreadCompiler : private CodeBuilder {
 public:
  ThreadCompiler(const SourceFile& file, const Thread& thread, const std::vector<ThreadId>& threadIds,
                 std::vector<std::uint8_t>& sizesUsed, Code& code);

  CompiledThread compile();

 private:
  struct LoopLabels {
    Label* exit;
    Label* next;
  };

  // Statements.
  void statement(const Stmt& stmt);
  void beginTransaction(const Stmt& stmt);
  void loop(const Stmt& stmt);

  // Rounds of spin loops that change nothing (spin_loop.h).
  struct Spinning {
    Register changed = kNoRegister;  // has the round changed memory? kNoRegister if it cannot
    std::vector<Register> before;    // the carried variables when the round began
  };
  Spinning beginRound(const SpinLoop& spin);
  void endRound(const SpinLoop& spin, const Spinning& spinning, std::uint32_t source);
  void noteChange(Register success, bool when);

  // Expressions.
  Operand evaluate(const Expr& expr);
  void evaluateInto(const Expr& expr, Register dst);
  void effect(const Expr& expr);
  void branch(const Expr& expr, bool when, Label& label);
  void binaryInto(Operator op, const Expr& left, const Expr& right, std::uint32_t source, Register dst);
  void assignment(const Expr& expr, Register dst);
  void conditionalInto(const Expr& expr, Register dst);

  // Visible operations; dst may be kNoRegister.
  void visible(const Expr& expr, Register dst);
  void update(const Expr& expr, Register dst);
  void storeResult(const Expr& expr, const Operand& operand, Register dst);
  Operand storedValue(const Expr& expr);
  Operand address(const Place& place, std::uint32_t source);
  void leaveAsReader(const Expr& expr, const Operand& place);

  // Code.
  void convert(Register dst, const Operand& operand, const Type& from, const Type& to);
  bool isFree(Register dst, const Expr& other) const;

  const SourceFile& file_;
  const Thread& thread_;
  const std::vector<ThreadId>& threadIds_;
  std::vector<std::uint8_t>& sizesUsed_;
  std::vector<LoopLabels> loops_;
  std::map<const Stmt*, SpinLoop> spinLoops_;
  std::vector<Register> changed_;  // of the spin loops around, innermost last
};

}  // namespace heddle::litmus
