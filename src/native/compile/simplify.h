// Folding of constants and cleaning up of control flow, for code that has just been inlined.
//
// LLVM's own passes for this remove loads whose values are not used, execute loads speculatively, and merge stores. Each of
// these would hide a race or a bad access, or make one; so here is the part that touches no memory.
#pragma once

namespace llvm {
class Function;
}

namespace heddle::native {

void simplify(llvm::Function& function);

}  // namespace heddle::native
