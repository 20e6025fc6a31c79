// What a program refers to and nothing defines.
//
// A function that is not part of the program, not a library model, and not one of the few host functions that may be called
// as they are (host_functions.h) could do anything, and heddle would neither see nor undo it. If it is the system's, the
// program stops where an execution reaches the call: many a library has code for errors, files and statistics that no execution
// of a test ever comes to. If it is the program's own, a file is missing, and nothing can run without it.
#pragma once

#include "native/instrument/shared_state.h"

namespace heddle::native {

// Throws InputError with a line for each that is the program's own.
void settleExternals(Instrumentation& instrumentation);

}  // namespace heddle::native
