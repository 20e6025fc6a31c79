// Simplification before instrumentation: only what cannot hide an error, or make one.
//
// Local variables become SSA values and functions are inlined, so that the code that is instrumented has few accesses and
// constant memory orders. Nothing here removes or moves an access to memory that another thread could see: not even a
// load whose value is never used, because it may race, or be out of bounds.
#pragma once

#include "native/instrument/shared_state.h"

namespace heddle::native {

// Keeps `main` and what it can reach; and what runs after a crash, if crashes are explored.
void removeUnreachable(llvm::Module& module, bool crashes);

// Drops what clang promises about the code on the language's behalf (an argument is not null, a function has no effects):
// the program may break the promise, or the hooks will.
void dropPromises(llvm::Module& module);

void prepare(Instrumentation& instrumentation);

}  // namespace heddle::native
