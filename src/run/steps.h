// The events of a graph as steps that can be put in an order (trace/interleaving.h).
//
// Steps come in a causal order: every event after those it depends on (po, rf, and the end of a joined thread); otherwise in insertion
// order. A read that reads what comes after itself, as load buffering lets it, stands where program order has it. The two
// events of a read-modify-write are one step.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "graph/execution_view.h"
#include "trace/interleaving.h"

namespace heddle::run {

// In which cells an event of the graph reads and writes.
class Cells {
 public:
  explicit Cells(const ExecutionView& graph);
  std::vector<trace::Step::Access> of(EventId access) const;

 private:
  const ExecutionView& graph_;
  std::vector<CoherenceOrder> mixed_;               // where sizes are mixed
  std::unordered_map<EventId, std::size_t> place_;  // of a write in its location, otherwise
};

// All events, each after those it depends on.
std::vector<EventId> inCausalOrder(const ExecutionView& graph);

// What must come before an event, whoever reads from whom.
std::vector<EventId> eventsBefore(const ExecutionView& graph, EventId id);

// Some events in the order in which they are shown, each half of a read-modify-write by itself.
std::vector<EventId> inShownOrder(const ExecutionView& graph, const std::function<bool(EventId)>& among);

class Steps {
 public:
  // Of these events only.
  Steps(const ExecutionView& graph, const std::function<bool(EventId)>& among);

  const std::vector<trace::Step>& all() const { return steps_; }
  // Of a read-modify-write: the read.
  EventId eventOf(std::size_t step) const { return events_[step]; }

 private:
  void addEvent(const ExecutionView& graph, const Cells& cells, EventId id);

  std::vector<trace::Step> steps_;
  std::vector<EventId> events_;                      // by step
  std::unordered_map<EventId, std::size_t> stepOf_;  // of those that have one
};

}  // namespace heddle::run
