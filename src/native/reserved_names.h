// What of heddle's runtime a program can name.
//
// Instrumented code and the library models call the runtime by names that begin with heddle_ (abi/hooks.def), and trust what they hand
// over. A program that did so itself could hand over anything. So its own modules may name those primitives only that headers of
// heddle use, which check what they are given.
#pragma once

namespace llvm {
class Module;
}

namespace heddle::native {

// Throws InputError (pipeline.h) if the program, which has not been linked with the models yet, names another one.
void refuseReservedNames(const llvm::Module& program);

}  // namespace heddle::native
