// Variables that a debugger can see at every place.
//
// The code of a program is instrumented after its local variables have become values, most of which are in registers, for a while. For a
// debugger each gets a place in its function's frame again. Whenever debug information says that a variable has a value from here
// on, the value is stored there; nobody but the debugger reads it. So the program does the same, operation by operation, as the one
// that was explored.
//
// In front of the place is a word that says whether the variable has had a value.
#pragma once

namespace llvm {
class Module;
}

namespace heddle::native {

void showVariables(llvm::Module& module);

}  // namespace heddle::native
