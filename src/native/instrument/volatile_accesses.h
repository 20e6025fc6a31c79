// Accesses to volatile variables as relaxed atomics, with --volatile=relaxed.
//
// An access of 1, 2, 4 or 8 aligned bytes is one event. Others, and copies of ranges, are made of pieces as large as the
// alignment allows, lowest address first.
#pragma once

#include "native/instrument/access_hook.h"

namespace llvm {
class MemIntrinsic;
}

namespace heddle::native {

// Replaces and erases the instruction.
void lowerAsRelaxed(Instrumentation& instrumentation, const Access& access);
void lowerAsRelaxed(Instrumentation& instrumentation, llvm::MemIntrinsic& range);

}  // namespace heddle::native
