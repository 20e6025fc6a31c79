// Control flow: what several steps ask about it, and small changes.
#pragma once

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
}  // namespace llvm

namespace heddle::native {

// The function that an instruction calls, if it calls one by its name.
const llvm::Function* calleeOf(const llvm::Instruction& instruction);

// A new block on the edge (or edges) from one block to another.
llvm::BasicBlock* splitEdge(llvm::BasicBlock& from, llvm::BasicBlock& to);

}  // namespace heddle::native
