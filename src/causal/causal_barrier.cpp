// Barriers: threads that meet, as in explore/barrier.cpp.
//
// Arrivals conflict with nothing, and a departure comes after all arrivals of its round as if it were program order, in every
// model. Both are events like the creation and the join of threads, which models order with all that is before and after them.
// So a revisit that keeps a departure keeps the arrivals of its round, and one that keeps what comes after a departure keeps
// the departure: there are no holes before an event at a barrier.
//
// Which round an arrival belongs to follows from the arrivals that are before it in po | rf.
#include <algorithm>

#include "causal/causal_explorer.h"
#include "program/barrier.h"

namespace heddle::causal {

using relations::EventSet;

namespace {

bool isArrival(const Operation& operation, const Operation& barrier) {
  return operation.kind == OperationKind::arrive && isSameBarrier(operation, barrier);
}

}  // namespace

// For how many threads the arrivals count, of those among some events that `counts`.
template <class Counts>
Value CausalExplorer::arrived(const Operation& barrier, const EventSet& among, Counts counts) const {
  Value weight = 0;
  among.forEach([&](std::size_t i) {
    const auto event = static_cast<Number>(i);
    if (graph_[event].kind != EventKind::thread || !isArrival(graph_.operationOf(event), barrier)) return;
    if (counts(event)) weight += graph_.operationOf(event).weight();
  });
  return weight;
}

Value CausalExplorer::arrivedInRound(const Operation& barrier, const EventSet& among, std::uint32_t round) const {
  return arrived(barrier, among, [&](Number arrival) { return graph_[arrival].round == round; });
}

// How many are expected in a round.
Value CausalExplorer::expectedIn(const Operation& barrier, std::uint32_t round) const {
  const auto leaves = [&](Number arrival) { return graph_[arrival].round < round && graph_.operationOf(arrival).drops; };
  return firstExpected(barrier.barrier()) - arrived(barrier, graph_.all(), leaves);
}

// What is before the next operation of a thread in po | rf. There is no hole before it.
EventSet CausalExplorer::knownTo(ThreadId thread) const {
  EventSet known, open;
  known.reset(graph_.count());
  open.reset(graph_.count());
  graph_.all().forEach([&](std::size_t i) {
    const CausalEvent& event = graph_[static_cast<Number>(i)];
    if (event.thread == thread && event.slot < at_[thread].slot) open.set(i);
  });
  if (graph_.isSpawned(thread)) open.set(graph_.spawnOf(thread));
  while (!open.isEmpty()) {
    const auto event = static_cast<Number>(open.takeFirst());
    known.set(event);
    open.unite(graph_.row(CausalGraph::kBefore, event));
    if (graph_[event].isRead() && graph_[event].rf < kInitialWrite) open.set(graph_[event].rf);
    open.subtract(known.data());
  }
  return known;
}

// The round that a thread arrives in next.
std::uint32_t CausalExplorer::nextRound(ThreadId thread) const {
  const Operation& barrier = pending_[thread];
  const EventSet known = knownTo(thread);
  std::uint32_t round = 0;
  const auto noteRound = [&](Number arrival) {
    round = std::max(round, graph_[arrival].round);
    return true;
  };
  if (arrived(barrier, known, noteRound) == 0) return 0;
  return arrivedInRound(barrier, known, round) == expectedIn(barrier, round) ? round + 1 : round;
}

// The round that a thread waits to depart from.
std::uint32_t CausalExplorer::roundOf(ThreadId departing) const {
  if (const std::optional<std::uint32_t> stated = pending_[departing].round()) return *stated;
  const std::vector<Slot>& slots = graph_.slots(departing);
  for (std::size_t i = at_[departing].slot; i > 0; --i) {
    if (isArrival(slots[i - 1].operation, pending_[departing])) return graph_[slots[i - 1].event].round;
  }
  return 0;
}

bool CausalExplorer::isMet(ThreadId departing) const {
  const std::uint32_t round = roundOf(departing);
  return arrivedInRound(pending_[departing], graph_.all(), round) == expectedIn(pending_[departing], round);
}

// What an arrival tells its thread: the round, and whether there are not too many in it.
Result CausalExplorer::resultOfArrival(Number arrival) const {
  const Operation& barrier = graph_.operationOf(arrival);
  const std::uint32_t round = graph_[arrival].round;
  return {.value = round, .success = arrivedInRound(barrier, graph_.all(), round) <= expectedIn(barrier, round)};
}

// After a revisit. A model of the user's own may order less than those that come with Heddle.
void CausalExplorer::checkDepartures() const {
  graph_.all().forEach([&](std::size_t i) {
    const auto event = static_cast<Number>(i);
    const Operation& operation = graph_.operationOf(event);
    if (graph_[event].kind != EventKind::thread || operation.kind != OperationKind::depart) return;
    const std::uint32_t round = graph_[event].round;
    if (arrivedInRound(operation, graph_.all(), round) == expectedIn(operation, round)) return;
    throw ProgramError("the model lets a thread leave a barrier before all have arrived, so programs with barriers cannot be "
                       "checked under it: " +
                       program_.sourceText(operation.source));
  });
}

}  // namespace heddle::causal
