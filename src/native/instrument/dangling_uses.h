// Uses of a local variable, through a pointer that does not leave the function, after the variable's life has ended.
//
//     for (...) { int x = ...; p = &x; }   *p          p is a phi: of nothing and of the address of x
//     const int& r = std::max(a(), b());   r           r is one of two temporary objects, which have ended
//
// A pointer is what it was where it was made: at the beginning of the variable's newest life for its own address and what is
// computed from it, at a phi, at the call that returned it. So the use of a pointer may be too late if it can be reached from
// an end of the variable on a way on which the pointer is not made anew. A phi uses its operands at the ends of the blocks that
// they come from.
#pragma once

namespace llvm {
class AllocaInst;
}

namespace heddle::native {

bool mayBeUsedAfterEnd(const llvm::AllocaInst& variable);

// May the variable begin to live again after it has ended?
bool mayBeginAgain(const llvm::AllocaInst& variable);

}  // namespace heddle::native
