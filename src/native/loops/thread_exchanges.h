// Ways out of a compare-exchange that stay apart (jump threading, thesis 7.2.4).
//
// clang stores what a failed compare-exchange has found, joins the two ways, and branches on the success again:
//
//     br success ? join : failed         failed: *expected = found; goto join         join: br success ? out : round
//
// After this each way goes straight to where it leads, so that it can be seen that whoever goes round has failed. Blocks
// that have nothing to do but to decide are passed by; nothing else is moved or duplicated.
//
// Whether a strong exchange has succeeded may also be seen from what it has found, as after __sync_val_compare_and_swap.
//
// The same goes for conditions that are made of several, such as `old < n && !exchange`: they are decided one by one.
#pragma once

namespace llvm {
class Function;
}

namespace heddle::native {

void threadExchanges(llvm::Function& function);

// Conditions that a block receives from those before it, which then decide themselves.
void threadConditions(llvm::Function& function);

}  // namespace heddle::native
