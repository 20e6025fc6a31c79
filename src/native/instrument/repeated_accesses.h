// Which checks of plain accesses can be left out, because the same address is certainly checked before.
//
// A forward data flow: an access makes its address (a value plus a constant offset) and size available, for reads. A call may
// end the segment, so it makes nothing available any more. So does the check of a write: its hook may find an atomic location,
// whose re-initialisation is an event, each time anew. Not for programs whose reads may be events.
#pragma once

#include <unordered_set>
#include <vector>

#include "native/instrument/access_hook.h"

namespace heddle::native {

// The instructions among `accesses` that need no check.
std::unordered_set<const llvm::Instruction*> checkedBefore(const llvm::Function& function, const std::vector<Access>& accesses,
                                                           const AccessHook& check);

}  // namespace heddle::native
