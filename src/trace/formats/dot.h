// Executions as graphs in the language of Graphviz: a box for each thread with its events in program order, initial values where they
// are read, and the arrows of trace/edges.h. The error is red, and so is the other access of a race; what cannot have had a part in it is grey. Several executions are several graphs in one file.
#pragma once

#include <span>
#include <string>

#include "trace/execution.h"

namespace heddle::trace {

std::string dot(std::span<const Execution> executions);

}  // namespace heddle::trace
