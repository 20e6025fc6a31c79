// From source files to one LLVM module: clang, in this process.
//
// Every input becomes a module (C and C++ through clang, .ll and .bc by reading them), and the modules are linked. The
// code is as clang generates it for -O1 before any optimisation: every access of the source is still there, with its
// line and column, and nothing is marked against inlining. clang's driver finds the system's headers, so a program sees
// what it sees in an ordinary build. Besides them there is a folder that is part of the executable and exists in
// clang's view of the file system only: <heddle/heddle.h>, and replacements of a few internal headers of libstdc++
// (src/native/overlay), each of which says what it changes and why.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>

#include "native/inputs.h"
#include "native/pipeline.h"

namespace heddle::native {

struct CompiledProgram {
  std::unique_ptr<llvm::LLVMContext> context;  // outlives the module
  std::unique_ptr<llvm::Module> module;
  InputFiles inputs;
};

// Throws InputError for files that cannot be read, compiled or linked. What clang has to say of the program goes to
// standard error as clang prints it; the InputError then only says which file does not compile. A module without `main`
// is not an error here.
CompiledProgram compile(const BuildOptions& options);

// Where the embedded headers seem to be: next to the system's, so that code from them counts as the system's.
inline constexpr const char* kHeaderFolder = "/usr/share/heddle/include";

}  // namespace heddle::native
