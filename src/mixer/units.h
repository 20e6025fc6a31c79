// Units of exploration: what is added, taken out and revisited as a whole, because models are extensible by whole transactions only.
//
// A unit is a transaction, from its begin to its end; or a single access outside, where a read-modify-write is one; or any
// other event by itself. It is known by its first event.
//
//     thread 1   | begin  R x  W y  R z  end |  W x  |  F  |  R y  W y |       the last two are a compare-exchange
//                  first             last                    first last
//
// Where a unit stands in the insertion order <=_G is said by two numbers, as ids of events. Its reads stand at `stamp`: where the
// unit was first added, however often it has been revisited since. Its writes stand where they are, as they are added anew by each
// revisit.
#pragma once

#include <vector>

#include "mixer/mixed_graph.h"

namespace heddle::mixer {

class Units {
 public:
  explicit Units(const MixedGraph& graph) : graph_(graph) {}

  EventId first(EventId id) const { return places_[id - kFirstEvent].first; }
  // The last event of a unit that is complete; of one that is not, kNone.
  EventId last(EventId first) const { return places_[first - kFirstEvent].last; }
  EventId stamp(EventId first) const { return places_[first - kFirstEvent].stamp; }
  bool isOpen(EventId first) const { return last(first) == kNone; }
  bool isTransaction(EventId first) const { return graph_.operation(first).kind == OperationKind::transaction; }
  // Nobody sees what it has written.
  bool isAborted(EventId first) const {
    if (!isTransaction(first) || isOpen(first)) return false;
    const Operation& operation = graph_.operation(last(first));
    return operation.kind == OperationKind::transaction && operation.aborts();
  }
  // In how many transactions a thread is after the event.
  unsigned depth(EventId id) const { return places_[id - kFirstEvent].depth; }
  // The last event, also of a unit that is not complete.
  EventId lastSoFar(EventId first) const { return isOpen(first) ? graph_.last(graph_[first].thread) : last(first); }

  // A new event begins a unit, with this stamp or its own; or it goes on with one.
  void begin(EventId id, EventId stamp, unsigned depth) { place(id) = {id, depth == 0 ? id : kNone, stamp, depth}; }
  void goOn(EventId id, EventId first, unsigned depth) {
    place(id) = {first, kNone, kNone, depth};
    if (depth == 0) places_[first - kFirstEvent].last = id;
  }
  // The newest event is about to go.
  void drop(EventId id) {
    const EventId of = first(id);
    if (of != id && last(of) == id) places_[of - kFirstEvent].last = isTransaction(of) ? kNone : of;
  }

  template <class F>
  void forEachEvent(EventId first, F&& visit) const {
    const EventId end = lastSoFar(first);
    for (EventId id = first;; id = graph_[id].poNext) {
      visit(id);
      if (id == end) return;
    }
  }

 private:
  struct Place {
    EventId first = kNone, last = kNone, stamp = kNone;
    unsigned depth = 0;
  };
  Place& place(EventId id) {
    if (places_.size() <= id - kFirstEvent) places_.resize(2 * (id - kFirstEvent) + 64);
    return places_[id - kFirstEvent];
  }

  const MixedGraph& graph_;
  std::vector<Place> places_;
};

}  // namespace heddle::mixer
