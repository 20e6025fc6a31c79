// Small changes of control flow that several steps make.
#pragma once

namespace llvm {
class BasicBlock;
}

namespace heddle::native {

// A new block on the edge (or edges) from one block to another.
llvm::BasicBlock* splitEdge(llvm::BasicBlock& from, llvm::BasicBlock& to);

}  // namespace heddle::native
