// A counterexample as a litmus test: a program one of whose executions is the graph, and a condition that asks for it.
#pragma once

#include <optional>

#include "prove/graph.h"

namespace heddle::prove {

// The text of a .litmus file; nothing if the graph has what programs do not have (inserted fences, dependencies).
std::optional<std::string> litmusTest(const Graph& graph, const std::string& name);

}  // namespace heddle::prove
