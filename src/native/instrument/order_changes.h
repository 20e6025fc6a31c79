// Memory orders that are made stronger where the source has them, and fences that are put beside an access: to find out whether the
// program verifies with that (--suggest).
#pragma once

#include "native/instrument/shared_state.h"

namespace llvm {
class Function;
}  // namespace llvm

namespace heddle::native {

void changeOrders(Instrumentation& instrumentation, llvm::Function& function);

}  // namespace heddle::native
