// What a crash has left, in an execution whose recovery goes wrong: which writes recovery does not find, and what would have kept them.
// A part of why that is so (trace/why.h).
#pragma once

#include "run/tracer.h"

namespace heddle::run {

// `options`: of the trace, with recovery and numbers.
void describeCrash(const ExecutionView& graph, const TraceOptions& options, trace::Why& why);

}  // namespace heddle::run
