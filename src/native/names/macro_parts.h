// Which of the accesses of a macro is meant.
//
// clang gives all that a macro makes the place of the macro's name. So two stores in one macro have one place, and a change of the
// memory order of one would be a change of both. Accesses that share a place are numbered before anything is inlined, by LLVM's
// discriminators: these are part of a debug location and go with it wherever code is inlined or copied to.
#pragma once

namespace llvm {
class Module;
}  // namespace llvm

namespace heddle::native {

void numberMacroParts(llvm::Module& module);

}  // namespace heddle::native
