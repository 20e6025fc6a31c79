// Addresses that are the same in each round are computed before the loop.
//
//     do {
//       next[self] = top;                                 `next + self` is computed in each round
//     } while (!head.compare_exchange(top, self));
//
// Whether the next round writes the same bytes anew (overwritten.h) is asked of the address: it has to be a value that the loop does
// not change. So what a store's address is made of, if that is the same in each round and can be computed at any time, is moved to
// where the loop begins.
#pragma once

namespace llvm {
class Function;
}

namespace heddle::native {

void hoistAddresses(llvm::Function& function);

}  // namespace heddle::native
