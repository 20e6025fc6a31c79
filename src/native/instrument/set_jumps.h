// Calls of setjmp. It returns to its caller more than once, so it cannot be a library model: the call becomes one of a hook
// (frames.cpp, runtime/primitives/jumps.cpp).
#pragma once

namespace llvm {
class CallBase;
class Function;
}  // namespace llvm

namespace heddle::native {

// setjmp by any of its names, if the program has none of its own.
bool isSetJump(const llvm::Function& function);
bool isSetJump(const llvm::CallBase& call);

bool callsSetJump(const llvm::Function& function);

}  // namespace heddle::native
