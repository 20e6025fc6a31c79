// Inline assembly: the idioms that concurrent code is written with.
//
//   nothing, or `nop`, `pause`, prefetch  nothing: a barrier for the compiler only, which the hooks are anyway
//   mfence, lock add $0 to the stack      a seq_cst fence
//   lfence, sfence                        an acquire and a release fence: the weakest of C's fences that keep loads, or stores,
//                                         in order as these instructions do
//   mov from or to memory                 an acquire load, a release store; relaxed if "memory" is not clobbered
//   lock add, sub, inc, dec, and, or, xor, not, xadd, cmpxchg, cmpxchg8b, cmpxchg16b, bts, btr, btc; xchg
//                                         seq_cst read-modify-writes
//   set<condition> after one of these     the flags that it leaves
//   rdtsc, rdtscp                         the thread's clock (library/clock.h)
//   cpuid                                 zeros
//
// The compiler's intrinsics for these are the same. Operands are those of GCC's extended assembly, in AT&T syntax: the location as
// a memory operand, as (register) or 8(register); a register by its number, all or a part of it (%b0, %h0, %w0, %k0, %q0), or by its
// name. Other assembly stays as it is if it only computes in registers (assembly_text.h), and else stops the program, with its text.
#pragma once

#include "native/instrument/shared_state.h"

namespace heddle::native {

void lowerAssembly(Instrumentation& instrumentation, llvm::Function& function);

}  // namespace heddle::native
