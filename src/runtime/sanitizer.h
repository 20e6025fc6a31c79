// What AddressSanitizer has to be told about fibers. In builds without it (all but `make sanitize`) this is nothing.
//
// It remembers, outside the stack, where there are red zones between the local variables of a function. Each function of
// the runtime that runs on a fiber makes its own when it is called and clears them when it returns. But functions on a fiber
// that is given up do not return, and when a stack is put back the frames on it are others than the sanitizer thinks.
// So a fiber that is left has no red zones: frames that were on its stack then are not guarded from there on, new ones
// are.
//
// It also has to know which stack is running, since an exception clears the red zones from where it is thrown to the end
// of that stack.
#pragma once

#include "program/operation.h"

namespace heddle::runtime {

#ifdef __SANITIZE_ADDRESS__

// The explorer switches to the fiber of a thread; it is on the fiber.
void sanitizerLeavesExplorer(ThreadId thread);
void sanitizerIsOnFiber();
// A fiber switches to the explorer; or a signal handler, on another stack, gives it up; it is back.
void sanitizerLeavesFiber(ThreadId thread);
void sanitizerAbandonsFiber(ThreadId thread);
void sanitizerIsInExplorer();

#else

inline void sanitizerLeavesExplorer(ThreadId) {}
inline void sanitizerIsOnFiber() {}
inline void sanitizerLeavesFiber(ThreadId) {}
inline void sanitizerAbandonsFiber(ThreadId) {}
inline void sanitizerIsInExplorer() {}

#endif

}  // namespace heddle::runtime
