// Attempts (loops/attempts.h) from where they are found to where atomics are lowered: as metadata.
#pragma once

#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>

#include "program/operation.h"

namespace heddle::native {

struct Attempt {
  llvm::AtomicRMWInst* rmw = nullptr;
  Comparison comparison = Comparison::equal;  // of what it reads, to be good enough
  std::uint64_t expected = 0;
};

// Metadata on the read-modify-write.
void markAttempt(const Attempt& attempt, std::uint32_t loop);
struct MarkedAttempt {
  Comparison comparison;
  std::uint64_t expected;
  std::uint32_t loop;  // into ProgramInfo::loops
};
std::optional<MarkedAttempt> markedAttempt(const llvm::AtomicRMWInst& rmw);

// Likewise atomic stores in loops that wait, and what of their writes can be left out (loops/redone_stores.h).
struct RedoneStore {
  bool redone = false, mayBeRepeated = false;  // as in Operation
};
void markStore(llvm::StoreInst& store, const RedoneStore& mark);
RedoneStore markedStore(const llvm::StoreInst& store);

// Likewise atomic writes to a flag that a round sets and takes back (loops/guards.h).
void markGuard(llvm::Instruction& write);
bool isMarkedGuard(const llvm::Instruction& write);

// Likewise accesses that are in vain, whatever they read, unless they are a compare-exchange that succeeds (loops/attempts.h).
void markInVain(llvm::Instruction& access);
bool isMarkedInVain(const llvm::Instruction& access);

// Likewise the variable that holds where the thread was when the iteration began.
void markBegin(llvm::AllocaInst& begin, std::uint32_t loop);
llvm::AllocaInst& markedBegin(llvm::Function& function, std::uint32_t loop);

}  // namespace heddle::native
