// Copying of single bytes that may be uninitialised.
//
// A program may copy bytes one by one, as memcpy does, whether they are initialised or not; the copy is then as uninitialised
// as the original, and only the shadow can say so. So a load of a byte that is only stored again becomes
//
//     if (the byte's granule was read or written in this segment, and so is initialised) load and store, as ever
//     else heddle_copy(to, from, 1, source)
#pragma once

#include "native/instrument/shared_state.h"

namespace heddle::native {

void lowerByteCopies(Instrumentation& instrumentation, llvm::Function& function);

}  // namespace heddle::native
