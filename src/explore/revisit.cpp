// Backward revisits: a new write makes an older read read from it (TruSt, Algorithm 1, lines 15 to 18).
//
// The events that were added after the read and that do not precede the write in porf go: they may depend on what
// the read read. They are moved aside, not copied: each is unlinked where it stands, and linked back in the opposite
// order when the revisit has been explored. The read keeps its place in the insertion order.
//
// A revisit is made only from the graph that is the maximal extension of its result (TruSt, Definition 3.3): the read
// and every deleted event must have been added maximally, as seen from the events that were there before it and those
// that the revisit keeps. That graph is unique and always reached, so no result is missed and none comes twice.
// Whether an event was added maximally does not depend on the read that is revisited, so one walk back through the
// insertion order finds all reads that can be, and ends at the first event that was not.

#include "explore/explorer.h"
#include "program/lock.h"

namespace heddle::explore {

// IsMaximallyAdded of the TruSt paper: `id` against the events before it and the porf-prefix of the revisitor.
bool Explorer::isMaximallyAdded(EventId id, EventId revisitor) const {
  const Event& event = graph_[id];
  if (event.nonMaximal) return false;
  if (event.kind != EventKind::read && event.kind != EventKind::write) return true;
  const Lane* prefix = graph_.porf(revisitor);
  EventId write = id;
  if (event.isRead()) {
    write = event.rf;
    if (!isInitial(write) && write > id && !graph_.inPrefix(prefix, write)) return false;
  }
  for (EventId later = graph_[write].coNext; later != kNone; later = graph_[later].coNext) {
    if (later < id || graph_.inPrefix(prefix, later)) return false;
  }
  return true;
}

// The read of another read-modify-write that reads from the same write as this one, or kNone.
static EventId conflicting(const Graph& graph, EventId write) {
  if (!graph[write].rmw) return kNone;
  const EventId own = graph[write].poPrev;
  const EventId reader = graph[graph[own].rf].rmwReader;
  return reader == own ? kNone : reader;
}

// The read of the lock whose turn this write takes and that has to wait then (lock.cpp), or kNone.
static EventId overtakenLock(const Graph& graph, EventId write, EventId conflict) {
  if (conflict == kNone) return kNone;
  const Operation& lock = graph.operation(conflict);
  return mustWait(lock, graph[write].value) && !waitsInVain(lock, graph[write].value) ? conflict : kNone;
}

// A cheap test that rules out most writes: is there a read of the location outside the porf-prefix at all, and can
// a revisit still resolve the conflict of a read-modify-write?
bool Explorer::mayRevisit(EventId write) const {
  const Lane* prefix = graph_.porf(write);
  if (!clock::someGreater(graph_.lastReads(graph_[write].location), prefix, graph_.chunks())) return false;
  const EventId conflict = conflicting(graph_, write);
  return conflict == kNone || !graph_.inPrefix(prefix, conflict);
}

// The same for a read-modify-write that is about to read from a write, if the read of another one does: a revisit would have to
// delete that one, or make it read from this, so everything since must have been added maximally. An event that was not, or
// kNone.
EventId Explorer::obstacleTo(EventId read, EventId write, EventId conflict) {
  graph_.setPrefix(read, write);
  const Lane* prefix = graph_.porf(read);
  if (graph_.inPrefix(prefix, conflict)) return conflict;
  for (EventId id = graph_[read].orderPrev; id >= conflict; id = graph_[id].orderPrev) {
    if (!graph_.inPrefix(prefix, id) && !isMaximallyAdded(id, read)) return id;
  }
  return kNone;
}

// Was the read, of an operation that writes in any case, rejected because of an event that is in the way of older options as
// well? Of writes that are all read by a read-modify-write, each is in the porf-prefix of the next. So the older the
// option, the less the read brings along: an event that it does not, and that is not maximal in itself, must be deleted with
// every conflicting one that was added before it.
bool Explorer::isLasting(EventId read, EventId obstacle) const {
  const Operation& operation = graph_.operation(read);
  const bool writes = operation.kind == OperationKind::rmw || isLockOfMutex(operation);
  return writes && graph_[obstacle].nonMaximal && !graph_.inPrefix(graph_.porf(read), obstacle);
}

// The next read, going back from the frame's cursor, that the write can revisit.
EventId Explorer::nextRevisitable(const ChoicePoint& frame) {
  const EventId write = frame.event;
  const Lane* prefix = graph_.porf(write);
  const EventId conflict = conflicting(graph_, write);
  const LocationId location = graph_[write].location;
  const EventId overtaken = overtakenLock(graph_, write, conflict);
  for (EventId id = frame.cursor; id != kNone; id = graph_[id].orderPrev) {
    if (graph_.inPrefix(prefix, id)) continue;
    bool candidate = graph_[id].isRead() && graph_[id].location == location && (conflict == kNone || id <= conflict);
    if (candidate && id != overtaken) candidate = !mustWait(graph_.operation(id), graph_[write].value);
    if (options_.equivalence == Equivalence::rf) {
      if (candidate && isMaximalExtension(write, id)) return id;
      continue;
    }
    if (!isMaximallyAdded(id, write)) return kNone;
    if (candidate) return id;
  }
  return kNone;
}

// `parks`: the read goes, and its thread waits.
void Explorer::beginRevisit(EventId write, EventId read, bool transient, bool parks) {
  ++statistics_.revisits;
  awaiting_.clear();
  consistency_.settleAll(graph_);
  const EventId oldRf = graph_[read].rf;
  const bool overtaken = parks || overtakenLock(graph_, write, conflicting(graph_, write)) == read;
  parked_ += parks ? 1 : 0;
  const SetAside aside = setAside(write, read, graph_.porf(write), !overtaken, transient);
  if (!overtaken) graph_.unsetRf(read);
  Event& w = graph_[write];
  w.nonMaximal = true;
  bool claimed = false;
  if (w.rmw) {
    EventId& reader = graph_[graph_[w.poPrev].rf].rmwReader;
    claimed = reader == kNone;
    reader = w.poPrev;
  }
  trail_.push_back({.kind = ChoiceKind::revisit,
                    .event = write,
                    .cursor = read,
                    .saved = static_cast<std::uint32_t>(savedRevisits_.size()),
                    .consistency = consistency_.mark()});
  savedRevisits_.push_back({aside, oldRf, claimed, overtaken, parks});
}

void Explorer::endRevisit(const ChoicePoint& frame) {
  const SavedRevisit saved = savedRevisits_.back();
  savedRevisits_.pop_back();
  parked_ -= saved.parked ? 1 : 0;
  awaiting_.clear();
  Event& w = graph_[frame.event];
  w.nonMaximal = false;
  if (saved.claimed) graph_[graph_[w.poPrev].rf].rmwReader = kNone;
  if (!saved.overtaken) {
    const EventId read = frame.cursor;
    restoreRead(read, saved);
    graph_.setRf(read, saved.oldRf);
    consistency_.putBack(graph_, read);
  }
  putBack(saved);
}

// Moves to the next way to put the revisiting write into co and the read to read from it. False: there is none,
// and the write is out of co.
bool Explorer::nextRevisitOption(ChoicePoint& frame) {
  const EventId write = frame.event, read = frame.cursor;
  const bool fixed = graph_[write].rmw;
  if (!frame.placed) {
    const EventId last = graph_.location(graph_[write].location).coTail;
    graph_.placeAfter(write, fixed ? graph_[graph_[write].poPrev].rf : last);
    frame.placed = true;
    return true;
  }
  if (mayFailSpuriously(read)) {
    frame.spurious = true;
    return true;
  }
  frame.spurious = false;
  EventId predecessor = graph_[write].coPrev;
  graph_.unplace(write);
  frame.placed = false;
  if (fixed || options_.equivalence == Equivalence::rf) return false;
  const Lane *writeView = poView(write), *readView = poView(read);
  while (!isInitial(predecessor) && !graph_.observed(writeView, predecessor) && !graph_.observed(readView, predecessor)) {
    predecessor = graph_[predecessor].coPrev;
    if (graph_[predecessor].rmwReader != kNone) continue;
    graph_.placeAfter(write, predecessor);
    frame.placed = true;
    return true;
  }
  return false;
}

bool Explorer::nextRevisit() {
  const std::size_t depth = trail_.size() - 1;
  const EventId write = trail_[depth].event, read = trail_[depth].cursor;
  if (savedRevisits_[trail_[depth].saved].overtaken) {
    if (!trail_[depth].placed) {  // the lock is free now, and this is the maximal way to take it
      ++statistics_.added;
      const bool fixed = graph_[write].rmw;
      graph_.placeAfter(write, fixed ? graph_[graph_[write].poPrev].rf : graph_.location(graph_[write].location).coTail);
      consistency_.addedMaximally(std::span(&write, 1));
      if (savedRevisits_[trail_[depth].saved].transient) resumeRevisitor(write);
      trail_[depth].placed = true;
      if (savedRevisits_[trail_[depth].saved].parked) {
        awaiting_.insert(graph_[read].thread);
        blockingWrite_[graph_[read].thread] = write;
      }
      return true;
    }
    graph_.unplace(write);
    consistency_.rollBack(graph_, trail_[depth].consistency);
    endRevisit(trail_[depth]);
    trail_.pop_back();
    return false;
  }
  if (trail_[depth].placed) {
    graph_.unsetRf(read);
    leaveOption(trail_[depth]);
  }
  while (nextRevisitOption(trail_[depth])) {
    ++statistics_.added;
    takeValue(read, write, trail_[depth].spurious);
    graph_.setRf(read, write);
    if (options_.equivalence == Equivalence::rf || isCoherent(read)) {
      const bool maximal = graph_[write].coNext == kNone;
      const Commit commit = commitRead(read, maximal, write, true);
      if (parked_ != 0 && commit != Commit::rejected) checkChain(write);
      switch (commit) {
        case Commit::forward:
          if (!isFutile(graph_[read].thread)) return true;
          if (confirms_ && (graph_[read].nonMaximal || failsToConfirm(read))) break;
          return !mayPark(read) || park();
        case Commit::backtrack: return false;
        case Commit::rejected: break;
      }
    }
    ++statistics_.rejected;
    graph_.unsetRf(read);
    leaveOption(trail_[depth]);
  }
  endRevisit(trail_[depth]);
  trail_.pop_back();
  return false;
}

// Has the read's thread observed nothing co-after what it reads from?
bool Explorer::isCoherent(EventId read) const {
  const Lane* view = poView(read);
  for (EventId later = graph_[graph_[read].rf].coNext; later != kNone; later = graph_[later].coNext) {
    if (graph_.observed(view, later)) return false;
  }
  return true;
}

}  // namespace heddle::explore
