// What recovery writes, and what a crash of recovery itself leaves of that.
//
// Recovery runs alone, so what it has written is what it reads. If it crashes on the way, its writes, flushes and fences are those of an
// execution with one thread, and the persistency model says which of its writes may have persisted, as for any execution; what it
// has not written is as the first crash has left it. Recovery that runs after that crash is not crashed again.
//
//     crash   recover x   store y   flush y   store z   crash   recover y   store y   recover y
//             \___________ an execution of its own ___/         \___ reads its own writes ___/
#pragma once

#include <optional>
#include <vector>

#include "graph/execution_view.h"
#include "mixer/mixed_graph.h"

namespace heddle::persist {

class RecoveryWrites {
 public:
  explicit RecoveryWrites(Program& program) : program_(program) {}

  void clear() { dropFrom(0); }
  // An event of recovery that is no read; and events that were taken back.
  void add(const ExecutionView& graph, EventId event);
  void dropFrom(EventId event);
  // The last event that was added, or kNone.
  EventId last() const { return steps_.empty() ? kNone : steps_.back().event; }

  // What recovery has written of some bytes since it began, or began again: the value, and a mask of these bytes.
  struct Written {
    Value value = 0, mask = 0;
  };
  Written writtenTo(ByteRange bytes) const;

  bool hasCrashed() const { return crash_.has_value(); }
  // After that: the execution that has crashed, and its event for an event of recovery; kNone if that is not part of it.
  const ExecutionView& crashed();
  EventId inCrashed(EventId event);
  // The event of recovery for one of that execution.
  EventId ofCrashed(EventId event) const;

 private:
  struct Step {
    EventId event = kNone;
    Operation operation;
    EventId copy = kNone;  // in the execution that has crashed
  };

  void build();
  void forget();

  Program& program_;
  std::vector<Step> steps_;
  std::optional<std::size_t> crash_;  // the step that is the second crash
  bool isBuilt_ = false;
  std::optional<mixer::MixedGraph> graph_;
};

}  // namespace heddle::persist
