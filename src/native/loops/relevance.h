// Which values can matter to what a function does.
//
// A loop that waits often counts how long it has waited, and pauses longer or yields when it has been long enough. The count
// changes in every iteration and still matters to nothing: whatever it decides is whether to pause. A value is relevant
// if it may flow, as an operand or by deciding a branch, into an effect, an access to memory, or a way out of the
// function. This is LLVM's aggressive dead code elimination, without the elimination, and with calls that only pass the time
// counted as dead.
//
// The same goes for what is kept in a local variable that no other code can see, be it only because its address is given to
// nanosleep: to write it matters if it is read for something that does.
#pragma once

#include <unordered_set>

#include "native/pipeline.h"

namespace llvm {
class Function;
class Instruction;
}  // namespace llvm

namespace heddle::native {

std::unordered_set<const llvm::Instruction*> relevantValues(llvm::Function& function, const BuildOptions& options);

}  // namespace heddle::native
