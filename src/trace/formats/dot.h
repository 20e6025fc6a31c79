// Executions as graphs in the language of Graphviz: a box for each thread with its events in program order, and edges for
// reads-from (rf), coherence (co), the start and end of threads, and the relations that the execution has besides. The error
// is red; what cannot have had a part in it is grey. Several executions are several graphs in one file.
#pragma once

#include <span>
#include <string>

#include "trace/execution.h"

namespace heddle::trace {

std::string dot(std::span<const Execution> executions);

}  // namespace heddle::trace
