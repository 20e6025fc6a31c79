// Checks of plain accesses in front of the hooks that do the rest.
//
// A hook for a plain access has nothing to do if the granule was accessed before in the same segment (hooks.h). It sees that
// itself, in a few instructions. In code that computes even the call would take too long, so the same condition is put in
// front of it. That is 25 instructions for each access, which take a code generator much longer than a call; so in programs
// that do not compute (computation.h) calls stay as they are.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>

namespace heddle::native {

struct HookedAccess {
  llvm::Value* address = nullptr;
  std::uint64_t size = 0;  // 1, 2, 4 or 8
  std::uint64_t alignment = 1;
  bool write = false;
  bool inProgramMemory = false;  // the address is known to be
};

// Whether the hook must be called; `epoch` is the address of heddle_epoch.
llvm::Value* slowCondition(llvm::IRBuilder<>& builder, const HookedAccess& access, llvm::Value* epoch);

// Marks the call of a hook as one for an access of such a size, and with what is known of the address.
void markHookCall(llvm::CallInst& call, std::uint64_t alignment, bool inProgramMemory);

// Puts the condition in front of the calls that are marked, where the code is to be optimised.
void inlineHookConditions(llvm::Module& module, llvm::Value* epoch);

}  // namespace heddle::native
