// The execution that shows an error, from the graph: events in a causal order, with names and values for people.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "mixer/mixed_graph.h"
#include "runtime/native_program.h"
#include "runtime/object_names.h"
#include "runtime/places.h"

namespace heddle::native {

// A call in the program's own code.
struct Caller {
  std::string file, function;
  unsigned line = 0;
  std::string text;  // the source line, trimmed
};

// An event of the execution that is shown, ready to print.
struct TraceEvent {
  ThreadId thread = 0;
  unsigned index = 0;       // in its thread, from 1; the write of a read-modify-write takes one, too
  unsigned number = 0;      // 1, 2, ... in a causal order, those that are relevant first; the trace is in this order
  std::string kind;         // "load", "store", "exchange", "fetch_add", "compare_exchange", "fence", "spawn", "join",
                            // "lock", "unlock", "choose", "plain write", ...
  std::string order;        // "acquire", or "acq_rel/relaxed" for a compare-exchange; empty if there is none
  std::string location;     // the name; empty if there is none
  std::string value;        // what was written, or, if it only reads, read; of a choice "1 of 3"; empty for locks
  std::string oldValue;     // of an event that reads and writes: what it read
  ThreadId partner = 0;     // spawn, join: the other thread
  unsigned from = 0;        // the number of the event it reads from; 0: the initial value
  unsigned coAfter = 0;     // a write: the number of the write right before it in coherence order; 0: the initial value
  // Where sizes are mixed, the bytes of one access may differ in that: then these say for which bytes.
  struct Part {
    std::string bytes;     // "ref[0:3]", or the name of a member
    unsigned number = 0;   // as from or coAfter
  };
  std::vector<Part> fromParts, coAfterParts;
  bool reads = false, writes = false;
  bool success = true;      // false for a compare-exchange that failed
  bool spurious = false;    // it failed although the value was the expected one
  bool relevant = true;     // in the porf-prefix of the error
  bool involved = false;    // part of the error itself: the other access of a race, the free
  std::string file;         // of the program's own code that led here, where the event is in a library; see Places::best
  unsigned line = 0, column = 0;
  std::string function;
  std::string text;         // the source line, trimmed
};

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
