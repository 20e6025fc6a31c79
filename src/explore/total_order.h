// Exact clocks for an axiom `acyclic (po | rf | co | rb)`, which is sequential consistency.
//
// Where program order is part of the order that must be acyclic, the events before a given one are closed under it,
// so they are a clock, and a new cycle is one comparison: an addition closes a cycle iff the write that it goes before
// (the next one in co) already comes before the event that precedes it in its thread; what else precedes it, in rf, co or
// rb, comes before that write anyway. Only an addition that is not maximal goes before anything. What it brings must
// then be passed on to everything after that write. This, and even the clock of the new event itself, is put off until
// another event is added, because most additions are the last of their execution. The clocks that passing on overwrites
// are kept on a trail of their own.
//
// Backward revisits need no repair: deleted events were added maximally, so none of them comes before a kept one.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace heddle::explore {

class TotalOrder {
 public:
  // `view`: the number of the clock among the views of a graph of so many threads.
  TotalOrder(unsigned view, unsigned threads);

  // The clock of an event that is in its place, from the events right before it.
  void compute(Graph& graph, EventId id) const;

  // These events were added, in this order, in the maximal way.
  void addedMaximally(std::span<const EventId> added) { postpone(added, false); }
  // Are these additions, each in its place, free of cycles? They all have one location: a read, the write of the same
  // read-modify-write, and the revisiting write that the read reads from.
  bool admit(const Graph& graph, std::span<const EventId> added);

  // A read and the write it reads from were rolled back but are still there.
  void stays(const Graph& graph, EventId read) {
    const std::array<EventId, 2> kept{graph[read].rf, read};
    postpone(std::span(kept).subspan(isInitial(kept[0]) ? 1 : 0), true);
  }

  // Another event is about to be added: makes the clocks of the last additions, and passes them on.
  void settle(Graph& graph) {
    if (pendingCount_ != 0) passOn(graph);
  }

  std::uint32_t mark() const { return saved_; }
  void rollBack(Graph& graph, std::uint32_t mark);

 private:
  void postpone(std::span<const EventId> added, bool goBefore) {
    pendingCount_ = added.size();
    for (std::size_t i = 0; i < added.size(); ++i) pending_[i] = added[i];
    goBefore_ = goBefore;
  }
  void passOn(Graph& graph);
  bool raise(Graph& graph, EventId id, const Lane* by);

  std::size_t view_;  // offset
  std::size_t lanes_;
  std::array<EventId, 3> pending_{};  // the events of one step
  std::size_t pendingCount_ = 0;
  bool goBefore_ = false;  // the pending additions may go before other events
  std::vector<EventId> work_;
  std::uint32_t saved_ = 0;
  Arena<EventId> savedEvents_;
  Arena<Lane> savedClocks_;
};

}  // namespace heddle::explore
