// The execution that shows an error, from the graph: events in a causal order, with names and values for people.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "mixer/mixed_graph.h"
#include "native/check.h"
#include "native/native_program.h"
#include "native/object_names.h"
#include "native/places.h"

namespace heddle::native {

struct TraceOptions {
  std::vector<EventId> ends;      // what led to the error: the porf-prefixes of these events are relevant; all if empty
  std::vector<EventId> involved;  // the events that are part of the error itself
};

std::vector<TraceEvent> traceOf(const Graph& graph, const NativeProgram& program, const ObjectNames& names,
                                const Places& places, const TraceOptions& options);
std::vector<TraceEvent> traceOf(const MixedGraph& graph, const NativeProgram& program, const ObjectNames& names,
                                const Places& places, const TraceOptions& options);

// The text of a source line, without the blanks around it; empty if the file cannot be read.
std::string sourceLine(const std::string& file, unsigned line);

}  // namespace heddle::native
