// Functions of verification benchmarks that are one step by their name: the body of each __VERIFIER_atomic_... becomes a transaction.
//
// To be called on code as clang made it, before anything is inlined.
#pragma once

namespace llvm {
class Module;
}

namespace heddle::native {

void makeAtomicFunctions(llvm::Module& program);

// Does the program have transactions, of any kind? Before it is instrumented, or after.
bool hasTransactions(const llvm::Module& program);

}  // namespace heddle::native
