// Code that computes, with every value, what it depends on: for memory models with dependencies (runtime/dependencies.h).
//
// Each SSA value gets a second one, the number of a set of the thread's reads, as MemorySanitizer has a shadow for each value:
//
//     a read, a choice        the operation itself (heddle_result_dependencies, after the hook)
//     computation, phi        that of the operands; of a select all three. `r ^ r` is 0 and depends on r all the same
//     a call                  arguments and result go through variables of the runtime
//     a load, a store         plain memory has sets of its own; the address counts as well
//     a private variable      words beside it on the native stack, one for each part of it that is accessed on its own
//
// A branch, an indirect call and the address of a plain access go into heddle_control, for ever: a machine orders nothing after a
// branch that it does not order after the next one, and writes after an access whose address depends on a read come after that
// read (`addr ; po ; [W]`), as writes after a branch do. So plain accesses, which are no events, lose nothing.
//
// Under models that say `control-ends` a branch goes into heddle_control while what it decides runs (control_scopes.h), and
// addresses do not go there; those of stores go into heddle_stored_through.
//
// What an operation depends on is said in front of the hook (heddle_address_dependencies, heddle_data_dependencies).
//
// Comes after all other steps, as loops must not see this code, and works on code in which nothing has been folded that drops a
// dependency (simplify in compile/simplify.h). Where something cannot be followed exactly (structures as SSA values, arguments
// by value in memory, variable arguments) sets are too large rather than too small: the exploration relies on it that a thread
// which is given the same results does the same.
#pragma once

#include "native/instrument/shared_state.h"

namespace heddle::native {

void trackDependencies(Instrumentation& instrumentation, llvm::Function& function);

}  // namespace heddle::native
