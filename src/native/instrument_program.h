// Instrumentation: the linked program becomes code that calls the hooks (hooks.h) wherever it does something visible.
//
// The steps, in this order:
//
//   lowerCoroutines         compile/coroutines.h          coroutines become functions
//   removeUnreachable       instrument/prepare.h          what main cannot reach goes
//   lowerGlobals            instrument/globals.h          redzones, thread_locals, constructors
//   noteHeapTypes, noteMembers                            names for reports, as long as the code is as clang made it
//   exposeLanguageErrors    instrument/language_errors.h  checks of what SSA and inlining would take for granted; with
//   dropPromises            instrument/prepare.h          them, what clang promises the optimiser goes
//   prepare                 instrument/prepare.h          SSA and inlining
//   lowerAssembly           instrument/assembly.h         inline assembly becomes code
//   expandAtomicCalls       instrument/atomic_calls.h     calls of libatomic become atomic instructions
//   settleExternals         instrument/externals.h        what is left undefined stops the program, or is an error
//   noteCalls                                             calls of libraries tell the runtime where they are made
//
// and then for each function
//
//   instrumentLoops         loops/loops.h                 loops that wait, and bounds
//   WaitLoops               loops/wait_loops.h            loops around waits at condition variables
//   lowerFrames             instrument/frames.h           locals whose address matters move to frame memory
//   lowerAtomics            instrument/atomics.h          hooks
//   lowerAccesses           instrument/accesses.h         hooks
//
// and last, if the memory model asks for it, for each function
//
//   trackDependencies       instrument/dependencies.h     what each value depends on
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
runtime::ProgramInfo instrument(llvm::Module& module, const BuildOptions& options);

}  // namespace heddle::native
