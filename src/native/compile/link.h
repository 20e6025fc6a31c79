// Linking a program with the library models that it needs.
//
// The models (src/native/library) are embedded as bitcode, a module for each source file. Only what the program
// uses, directly or through another model, is linked in. A function of a model has its symbol's own name
// (pthread_create, _ZNSt6thread4joinEv), so a program that defines the function itself keeps its own.
#pragma once

#include <memory>
#include <span>

#include "native/compile/embedded_file.h"

namespace llvm {
class Linker;
class Module;
}  // namespace llvm

namespace heddle::native {

// Functions that came from a model carry this attribute, and so do the primitives that models and headers call.
inline constexpr const char* kLibraryAttribute = "heddle-library";

// What a header of the system declares carries this one.
inline constexpr const char* kSystemAttribute = "heddle-system";

// What reading the processor's cycle counter becomes: a function of time.cpp. It is linked if the program reads the counter.
inline constexpr const char* kCycleCounter = "heddle_cycles";

// What the return of main calls: the first of these that the program has. Nobody registers what is to be done at the exit; the
// main thread alone does, and exits; anybody may.
inline constexpr const char* kBareExit = "heddle_bare_exit";
inline constexpr const char* kSimpleExit = "heddle_simple_exit";
inline constexpr const char* kExit = "exit";

// Links the models that define what the program declares. A declaration counts even if nothing uses it. Takes no time
// for models that are not needed.
void linkLibrary(llvm::Module& program);
// The same, with other models.
void linkLibrary(llvm::Module& program, std::span<const EmbeddedFile> models);

// Moves `module` into the program of `linker`; with `onlyNeeded`, of its definitions only those that the program
// declares, and what these need. Throws InputError, with the linker's message, if they do not fit together. To make a
// Linker takes time in proportion to the program, so it is used for several modules.
void linkModule(llvm::Linker& linker, std::unique_ptr<llvm::Module> module, bool onlyNeeded);

}  // namespace heddle::native
