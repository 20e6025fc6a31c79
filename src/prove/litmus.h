// A counterexample as a litmus test: a program one of whose executions is the graph, and a condition that asks for it.
//
// The condition fixes who reads from whom, and the last write of each location; with three writes or more to a location
// it may hold of other executions too.
#pragma once

#include <optional>

#include "prove/graph.h"

namespace heddle::prove {

// The text of a .litmus file for the program as `view` sees it: of a compilation scheme, the source or what it becomes.
// Nothing if the graph has what the program does not determine (dependencies, declared sets).
std::optional<std::string> litmusTest(const Graph& graph, const View& view, const std::string& name);

}  // namespace heddle::prove
