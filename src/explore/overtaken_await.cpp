// Awaits that are overtaken: a read that waits for another value does not have to read each value on the way.
//
// A thread waits until a location has a certain value, and has read one that lets it go on. Then a new write comes that may
// revisit the read, and with its value the thread would wait. What is below that revisit? The thread is blocked there, until a
// later write revisits the read again, with a value that lets it go on. All that the others do meanwhile is explored with a
// thread that is stuck, for every value on the way anew, and most of it ends in executions that are blocked.
//
// So here the read goes, as a lock does that is overtaken (lock.cpp): the write is there, it counts as not maximally added, and
// the thread waits. When a value is there with which it can go on (or nothing else can happen any more) the read is added as any
// other is, with all its options: all the later writes that let it go on. No older ones: to read what is older than the write
// that has overtaken it is what all other graphs are about, in which it was not overtaken.
//
// Why that is right. Hold the graph without the read against the one in which the read takes the new write, w.
//   - There a later write revisits the read if it reads the newest write in the later one's prefix. Here it comes after them,
//     and reads any of them. Both give each later graph once, because all writes come after w in porf: if two that do
//     not know of each other could overtake the read, both would lead to the same graph. So the writes of the location must be a
//     chain, in which each has read or observed the one before. Read-modify-writes are one, and so are the stores of a lock that
//     only its owner makes.
//   - There the read is last in its thread, so every revisit of an older read deletes it, provided that it is maximal; w has to be in
//     the revisitor's prefix then, because it is not maximal itself. That holds here as well. After such a revisit the read is
//     added anew, and may read what is older than w, too: the restriction ends (overtakerOf in lock.cpp).
//
// The location may have a write that is not in the chain, of which nobody knew when a read was overtaken. Then the exploration
// starts again, and does not do this at that location (UnorderedWrites).
//
// What it costs: the revisit is made twice, once to see that it blocks. An option of a read that waits looks at the revisits
// under way. Programs none of whose reads is overtaken pay for a test.

#include <algorithm>
#include <limits>

#include "explore/explorer.h"

namespace heddle::explore {

// Has each write of the location read the one before in co, or observed it?
bool Explorer::isChain(LocationId location) const {
  for (EventId write = graph_.location(location).coTail; !isInitial(write); write = graph_[write].coPrev) {
    if (!followsInChain(write)) return false;
  }
  return true;
}

bool Explorer::followsInChain(EventId write) const {
  const EventId previous = graph_[write].coPrev;
  if (isInitial(previous)) return true;
  return graph_[write].rmw ? graph_[graph_[write].poPrev].rf == previous : graph_.observed(poView(write), previous);
}

// The read has just been revisited, and its thread is blocked by that. May it wait for a later write instead?
bool Explorer::mayPark(EventId read) const {
  if (!parks_) return false;
  const Event& event = graph_[read];
  const OperationKind kind = graph_.operation(read).kind;
  if (event.nonMaximal || event.rmw || graph_.last(event.thread) != read) return false;
  if ((kind != OperationKind::load && kind != OperationKind::cas) || isLookedAt(event.rf)) return false;
  const ByteRange bytes = graph_.bytesOf(event.location);
  const bool isKnown = std::ranges::any_of(options_.unordered, [&](const ByteRange& other) { return other.overlaps(bytes); });
  return !isKnown && isChain(event.location);
}

// Makes the newest revisit anew, without the read.
bool Explorer::park() {
  const EventId write = trail_.back().event, read = trail_.back().cursor;
  const bool transient = savedRevisits_.back().transient;
  graph_.unsetRf(read);
  leaveOption(trail_.back());
  graph_.unplace(write);
  endRevisit(trail_.back());
  trail_.pop_back();
  beginRevisit(write, read, transient, true);
  return nextRevisit();
}

// A write has found its place. Is it part of the chain, if reads of its location have been overtaken?
void Explorer::checkChain(EventId write) const {
  const LocationId location = graph_[write].location;
  const EventId next = graph_[write].coNext;
  if (followsInChain(write) && (next == kNone || followsInChain(next))) return;
  EventId oldest = std::numeric_limits<EventId>::max();
  for (std::size_t depth = trail_.size(); depth > 0; --depth) {
    const ChoicePoint& frame = trail_[depth - 1];
    if (frame.kind != ChoiceKind::revisit) continue;
    if (savedRevisits_[frame.saved].parked && frame.cursor < oldest && graph_[frame.cursor].location == location) {
      throw UnorderedWrites(graph_.bytesOf(location));
    }
    oldest = std::min(oldest, frame.cursor);
  }
}

}  // namespace heddle::explore
