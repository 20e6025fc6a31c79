// Errors in straight-line code, made visible before an optimiser may assume that they do not happen.
//
// Always: a point that the compiler believes unreachable, division by zero, a quotient that does not fit, a call of a null
// function pointer, a trap. With --ub besides: overflow of signed arithmetic, shifts by more than the width,
// floating-point numbers that do not fit the integer they are converted to, misaligned addresses, copies between objects that
// overlap. Each becomes a test and a call of heddle_fail.
//
// Runs on the code as clang made it. Promises that clang adds for the optimiser alone (llvm.assume and the like) go.
#pragma once

#include "native/instrument/shared_state.h"

namespace heddle::native {

void exposeLanguageErrors(Instrumentation& instrumentation, llvm::Function& function);

}  // namespace heddle::native
