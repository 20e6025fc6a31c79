// Reads: all the writes that a read can read from, newest in co first.
//
// Coherence by views: a write is out of reach if the thread has already observed a co-later one, so the options are
// found by walking co backwards from its end, and the walk stops at the first write that has been observed. The
// first option, the co-maximal write, is always consistent; the others are checked against the model's remaining
// axioms.
//
// A read-modify-write is a read and a write added in one step. Two of them may not read from the same write, and so
// an option may be inconsistent with its write although it is consistent as a read. Such a graph is kept for a single
// step, in which the write may revisit reads (and put the conflicting read-modify-write after itself), and is then
// dropped (thesis section 5.5).
//
// An option that is not the co-maximal write is fixed: nothing will revisit the read. If its thread is blocked right
// after it, it is so for good, and what the others do they also do where the read took the co-maximal write. Such an
// option is futile (thesis section 7.3) and not explored; unless the thread has made plain accesses since, which may race
// (Operation::mattersInItself). Nor is one explored that goes beyond the bound of --stale or is not --fair (stale_reads.cpp).

#include <utility>

#include "explore/explorer.h"

namespace heddle::explore {

bool Explorer::addOtherRead(ThreadId thread) {
  const Operation& operation = pending_[thread];
  const LocationId location = graph_.locate(operation.address, operation.size, program_);
  consistency_.prepare(graph_, graph_.last(thread));
  const EventId read = addEvent(thread, EventKind::read, 0);
  graph_[read].location = location;
  attempts_ |= operation.isTakenBack();
  redone_ |= operation.isGuard;
  polls_ |= operation.isPoll();
  graph_.noteRead(read);
  trail_.push_back({.kind = ChoiceKind::read, .event = read, .consistency = consistency_.mark()});
  return nextOtherRead() && (!isFutile(thread) || postpone(read));
}

// The write of a read-modify-write, in the graph but not yet in co.
EventId Explorer::addRmwWrite(EventId read) {
  const EventId write = addWriteOf(read);
  graph_[write].location = graph_[read].location;
  graph_[write].value = valueWritten(graph_.operation(read), graph_[read].value);
  consistency_.computeViews(graph_, write);
  return write;
}

// Is the graph consistent with these new events? A maximal addition always is.
bool Explorer::holds(EventId read, bool maximal, EventId alsoAdded, EventId rmwWrite) {
  if (!consistency_.checks() && options_.equivalence == Equivalence::co) return true;
  std::array<EventId, 3> events;
  std::size_t count = 0;
  if (alsoAdded != kNone) events[count++] = alsoAdded;
  events[count++] = read;
  if (rmwWrite != kNone) events[count++] = rmwWrite;
  const std::span<const EventId> added(events.data(), count);
  if (maximal) {
    consistency_.addedMaximally(added);
    return true;
  }
  if (options_.equivalence == Equivalence::co) return consistency_.holds(graph_, added);
  if (isOverwritten(read)) return false;
  if (isCoherent(read) && consistency_.holds(graph_, added)) return true;
  return findCoherence(rmwWrite);
}

// The read has its write; completes a read-modify-write, checks what needs checking, and lets the thread go on.
// `alsoAdded`: another event that is new in the graph (the revisiting write), or kNone.
// `rewind`: the thread may have gone on from the read before.
Explorer::Commit Explorer::commitRead(EventId read, bool maximal, EventId alsoAdded, bool rewind) {
  const Event& event = graph_[read];
  const auto resume = [&] { resumeThread(event.thread, {.value = event.value, .success = event.rmw}); };
  // A revisiting read-modify-write may have been there for one step only, and not been looked at yet.
  const auto comeBack = [&] {
    if (rewind) program_.rewind(event.thread, event.mark);  // what the thread did after the read is not there for others to see
    if (alsoAdded == kNone || !graph_[alsoAdded].rmw) return;
    checkRaces(graph_[alsoAdded].poPrev);
    checkRaces(alsoAdded);
    if (savedRevisits_.back().transient) resumeRevisitor(alsoAdded);
  };
  const EventId source = event.rf;
  const bool conflicts = event.rmw && graph_[source].rmwReader != read;
  consistency_.computeViews(graph_, read);
  if (!event.rmw) {
    if (mustWait(graph_.operation(read), event.value)) return Commit::rejected;
    if (!holds(read, maximal, alsoAdded, kNone)) return Commit::rejected;
    comeBack();
    checkRaces(read);
    resume();
    if (alsoAdded != kNone) return Commit::forward;
    if (maximal) return isFutile(event.thread) && isFruitless(read) ? Commit::rejected : Commit::forward;
    const bool rejected = isFutile(event.thread) || (options_.boundsLoads() && isTooStale(read));
    return rejected ? Commit::rejected : Commit::forward;
  }
  if (confirms_) noteConfirmed(read);
  if (!conflicts) {
    const EventId write = addRmwWrite(read);
    graph_.placeAfter(write, source);
    if (holds(read, maximal, alsoAdded, write)) {
      if (parked_ != 0) checkChain(write);
      comeBack();
      checkRaces(read);
      checkRaces(write);
      // It is taken back together with its read.
      const Consistency::Mark before = trail_.back().consistency;
      trail_.push_back({.kind = ChoiceKind::write, .placed = true, .event = write, .consistency = before});
      resume();
      return Commit::forward;
    }
    graph_.unplace(write);
    graph_.removeNewest();
  }
  if (!holds(read, maximal, alsoAdded, kNone)) return Commit::rejected;
  const EventId write = addRmwWrite(read);
  if (!mayRevisit(write)) {
    graph_.removeNewest();
    return Commit::rejected;
  }
  comeBack();
  trail_.push_back({.kind = ChoiceKind::write,
                    .phase = Phase::revisiting,
                    .transient = true,
                    .event = write,
                    .cursor = graph_[write].orderPrev});
  return Commit::backtrack;
}

// Moves to the next write to read from. False: there is none.
bool Explorer::nextReadOption(ChoicePoint& frame) {
  const EventId read = frame.event;
  const Operation& operation = graph_.operation(read);
  if (frame.cursor == kNone) {
    frame.cursor = graph_.location(graph_[read].location).coTail;
    if (!mustWait(operation, graph_[frame.cursor].value)) return true;
  } else if (mayFailSpuriously(read)) {
    frame.spurious = true;
    return true;
  }
  frame.spurious = false;
  const bool mayBeOvertaken = mayOnlyLook(operation) || (parked_ != 0 && operation.kind == OperationKind::cas);
  const EventId overtaker = mayBeOvertaken ? overtakerOf(read) : kNone;
  do {
    if (isInitial(frame.cursor) || frame.cursor == overtaker) return false;
    if (options_.equivalence == Equivalence::co && graph_.observed(poView(read), frame.cursor)) return false;
    frame.cursor = graph_[frame.cursor].coPrev;
  } while (mustWait(operation, graph_[frame.cursor].value));
  return true;
}

bool Explorer::nextOtherRead() {
  const std::size_t depth = trail_.size() - 1;
  const EventId read = trail_[depth].event;
  bool rewind = trail_[depth].cursor != kNone;
  bool connected = rewind;
  if (rewind) {
    leaveOption(trail_[depth]);
    ++statistics_.added;
  }
  EventId lasting = kNone;  // an obstacle
  while (true) {
    const bool more = nextReadOption(trail_[depth]);  // while they are connected: see load.cpp
    if (std::exchange(connected, false)) graph_.unsetRf(read);
    if (!more) break;
    const ChoicePoint& frame = trail_[depth];
    if (lasting != kNone && graph_[frame.cursor].rmwReader != kNone && graph_[frame.cursor].rmwReader <= lasting) {
      ++statistics_.rejected;
      continue;
    }
    const bool maximal = frame.cursor == graph_.location(graph_[read].location).coTail;
    takeValue(read, frame.cursor, frame.spurious);
    // Another one that reads from the same write may be in the way for good, which can be seen before they are connected.
    const EventId obstacle = obstacleTo(read, frame.cursor);
    if (obstacle != kNone) {
      ++statistics_.rejected;
      if (isLasting(read, obstacle)) lasting = obstacle;
      continue;
    }
    graph_.setRf(read, frame.cursor);
    connected = true;
    switch (commitRead(read, maximal, kNone, std::exchange(rewind, true))) {
      case Commit::forward: return true;
      case Commit::backtrack: return false;
      case Commit::rejected: break;
    }
    ++statistics_.rejected;
    lasting = kNone;
    leaveOption(trail_[depth]);
  }
  graph_.forgetRead(read);
  dropEvent(read);
  trail_.pop_back();
  return false;
}

}  // namespace heddle::explore
