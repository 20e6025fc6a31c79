// Lowering of a program's globals: redzones, thread_locals, constructors, and the function that starts the program.
//
// Works on the linked module (program and library models), before the code is instrumented or optimised for good.
//
//   - Every global that is defined gets a redzone behind it, so that running over its end does not hit the next one. It
//     keeps its value, starts at a multiple of 8, and becomes an external hidden symbol, which the optimiser leaves
//     alone and the JIT finds. It is entered in ProgramInfo::variables and ::globals.
//   - thread_locals become fields of one block. ProgramInfo::tlsImageSymbol names a constant with its initial bytes. A
//     use becomes the value of the variable heddle_tls (hooks.h) plus the offset. The load of heddle_tls carries the
//     metadata kOwnAccess: it is ours, not the program's.
//   - Aliases are replaced by what they stand for; weak references that nothing defines become null; llvm.used and the
//     like go, and so do unused globals.
//   - Constructors, by priority and then by order, and destructors become functions. heddle_start runs the
//     constructors and main(argc, argv, envp), and hands main's result to exit, which is a library model. Where crashes are
//     explored, constructors are kept as a function of their own, too: what runs after a crash begins with them.
#pragma once

#include "runtime/program_info.h"

namespace llvm {
class GlobalValue;
class Module;
}  // namespace llvm

namespace heddle::native {

class DebugNames;

// The kind of metadata on loads of heddle's own variables that must not be checked as the program's.
inline constexpr const char* kOwnAccess = "heddle.own";

// void heddle_start(int argc, char** argv, char** envp): runs the whole program; does not return.
inline constexpr const char* kStartSymbol = "heddle_start";

// void heddle_constructors(): of a program that has some and is explored with crashes.
inline constexpr const char* kConstructorsSymbol = "heddle_constructors";

// What runs after a crash: the program's, by one of these names.
inline constexpr const char* kRecoverySymbols[] = {"heddle_recovery", "__VERIFIER_recovery_routine"};
// The section of globals that survive one (include/heddle/heddle.h).
inline constexpr const char* kPersistentSection = "heddle_persistent";

// Before linkLibrary: declares the library functions that heddle_start calls, so that their models are linked in; and is
// this one of them?
bool isCalledAtStart(const llvm::GlobalValue& function);
void declareStart(llvm::Module& module);

// Throws InputError: no main, a thread_local that nothing defines, an ifunc.
void lowerGlobals(llvm::Module& module, runtime::ProgramInfo& info, DebugNames& names, bool crashes = false);

}  // namespace heddle::native
