// Loops whose rounds the program says are in vain (heddle_spin_end of heddle.h).
//
//     while (!ready.load()) {                  header:   heddle_begin_round(); vain = false; began = position
//       lookAround();                          mark:     vain |= the argument is 0
//       heddle_spin_end(false);                latch:    if (vain) heddle_end_round(..., a local variable that has changed)
//     }
//
// What the loop carries round in values, if they matter (relevance.h), is compared here. Everything else is known to the runtime,
// which decides (runtime/marked_rounds.h): the thread waits, fails, or goes on.
//
// A local variable that is in memory is more than can be compared. If the loop stores another value to one, or overwrites one
// as a whole, it is not clear that the round was in vain; unless nothing depends on it, or the next round writes it anew.
#pragma once

#include <functional>
#include <vector>

#include "native/instrument/shared_state.h"

namespace heddle::native {

struct MarkedLoop {
  std::vector<llvm::CallInst*> marks;       // that belong to the loop, and to no inner one
  std::vector<llvm::PHINode*> carried;      // values that matter
  std::vector<llvm::PHINode*> reread;       // those of them that the load before the loop might have found (reread.h)
  std::vector<llvm::Instruction*> unclear;  // stores and the like: if they change what is there, nothing is clear
  bool rewrites = false;                    // memory that a round changes may be written anew by the next

  bool isMarked() const { return !marks.empty(); }
};

class MarkedRound {
 public:
  // At the beginning of the loop, and wherever it has to be watched.
  MarkedRound(Instrumentation& instrumentation, const MarkedLoop& loop, llvm::BasicBlock& header, std::uint32_t source);
  // On a way back to the header.
  void end(llvm::IRBuilder<>& builder) const;

 private:
  llvm::AllocaInst* makeVariable(llvm::Type* type) const;
  void watch(llvm::Instruction& instruction) const;

  Instrumentation& ins_;
  const MarkedLoop& loop_;
  llvm::BasicBlock& header_;
  std::uint32_t source_;
  llvm::AllocaInst *vain_, *unclear_, *began_;
};

}  // namespace heddle::native
