// Local variables whose addresses matter move to frame memory.
//
// A local variable is private if every use of its address is a plain load or store at a constant offset within it: it stays on
// the native stack (or in a register), and no other thread can ever see it. Every other one moves to the thread's frame
// memory, which is part of program memory, like the unsafe stack of SafeStack: there it is bounds-checked, race-checked and
// logged, and it dies with its frame. A function with such variables looks like this:
//
//     base = heddle_frame_push(size, table of its variables, how many, source)
//     |redzone| variable 0 |redzone| variable 1 |redzone| ...        each at a multiple of 16
//     ...
//     heddle_frame_pop(base, source)       before each return and resume
//     heddle_frame_unwind(base, ...)       first thing in each landing pad: the callees' frames are gone
//
// A variable of an inner block, or a temporary object, ends before its function does. If somebody may still have its
// address then (endsInside), it is not in that frame but has one of its own from the beginning of each life to its end,
// as clang's lifetime markers tell:
//
//     place = heddle_life_begin(size, ...)     ...     heddle_life_end(place, source)
//
// A va_list, and what va_start fills in, describe the native stack and stay there.
#pragma once

#include "native/instrument/shared_state.h"

namespace llvm {
class Function;
}  // namespace llvm

namespace heddle::native {

void lowerFrames(Instrumentation& instrumentation, llvm::Function& function);

}  // namespace heddle::native
