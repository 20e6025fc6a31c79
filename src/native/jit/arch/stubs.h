// The places at which functions are called whose code comes later (native/jit/later_functions.h), as the processor has them. A
// second processor is another file beside x86_64.cpp.
//
// A stub jumps to where its slot says. A new slot leads to the second half of the stub: that calls heddle_generate with the
// stub's number, on a stack of heddle's own, since what a thread of the program has is not made for a compiler. Then it jumps to
// the address that comes back, with the arguments of the call as they were.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

// The top of that stack, a multiple of 16.
extern void* heddle_generate_stack;

// Calls heddle_improve on that stack.
void heddle_improve_entry(std::uint32_t number);

// Defined by later_functions.cpp.
void* heddle_generate(std::uint32_t number);
void heddle_improve(std::uint32_t number);
}

namespace heddle::native {

inline constexpr std::size_t kStubSize = 48;

// Fills the slot, too.
void writeStub(std::byte* stub, std::uint32_t number, void** slot);

}  // namespace heddle::native
