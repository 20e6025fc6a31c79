// Plain accesses: each gets the check of hooks.h, inlined, with the hook on its slow path.
//
// Not checked are accesses to private local variables, to heddle's own runtime variables, and loads of constants at constant
// offsets. An access whose object is known (a global, a local variable in frame memory) but whose offset is not is
// checked against the object's bounds as well, so that an overrun is found however far it goes: redzones alone
// would miss one that lands in another object.
//
// Two accesses to one address in a segment need one check, so one that is certainly preceded by a check of the same
// address, with no call in between, has none (see repeated_accesses.h).
#pragma once

#include "native/instrument/shared_state.h"

namespace heddle::native {

void lowerAccesses(Instrumentation& instrumentation, llvm::Function& function);

}  // namespace heddle::native
