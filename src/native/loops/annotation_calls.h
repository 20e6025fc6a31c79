// Calls by which a program annotates its writes and its loops: those of include/heddle/heddle.h, and the names that GenMC has
// for them (library/verifier.cpp).
#pragma once

namespace llvm {
class CallBase;
class Instruction;
class Module;
}  // namespace llvm

namespace heddle::native {

// Such a call does nothing to memory, and nothing that others can see.
bool isAnnotation(const llvm::Instruction& instruction);
// Does it say whether a round of the loop that it is in was in vain? It was if the argument is 0.
bool endsRound(const llvm::Instruction& instruction);
// May there be writes that are marked as local?
bool marksLocalWrites(const llvm::Module& module);

}  // namespace heddle::native
