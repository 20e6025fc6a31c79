// Control flow: what several steps ask about it, and small changes.
#pragma once

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Value;
}  // namespace llvm

namespace heddle::native {

// The function that an instruction calls, if it calls one by its name.
const llvm::Function* calleeOf(const llvm::Instruction& instruction);

// A new block on the edge (or edges) from one block to another.
llvm::BasicBlock* splitEdge(llvm::BasicBlock& from, llvm::BasicBlock& to);

// Behind `other`, which now leads to where a value of another block is used, too, this value is used in its place.
void useEither(llvm::Instruction& original, llvm::BasicBlock& other, llvm::Value& value);

}  // namespace heddle::native
