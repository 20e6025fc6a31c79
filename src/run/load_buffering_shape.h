// Load buffering that a model excludes: would it matter to this program?
//
// Under rc11 and rc20 no load reads from a store that comes, in po | rf, after it. Compilers and ARM processors can make that
// happen to relaxed accesses: one thread loads x and then stores y, another one loads y and then stores x, and both loads read these
// stores. A program in which two threads have such accesses, with no fence between them, is worth a run under a model with load
// buffering. That the stores may depend on the loads, which forbids it after all, is not looked at: that model knows.
#pragma once

#include <optional>

#include "graph/execution_view.h"

namespace heddle::run {

struct LoadBufferingShape {
  EventId load = kNone, store = kNone;  // of one thread, the other one has the opposite
};

// The first one in an execution, if there is one.
std::optional<LoadBufferingShape> findLoadBufferingShape(const ExecutionView& graph);

}  // namespace heddle::run
