// Writes: all the places that a write can take in its location's coherence order, last first.
//
// As for reads, the thread's view bounds how early a write may be: not before one that the thread has observed. A
// place between a write and the read-modify-write that read it would break atomicity. The last place is always
// consistent. When every place has been explored the write is taken out of co and revisits reads (revisit.cpp).

#include "explore/explorer.h"
#include "program/lock.h"

namespace heddle::explore {

bool Explorer::addWrite(ThreadId thread) {
  const Operation& operation = pending_[thread];
  const LocationId location = graph_.locate(operation.address, operation.size, program_);
  const EventId last = graph_.location(location).coTail;
  const bool unlock = operation.kind == OperationKind::unlock;
  if (unlock) checkHeld(thread, location);
  if (!isInitial(last)) consistency_.prepare(graph_, graph_.last(thread));
  const Order order = unlock ? Order::release : operation.order;
  const EventId write = addEvent(thread, EventKind::write, eventClass(EventKind::write, order, false));
  graph_[write].location = location;
  redone_ |= operation.isRedone || operation.mayBeRepeated || operation.isGuard;
  graph_[write].value = unlock ? stateLeft(graph_[last].value) : truncate(operation.operand(), operation.size);
  consistency_.computeViews(graph_, write);
  graph_.placeAfter(write, last);
  consistency_.addedMaximally(std::span(&write, 1));
  if (parked_ != 0) checkChain(write);
  checkRaces(write);
  trail_.push_back({.kind = ChoiceKind::write, .placed = true, .event = write, .consistency = consistency_.mark()});
  resumeThread(thread, {});
  if (hasPolledInVain(write)) graph_[write].value = kPolled;
  return true;
}

// Moves the write to its next earlier place. False: there is none, and the write is out of co.
bool Explorer::nextPlace(ChoicePoint& frame) {
  const EventId write = frame.event;
  EventId predecessor = graph_[write].coPrev;
  graph_.unplace(write);
  frame.placed = false;
  consistency_.rollBack(graph_, frame.consistency);
  if (graph_[write].rmw || options_.equivalence == Equivalence::rf) return false;
  const Lane* view = poView(write);
  while (!isInitial(predecessor) && !graph_.observed(view, predecessor)) {
    predecessor = graph_[predecessor].coPrev;
    if (graph_[predecessor].rmwReader != kNone) continue;
    graph_.placeAfter(write, predecessor);
    if (consistency_.holds(graph_, write)) {
      if (parked_ != 0) checkChain(write);
      ++statistics_.added;
      frame.placed = true;
      return true;
    }
    ++statistics_.rejected;
    graph_.unplace(write);
  }
  return false;
}

bool Explorer::nextWrite() {
  const std::size_t depth = trail_.size() - 1;
  const EventId write = trail_[depth].event;
  if (trail_[depth].phase == Phase::placing) {
    if (nextPlace(trail_[depth])) return true;
    trail_[depth].phase = Phase::revisiting;
    trail_[depth].cursor = mayRevisit(write) ? graph_[write].orderPrev : kNone;
    if (graph_[write].rmw && trail_[depth].cursor != kNone) {
      consistency_.readStays(graph_, graph_[write].poPrev);
    }
  }
  while (const EventId read = nextRevisitable(trail_[depth])) {
    trail_[depth].cursor = graph_[read].orderPrev;
    beginRevisit(write, read, trail_[depth].transient, false);
    return nextRevisit();
  }
  dropWrite(write);
  trail_.pop_back();
  return false;
}

}  // namespace heddle::explore
