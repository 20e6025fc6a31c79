// Coroutines: clang leaves them as functions with suspension points, which LLVM splits into ordinary functions that work on a
// frame on the heap. That has to come first: everything else here knows ordinary functions only.
#pragma once

namespace llvm {
class Module;
}

namespace heddle::native {

void lowerCoroutines(llvm::Module& module);

}  // namespace heddle::native
