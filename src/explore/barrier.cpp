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
// arrive in a round than the barrier is for, it is not decided who meets whom: such a program is told so. A thread may
// drop out when it arrives; later rounds are then for fewer, which whoever arrives in them knows. A latch is a barrier with
// one round, at which threads may depart that have not arrived. A barrier that is made anew at the same address is another
// one (program/barrier.h).

#include "program/barrier.h"

#include <algorithm>

#include "explore/explorer.h"

namespace heddle::explore {

namespace {

bool isArrival(const Operation& operation, const Operation& barrier) {
  return operation.kind == OperationKind::arrive && isSameBarrier(operation, barrier);
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
      if (counts(id)) weight += operation.weight();
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

// How many are expected in a round.
Value Explorer::expectedIn(const Operation& barrier, std::uint32_t round) const {
  const auto leaves = [&](EventId id) { return graph_[id].partner < round && graph_.operation(id).drops; };
  return firstExpected(barrier.barrier()) - arrived(barrier, leaves, [](EventId) { return true; });
}

// Finds the round of a new arrival. False: more arrive in it than should.
bool Explorer::arrive(EventId arrival) {
  const Operation& barrier = graph_.operation(arrival);
  const Lane* const prefix = graph_.porf(arrival);
  graph_[arrival].partner = ~std::uint32_t{0};  // it is in no round yet
  std::uint32_t round = 0;
  const auto isKnown = [&](EventId id) { return id != arrival && graph_.inPrefix(prefix, id); };
  const auto noteRound = [&](EventId id) {
    if (isKnown(id)) round = std::max(round, graph_[id].partner);
    return isKnown(id);
  };
  const Value known = arrived(barrier, noteRound, [](EventId) { return true; });
  const auto isKnownInRound = [&](EventId id) { return isKnown(id) && graph_[id].partner == round; };
  const auto goOn = [&](EventId id) { return graph_[id].partner >= round; };
  if (known != 0 && arrived(barrier, isKnownInRound, goOn) == expectedIn(barrier, round)) ++round;
  graph_[arrival].partner = round;
  return arrivedInRound(barrier, round) <= expectedIn(barrier, round);
}

// The round that a thread waits to depart from.
std::uint32_t Explorer::roundOf(ThreadId departing) const {
  if (const std::optional<std::uint32_t> stated = pending_[departing].round()) return *stated;
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
  const std::uint32_t round = roundOf(departing);
  return arrivedInRound(barrier, round) == expectedIn(barrier, round);
}

bool Explorer::addArrival(ThreadId thread) {
  const EventId id = addThreadEvent(thread);
  graph_.noteMeeting(id);
  const bool room = arrive(id);
  consistency_.computeViews(graph_, id);
  return goOnAfter(id, {.value = graph_[id].partner, .success = room});
}

bool Explorer::addDeparture(ThreadId thread) {
  const std::uint32_t round = roundOf(thread);
  const EventId id = addThreadEvent(thread);
  graph_[id].partner = round;
  graph_.noteMeeting(id);
  graph_.forEachArrival(id, [&](EventId arrival) { clock::join(graph_.porf(id), graph_.porf(arrival), graph_.chunks()); });
  consistency_.computeViews(graph_, id);
  return goOnAfter(id, {});
}

}  // namespace heddle::explore
