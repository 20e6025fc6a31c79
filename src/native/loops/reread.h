// Values that are read anew before each attempt: a load before a loop, and a failed compare-exchange in it.
//
//     old = x.load();
//     while (!x.compare_exchange_weak(old, f(old))) ;
//
// Here `old` is carried round, and changes whenever the compare-exchange fails in earnest. Still the iteration can be
// left out: the load before the loop could have read the same value. A failed compare-exchange is a load, so an
// execution
//
//     load v, [read v', failed], rest          has a shorter one          load v', rest
//
// in which the load takes the place of the failed compare-exchange and everything between them, which has no effect, is
// gone. That is as consistent as the longer one if the load is not stronger than the order of the failure: what is read
// is the same, at the same place in program order, and less is synchronised. Nothing that another thread could see, or
// that would be ordered by the load, may come between it and the loop.
//
// This is bisimilarity (thesis 7.2.4) where one of the two nodes is a compare-exchange that fails.
#pragma once

#include "native/instrument/shared_state.h"

namespace heddle::native {

// The load before the loop, if one of the values that a header may receive is its result and the others, which come
// from blocks of the loop, are what a compare-exchange of the same location has found; null otherwise. `values` and
// `blocks` are as in a phi. Whether the compare-exchange fails on the way to the header is for the caller to see.
struct Reread {
  llvm::LoadInst* load = nullptr;
  std::vector<llvm::AtomicCmpXchgInst*> exchanges;
};
Reread rereadOf(llvm::ArrayRef<llvm::Value*> values, llvm::ArrayRef<llvm::BasicBlock*> blocks, const llvm::BasicBlock& header);

}  // namespace heddle::native
