// What a program refers to and nothing defines.
//
// A function that is not part of the program, not a library model, and not one of the few host functions that may be called
// as they are (host_functions.h) could do anything, and heddle would neither see nor undo it. That is the user's to know
// before anything runs, with the place of a call.
#pragma once

#include "native/instrument/shared_state.h"

namespace heddle::native {

// Throws InputError with a line for each of them, and those that other steps have to add.
void rejectUnknownExternals(Instrumentation& instrumentation, std::vector<std::string> lines);

}  // namespace heddle::native
