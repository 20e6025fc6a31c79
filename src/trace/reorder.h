// Puts the events of an execution in the order in which it reads like an interleaving (trace/interleaving.h), and marks those that
// none explains.
//
// For executions that are made without a graph of the engine. Events of a thread are in program order already, and every access has one
// source and one place in coherence order.
#pragma once

#include "trace/execution.h"

namespace heddle::trace {

void readAsInterleaving(Execution& execution);

}  // namespace heddle::trace
