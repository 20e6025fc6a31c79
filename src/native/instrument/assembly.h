// Inline assembly: the idioms that concurrent code is written with.
//
//   nothing, or `nop`, `pause`            nothing: a barrier for the compiler only, which the hooks are anyway
//   mfence, lock add $0 to the stack      a seq_cst fence
//   lfence, sfence                        an acquire and a release fence: the weakest of C's fences that keep loads, or stores,
//                                         in order as these instructions do
//   lock add, sub, inc, dec, and, or, xor, not, xadd, cmpxchg, bts, btr, btc; xchg      seq_cst read-modify-writes
//   set<condition> after one of these     the flags that it leaves
//
// The compiler's intrinsics for these fences are the same. Operands are those of GCC's extended assembly, in AT&T syntax: the location as a memory operand or as (register); a register
// by its number, all or a part of it (%b0, %h0, %w0, %k0, %q0), or by its name if an operand is in it. Anything else is an InputError with its text.
#pragma once

#include "native/instrument/shared_state.h"

namespace heddle::native {

// What cannot be understood, one line each, goes to `errors`.
void lowerAssembly(Instrumentation& instrumentation, llvm::Function& function, std::vector<std::string>& errors);

}  // namespace heddle::native
