// What the runtime has to know about the processor. A second one is another file beside x86_64.cpp that defines what is
// declared here; CMake compiles all files of this folder, and each is empty on other processors.
//
// Besides, the rest of heddle knows of the processor:
//
//   how values are passed    CasResult (hooks.h), two words, comes back in registers as the {i64, i64} that instrumented code
//                            expects. Where it does not, heddle_atomic_cas needs a reference to the result
//   what it compiles for     -mcx16, for atomics of 16 bytes (CMakeLists.txt, src/native/compile/compile.cpp, which also
//                            refuses other targets); the target of the JIT (src/native/jit/jit.cpp)
//   stubs                    of functions whose code comes later (src/native/jit/arch)
//   inline assembly          the instructions that are known (src/native/instrument/assembly.cpp), and the intrinsics
//                            (externals.cpp there, src/native/loops/effects.cpp)
//   where memory lies        fixed addresses in 47 bits of address space (src/memory/layout.h)
//   vectors                  SSE2, to compare clocks (src/graph/clock.h)
#pragma once

#include <ucontext.h>

#include <cstdint>

#include "program/operation.h"

extern "C" {

// Saves what a function must preserve (registers) on the running stack, its stack pointer in *from, and continues where the
// context with the stack pointer `to` was left by this function.
void heddle_switch(void** from, void* to);

// heddle_set_jump (hooks.def) is here, too: it calls heddle_note_jump with what a function must preserve, as it is where its caller
// goes on, and returns 0. This function makes it return once more.
[[noreturn]] void heddle_return_again(const struct HeddleRegisters* registers, std::uint32_t value);
void heddle_note_jump(void* buffer, void* frame, std::uint32_t source, const struct HeddleRegisters* registers);
}

// On the stack of heddle_set_jump, and in jump buffers.
struct HeddleRegisters {
  std::uint64_t words[8];
};

namespace heddle::runtime::arch {

// Puts on a new stack, below `top` (a multiple of 16), what heddle_switch will find there: it will call `entry`, in which
// unwinding ends. Returns the stack pointer.
void* prepareStack(void* top, void (*entry)());

// Of a context that a signal has interrupted: where it was, and to go on, when the handler returns, where heddle_switch left
// the context with that stack pointer. Both may be called in a signal handler.
Address placeOf(const ucontext_t& interrupted);
void continueAt(ucontext_t& interrupted, void* stackPointer);

}  // namespace heddle::runtime::arch
