// Local variables that are read before they are written.
//
// A local variable whose address stays in the function becomes an SSA value, and then a read before the first write is undef,
// which the optimiser makes into whatever suits it. So before that happens each such read that is not preceded by a
// write on every path (definite initialisation, a forward data flow over the bytes of all variables) is guarded: the bytes it
// reads get a flag each, a local variable like any other, which writes set and the read tests.
//
// Variables whose address does not stay in the function live in frame memory, whose shadow knows what is initialised. So
// do those that are copied as a whole from memory that may be uninitialised in part: copying is no use, and only the
// shadow can say later which parts of the copy are good. Copies that are harmless become loads and stores of the
// parts, so that small structures can still live in registers.
#pragma once

#include <vector>

#include "native/instrument/shared_state.h"

namespace llvm {
class AllocaInst;
class Function;
}  // namespace llvm

namespace heddle::native {

// Guards the variables that may become SSA values, and returns the others, which must stay in memory.
std::vector<llvm::AllocaInst*> guardUninitialised(Instrumentation& instrumentation, llvm::Function& function);

}  // namespace heddle::native
