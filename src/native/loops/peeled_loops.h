// Loops of which a part was written twice: before the loop, and again at its end (thesis 7.2.4 and 9.2.2.3).
//
//     r = x.load();                               top:  r = x.load();
//     while (r < n) r = x.load();        ==>            if (r < n) goto top;
//
// As it stands, r is a value that the loop carries round, and an iteration that has read something else than the one before
// it counts as a change. The two loads are bisimilar: the same operation, after which the same happens. So all ways to
// the header that end in the same instructions are joined before these, and the header moves there. What one
// instruction of each way uses must be the same value, or again the results of instructions that are joined
// (unification). Ways may also end in the same conditional branch (a loop that was rotated).
//
// A value of the memory that is stored at the end of all ways and loaded at once in the header is carried round as much as
// a register is: the load gives way to the values that were stored. That is the `expected` of a compare-exchange
// which is a member of a node.
#pragma once

#include "native/instrument/shared_state.h"

namespace heddle::native {

void mergePeeledLoops(Instrumentation& instrumentation, llvm::Function& function);

}  // namespace heddle::native
