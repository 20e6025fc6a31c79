// Which branches decide whether a block runs, where control ends: under models in which a branch orders only what depends on it.
//
// A block depends on a branch if it comes after one way out of it in every run, and does not come after the branch in every run
// (Ferrante, Ottenstein and Warren, "The Program Dependence Graph and Its Use in Optimization", 1987). So what stands after an `if` does
// not depend on it, and a round of a loop depends on the conditions of all rounds before it.
//
// Code that ends the program, such as a failed assertion, is not counted as a way out: a check orders nothing.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>

namespace heddle::native {

// By block: the blocks that end in the branches which it depends on. A block that is not in it depends on none.
using ControlScopes = llvm::DenseMap<const llvm::BasicBlock*, llvm::SmallVector<llvm::BasicBlock*, 2>>;

ControlScopes findControlScopes(llvm::Function& function);

}  // namespace heddle::native
