// An execution graph as the value that is shown (trace/execution.h).
//
// The place of a write in the coherence order of its location serves as its value, so a read shows at a glance what it
// reads from. The two events of a read-modify-write are one, an exchange. Reads-from cannot be trusted to be causal here: where
// it is, events are in that order, and otherwise the threads take turns as far as they can.
#pragma once

#include <string>
#include <vector>

#include "prove/graph.h"
#include "trace/execution.h"

namespace heddle::prove {

// `relations`: the names of the declared relations of a query. Reads-before (rb) is among those of the result, and so are the
// dependencies.
trace::Execution executionOf(const Graph& graph, const std::vector<std::string>& relations = {});

}  // namespace heddle::prove
