// Atomics that clang has left as calls of libatomic become atomic instructions.
//
// That happens when clang does not know that an object is aligned, or when it is large; the calls are those of GCC's libatomic
// ABI, for one size each (`__atomic_fetch_add_8`) or for any (`__atomic_load` with a size). A memory order that is not
// a constant becomes a choice between all orders that the call may have. Calls for objects of other sizes than 1, 2, 4, 8 and 16
// bytes stay: library/locked_atomics.cpp has them.
#pragma once

#include "native/instrument/shared_state.h"

namespace heddle::native {

void expandAtomicCalls(Instrumentation& instrumentation, llvm::Function& function);

}  // namespace heddle::native
