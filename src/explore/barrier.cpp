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

// For how many threads the arrivals count, of those that `counts`. A thread's are seen newest first; no more of them when
// `goOn` says so.
template <class Counts, class GoOn>
Value Explorer::arrived(const Operation& barrier, Counts counts, GoOn goOn) const {
  Value weight = 0;
  for (unsigned t = 0; t < graph_.threads(); ++t) {
    graph_.forEachMeeting(static_cast<ThreadId>(t), [&](EventId id) {
      const Operation& operation = graph_.operation(id);
      if (!isArrival(operation, barrier)) return true;
      if (counts(id)) weight += operation.expected;
      return goOn(id);
    });
  }
  return weight;
}

Value Explorer::arrivedInRound(const Operation& barrier, std::uint32_t round) const {
  return arrived(
      barrier, [&](EventId id) { return graph_[id].partner == round; },
      [&](EventId id) { return graph_[id].partner >= round; });
}

// Finds the round of a new arrival. False: more arrive in it than should.
bool Explorer::arrive(EventId arrival) {
  const Operation& barrier = graph_.operation(arrival);
  const Lane* const prefix = graph_.porf(arrival);
  const Value earlier = arrived(
      barrier, [&](EventId id) { return id != arrival && graph_.inPrefix(prefix, id); }, [](EventId) { return true; });
  const auto round = static_cast<std::uint32_t>(earlier / barrier.operand);
  graph_[arrival].partner = round;
  return arrivedInRound(barrier, round) <= barrier.operand;
}

// The round that a thread waits to depart from: that of its last arrival.
std::uint32_t Explorer::roundOf(ThreadId departing) const {
  std::uint32_t round = 0;
  graph_.forEachMeeting(departing, [&](EventId id) {
    if (!isArrival(graph_.operation(id), pending_[departing])) return true;
    round = graph_[id].partner;
    return false;
  });
  return round;
}

bool Explorer::isMet(ThreadId departing) const {
  const Operation& barrier = pending_[departing];
  return arrivedInRound(barrier, roundOf(departing)) == barrier.operand;
}

}  // namespace heddle
