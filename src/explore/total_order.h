// Exact clocks for an axiom `acyclic (po | rf | co | rb)`, which is sequential consistency.
//
// Where program order is part of the order that must be acyclic, the events before a given one are closed under it,
// so they are a clock, and a new cycle is one comparison: an addition closes a cycle iff the write that it goes before
// (the next one in co) already comes before the event that precedes it in its thread; what else precedes it, in rf, co or
// rb, comes before that write anyway. Only an addition that is not maximal goes before anything.
//
// Most additions are the last of their execution, so as much as possible is put off:
//
//   own clocks   of the last additions, until another event is added
//   edges        from additions to the writes that they go before, and what they bring to everything after these, until somebody
//                asks about an event that comes after such a write. Clocks are exact without these edges; so if none of the
//                writes is in a clock, nothing that was put off is missing there.
//
// The clocks that passing on overwrites are kept on a trail of their own. A mark says how long all these lists are.
//
// Backward revisits need no repair: deleted events were added maximally, so none of them comes before a kept one. But nothing may
// be put off across one, since the write that an event goes before may be deleted.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace heddle::explore {

class TotalOrder {
 public:
  using Mark = std::uint64_t;

  // `view`: the number of the clock among the views of a graph of so many threads.
  TotalOrder(unsigned view, unsigned threads);

  // The clock of an event that is in its place, from the events right before it.
  void compute(Graph& graph, EventId id) const;

  // These events were added, in this order, in the maximal way.
  void addedMaximally(std::span<const EventId> added) {
    newCount_ = added.size();
    for (std::size_t i = 0; i < added.size(); ++i) new_[i] = added[i];
  }
  // An event is about to be added after this one (or kNone) that has more than its maximal place: the clock of this one must have
  // everything.
  void prepare(Graph& graph, EventId previous) {
    if (passedOn_ != edgeCount_ && previous != kNone && lacksSomething(graph, graph.view(previous, view_))) passOn(graph);
  }
  // Are these additions, each in its place, free of cycles? They all have one location: a read, the write of the same
  // read-modify-write, and the revisiting write that the read reads from.
  bool admit(const Graph& graph, std::span<const EventId> added);
  bool admit(const Graph& graph, EventId added) {
    const EventId next = goesBefore(graph, added), previous = graph[added].poPrev;
    if (next != kNone && previous != kNone && isBefore(graph, next, previous)) return false;
    new_[0] = added;
    newCount_ = 1;
    if (next != kNone) edges_[edgeCount_++] = {added, next};
    return true;
  }

  // A read and the write it reads from were rolled back but are still there.
  void stays(const Graph& graph, EventId read) {
    const std::array<EventId, 2> kept{graph[read].rf, read};
    put(graph, std::span(kept).subspan(isInitial(kept[0]) ? 1 : 0));
  }

  // Another event is about to be added: makes the clocks of the last additions.
  void settle(Graph& graph) {
    for (std::size_t i = 0; i < newCount_; ++i) compute(graph, new_[i]);
    newCount_ = 0;
  }
  // Events are about to be deleted.
  void settleAll(Graph& graph) {
    settle(graph);
    passOn(graph);
  }

  Mark mark() const { return saved_ | edgeCount_ << kEdgesShift | passedOn_ << kPassedShift; }
  void rollBack(Graph& graph, Mark mark) {
    newCount_ = 0;
    edgeCount_ = (mark >> kEdgesShift) & kCountMask;
    passedOn_ = mark >> kPassedShift;
    if (saved_ != (mark & kSavedMask)) restore(graph, static_cast<std::uint32_t>(mark & kSavedMask));
  }

 private:
  struct Edge {
    EventId from, to;
  };
  static constexpr unsigned kEdgesShift = 24, kPassedShift = 44;
  static constexpr Mark kSavedMask = (Mark{1} << kEdgesShift) - 1, kCountMask = (Mark{1} << 20) - 1;
  static constexpr std::size_t kMostPutOff = 32;

  // The write that an event goes before in co or rb, or kNone. The write of a read-modify-write goes before it for both.
  static EventId goesBefore(const Graph& graph, EventId id) {
    const Event& event = graph[id];
    return event.isWrite() ? event.coNext : graph[event.rf].coNext;
  }
  bool isBefore(const Graph& graph, EventId first, EventId second) const {
    return graph.inPrefix(graph.view(second, view_), first);
  }
  // May something that was put off be missing in this clock?
  bool lacksSomething(const Graph& graph, const Lane* clock) const {
    if (edgeCount_ - passedOn_ > kMostPutOff) return true;
    for (std::size_t i = edgeCount_; i > passedOn_; --i) {
      if (graph.inPrefix(clock, edges_[i - 1].to)) return true;
    }
    return false;
  }
  void put(const Graph& graph, std::span<const EventId> added);
  void passOn(Graph& graph);
  bool raise(Graph& graph, EventId id, const Lane* by);
  void restore(Graph& graph, std::uint32_t saved);

  std::size_t view_;  // offset
  std::size_t lanes_;
  std::array<EventId, 3> new_{};  // the events of one step, that have no clocks yet
  std::size_t newCount_ = 0;
  Arena<Edge> edges_;  // from additions to what they go before: at most one for each event
  std::size_t edgeCount_ = 0, passedOn_ = 0;
  std::vector<EventId> work_;
  std::uint32_t saved_ = 0;
  Arena<EventId> savedEvents_;
  Arena<Lane> savedClocks_;
};

}  // namespace heddle::explore
