// The value of an execution (trace/execution.h) from its graph: events in a causal order, in the words of the program's source.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/execution_view.h"
#include "persist/recovery_reads.h"
#include "trace/execution.h"

namespace heddle::run {

// What the events of a graph are called in the program's source.
class SourceNames {
 public:
  virtual ~SourceNames() = default;
  virtual std::string thread(ThreadId thread) const = 0;
  virtual std::string location(Address address, unsigned size) const = 0;  // size 0: whatever is there
  virtual std::string bytes(Address address, unsigned size) const = 0;     // the same where sizes are mixed
  virtual std::string value(const Operation& operation, Value value) const = 0;
  virtual trace::Place place(std::uint32_t source) const = 0;
  // Where the order of an atomic operation is written, in the program's own code; nothing if a library chose it.
  virtual std::optional<trace::Place> placeOfOrder(std::uint32_t source) const = 0;
  // Is this a lock that is tried, or that a reader leaves, by operations like any others? Its values mean nothing to a person.
  virtual bool isLock(Address address) const = 0;
  // Is there something that only a library knows of? What is done with it is not shown.
  virtual bool isInternal(Address /*address*/) const { return false; }
};

struct TraceOptions {
  std::vector<EventId> ends = {};      // what led to the error: the porf-prefixes of these events are relevant; all if empty
  std::vector<EventId> involved = {};  // the events that are part of the error itself
  // The error is in what has run after a crash, with what it has found; and which of the writes before could have survived.
  persist::RecoveryReads* recovery = nullptr;
  std::function<bool(Address)> isDurable = {};
  // The lock of which a thread has taken some parts, and waits for the next one.
  std::unordered_map<ThreadId, Address> taking = {};
  bool coherence = false;     // the order of the writes is part of the execution, and told in its text
  bool anyCoherence = false;  // the graph's coherence order is one of several: nothing is odd for its sake
  std::unordered_map<EventId, unsigned>* numbers = nullptr;  // gets the number by which an event is shown, if it is
};

// Is the event part of what led to the error?
bool isRelevant(const ExecutionView& graph, const TraceOptions& options, EventId id);

// Without a title and an error.
trace::Execution traceOf(const ExecutionView& graph, const SourceNames& names, const TraceOptions& options);

}  // namespace heddle::run
