// Exact clocks for an axiom `acyclic (po | rf | co | rb)`, which is sequential consistency.
//
// Where program order is part of the order that must be acyclic, the events before a given one are closed under it,
// so they are a clock, and a new cycle is one comparison: an addition closes a cycle iff the event that it goes before
// (the next write in co) already comes before it. Only an addition that is not maximal goes before anything. What it
// brings must then be passed on to everything after that write; this is put off until another event is added, because
// most such additions are the last of their execution. The clocks that passing on overwrites are kept on a trail of
// their own.
//
// Backward revisits need no repair: deleted events were added maximally, so none of them comes before a kept one.
#pragma once

#include <span>
#include <vector>

#include "graph/graph.h"

namespace heddle {

class TotalOrder {
 public:
  // `view`: the graph's number of the clock.
  TotalOrder(unsigned view, unsigned threads);

  // The clock of an event that is in its place, from the events right before it.
  void compute(Graph& graph, EventId id) const;

  // Are these additions, each in its place and none maximal, free of cycles? They are then passed on later.
  bool admit(Graph& graph, std::span<const EventId> added);

  // Passes on what the last admitted additions bring.
  void settle(Graph& graph) {
    if (!pending_.empty()) passOn(graph);
  }

  std::uint32_t mark() const { return saved_; }
  void rollBack(Graph& graph, std::uint32_t mark);

 private:
  void passOn(Graph& graph);
  bool raise(Graph& graph, EventId id, const Lane* by);

  unsigned view_;
  std::size_t lanes_;
  std::vector<EventId> pending_;
  std::vector<EventId> work_;
  std::uint32_t saved_ = 0;
  Arena<EventId> savedEvents_;
  Arena<Lane> savedClocks_;
};

}  // namespace heddle
