// Instrumentation: the linked program becomes code that calls the hooks (hooks.h) wherever it does something visible.
//
//   removeUnreachable   prepare.h     what main cannot reach goes
//   lowerGlobals        globals.h     redzones, thread_locals, constructors
//   externals           externals.h   whatever is left undefined is an error
//   prepare             prepare.h     SSA and inlining, with the checks that these would otherwise make unnecessary
//   frames              frames.h      locals whose address matters move to frame memory
//   accesses, atomics                 hooks
//
// The result is for the optimiser: it can no longer remove a visible operation.
#pragma once

#include "native/pipeline.h"
#include "runtime/program_info.h"

namespace llvm {
class Module;
}

namespace heddle::native {

// Throws InputError for programs that cannot be checked.
ProgramInfo instrument(llvm::Module& module, const BuildOptions& options);

}  // namespace heddle::native
