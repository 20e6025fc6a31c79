// Atomic instructions and fences become hook calls.
//
// Values of 1, 2, 4 and 8 bytes travel as 64-bit words: pointers and floating point by bit cast. Values of 16 bytes go by
// reference. Arithmetic that the engine does not know (floating point, 16 bytes, the wrapping increments) is a
// compare-exchange loop, as it is on the machine. A consume is an acquire: clang has seen to that. A fence with syncscope
// "singlethread" is for signal handlers of the same thread, and nothing here.
#pragma once

#include "native/instrument/shared_state.h"

namespace heddle::native {

void lowerAtomics(Instrumentation& instrumentation, llvm::Function& function);

}  // namespace heddle::native
