// Barriers: threads that meet (BAM, thesis section 7.1).
//
// In which order threads arrive at a barrier makes no difference to them, so arrivals are events that conflict with
// nothing. A thread that has arrived departs when its round is complete. A departure comes after all arrivals of its
// round in porf and, as if it were program order, in every model; so N threads that meet give one execution.
//
//     arrive  arrive  arrive
//        | \  / | \  / |
//     depart  depart  depart
//
// Which round an arrival belongs to follows from the arrivals before it in porf, as those of earlier rounds are. If more
// arrive in a round than the barrier is for, it is not decided who meets whom: such a program is told so. A latch is a
// barrier with one round, at which threads may depart that have not arrived. A barrier is its address and how many meet
// there: one that is initialised anew goes on where it was, or is another.

#include "explore/explorer.h"

namespace heddle {

namespace {

bool isArrival(const Operation& operation, const Operation& barrier) {
  return operation.kind == OperationKind::arrive && operation.address == barrier.address &&
         operation.operand == barrier.operand;
}

}  // namespace

// For how many threads the arrivals count, of those that `counts`.
template <class F>
Value Explorer::arrived(const Operation& barrier, EventId newest, F counts) const {
  Value weight = 0;
  for (EventId id = newest; id != kNone; id = graph_[id].orderPrev) {
    const Operation& operation = graph_.operation(id);
    if (isArrival(operation, barrier) && counts(id)) weight += operation.expected;
  }
  return weight;
}

// Finds the round of a new arrival. False: more arrive in it than should.
bool Explorer::arrive(EventId arrival) {
  const Operation& barrier = graph_.operation(arrival);
  const EventId before = graph_[arrival].orderPrev;
  const Lane* const prefix = graph_.porf(arrival);
  const Value earlier = arrived(barrier, before, [&](EventId id) { return graph_.inPrefix(prefix, id); });
  const auto round = static_cast<std::uint32_t>(earlier / barrier.operand);
  graph_[arrival].partner = round;
  return arrived(barrier, before, [&](EventId id) { return graph_[id].partner == round; }) + barrier.expected <=
         barrier.operand;
}

// The round that a thread waits to depart from: that of its last arrival.
std::uint32_t Explorer::roundOf(ThreadId departing) const {
  for (EventId id = graph_.last(departing); id != kNone && graph_[id].thread == departing; id = graph_[id].poPrev) {
    if (isArrival(graph_.operation(id), pending_[departing])) return graph_[id].partner;
  }
  return 0;
}

bool Explorer::isMet(ThreadId departing) const {
  const std::uint32_t round = roundOf(departing);
  const Operation& barrier = pending_[departing];
  return arrived(barrier, graph_.newest(), [&](EventId id) { return graph_[id].partner == round; }) == barrier.operand;
}

}  // namespace heddle
