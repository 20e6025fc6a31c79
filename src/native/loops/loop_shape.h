// Loops get a shape in which it can be seen what a round of each is.
//
// Loops that begin at the same place are told apart. In
//
//     do {
//       for (int i = 0; i < n; i++) pause();
//     } while (!x.load());
//
// both go back to the same block, and to LLVM that is one loop with two ways round, one of which reads nothing. What tells them
// apart is the count: the inner loop goes on counting, the outer one begins anew.
//
// A loop that goes round by several ways, whichever hands on the same values, gets one block from which it does: scalar
// evolution counts the rounds of no other.
#pragma once

namespace llvm {
class Function;
}

namespace heddle::native {

void shapeLoops(llvm::Function& function);

}  // namespace heddle::native
