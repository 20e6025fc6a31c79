// Folding of constants and cleaning up of control flow, for code that has just been inlined.
//
// LLVM's own passes for this remove loads whose values are not used, execute loads speculatively, and merge stores. Each of
// these would hide a race or a bad access, or make one; so here is the part that touches no memory.
#pragma once

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace heddle::native {

// An attribute of a function: what is computed from a value that is not constant stays so, even if the result is known, as that of
// `r ^ r` is. Memory models with dependencies want to know.
inline constexpr const char* kKeepsDependencies = "heddle-dependencies";

void simplify(llvm::Function& function);

// LLVM's inliner folds what it copies. So in functions with that attribute the operands of what it must not fold are hidden from it
// for a while, as results of unknown functions.
void hideDependencies(llvm::Function& function);
void showDependencies(llvm::Module& module);

}  // namespace heddle::native
