// Values that are read anew before each attempt: a load before a loop, and a failed compare-exchange or another load in it.
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
// This is bisimilarity (thesis 7.2.4) where one of the two nodes is a compare-exchange that fails. A load in the loop may be the
// other one as well, on some of the ways round,
//
//     for (;;) {
//       if (old & locked) { old = x.load(); continue; }
//       if (x.compare_exchange_weak(old, old | locked)) break;
//     }
//
// But each way round must read it: a thread that goes round without that may do so for ever although the location has changed. And
// one load finds one value: if the loop hands on two that were both loaded before it, they have to be the same on every way round.
//
// The same goes for a failed compare-exchange of the round before, in the place of the load. So a loop that begins with a guess,
//
//     old = 0;
//     while ((found = __sync_val_compare_and_swap(&x, old, f(old))) != old) old = found;
//
// or with a load that is used for something else, has to fail once at most:
//
//     expecting u: read v [failed], expecting v: read v' [failed], rest     has a shorter one     expecting u: read v' [failed], rest
//
// or, if v' is u, one in which the first exchange does what the next one would do. What is read last decides all that comes after,
// as long as the exchange is all that a round reads and a round has no effect.
#pragma once

#include "native/instrument/shared_state.h"

namespace llvm {
class Loop;
}

namespace heddle::native {

// The load before the loop, if a value that its header receives is the result of that, and in the loop what a compare-exchange or a
// load of the same location has found; null otherwise. Whether the compare-exchanges fail on the way to the header is for the caller
// to see.
struct Reread {
  llvm::LoadInst* load = nullptr;
  std::vector<llvm::AtomicCmpXchgInst*> exchanges;
};
Reread rereadOf(llvm::PHINode& value, const llvm::Loop& loop);

// Two values of a loop's header, of which one begins as what is loaded: does the other one, too, and may they be different later?
bool goApart(const llvm::PHINode& value, const llvm::PHINode& other, const llvm::LoadInst& load);

// The exchange of which a value of the loop's header is what it has found in the round before, and which expects that value; null
// if there is none. Likewise.
llvm::AtomicCmpXchgInst* foundAgain(llvm::PHINode& value, const llvm::Loop& loop);

}  // namespace heddle::native
