// Is a program worth optimising?
//
// Most concurrent programs do little between two visible operations, and what a thread does from one to the next is
// remembered (states.h), so that its code runs a few times even in a long exploration. To optimise such code takes
// several times as long as to generate it plainly, more than the whole exploration of a small program, and gains
// nothing: the Michael-Scott queue, fib_bench, casrot, sigma and lockinc are explored in as many instructions either
// way, an MPMC queue in 4% more (10% more time). It is different with a program that computes: in loops that go round
// many times, or by recursion, without a visible operation.
#pragma once

#include <unordered_set>

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace heddle::native {

// May the program's own code run for long without a visible operation? Its functions have been instrumented, and cold
// ones marked (cold.h).
bool computes(llvm::Module& module);
// The functions that may, and what is called by them.
std::unordered_set<const llvm::Function*> computingFunctions(llvm::Module& module);

bool hasLoop(const llvm::Function& function);

}  // namespace heddle::native
