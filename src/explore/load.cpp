// Loads: most of what programs do, and of what is explored.
//
// A load has all that a read has (read.cpp), and none of what makes reads difficult: no write comes with it, it neither waits nor
// fails, and what it is does not depend on what it finds. So it has a path of its own, which does what the other one would do,
// in the same order. Most full graphs differ from the one before in nothing but what one load reads: what is here is done for
// each of them.

#include "explore/explorer.h"

namespace heddle::explore {

// Reads the co-maximal write, which is always consistent.
bool Explorer::addLoad(ThreadId thread) {
  const Operation& operation = pending_[thread];
  const LocationId location = graph_.locate(operation.address, operation.size, program_);
  const EventId write = graph_.location(location).coTail;
  if (!isInitial(write)) consistency_.prepare(graph_, graph_.last(thread));
  const EventId read = addEvent(thread, EventKind::read, eventClass(EventKind::read, operation.order, false));
  Event& event = graph_[read];
  event.location = location;
  graph_.noteRead(read);
  trail_.push_back({.kind = ChoiceKind::read, .event = read, .cursor = write, .consistency = consistency_.mark()});
  event.value = graph_[write].value;
  graph_.setRf(read, write);
  consistency_.computeViews(graph_, read);
  consistency_.addedMaximally(std::span(&read, 1));
  checkRaces(read);
  resumeThread(thread, {.value = event.value, .success = false});
  return !isFutile(thread) || postpone(read);
}

// Reads the next older write that it can read. False: there is none, and the load is gone.
bool Explorer::nextLoad() {
  ChoicePoint& frame = trail_.back();
  const EventId read = frame.event;
  Event& event = graph_[read];
  const Lane* const view = poView(read);
  ++statistics_.added;
  EventId write = frame.cursor;
  // The view is asked while the load still reads the newer write: a lane of the write's observers that was written just before
  // would have to be waited for. The load itself is not in it.
  while (!isInitial(write) && !graph_.observed(view, write)) {
    if (parked_ != 0 && write == overtakerOf(read)) [[unlikely]]
      break;
    graph_.unsetRf(read);
    consistency_.rollBack(graph_, frame.consistency);
    write = graph_[write].coPrev;
    frame.cursor = write;
    event.value = graph_[write].value;
    graph_.setRf(read, write);
    consistency_.computeViews(graph_, read);
    if (!consistency_.checks() || consistency_.holds(graph_, read)) {
      if (mayRace(read, graph_.location(event.location).plain)) {
        program_.rewind(event.thread, event.mark);  // what the thread did after the load is not there for others to see
        findRace(read);
      }
      resumeThreadFrom(event.mark, event.thread, {.value = event.value, .success = false});
      if (!isFutile(event.thread) && !(options_.boundsLoads() && isTooStale(read))) return true;
    }
    ++statistics_.rejected;
  }
  graph_.unsetRf(read);
  consistency_.rollBack(graph_, frame.consistency);
  graph_.forgetRead(read);
  dropEvent(read);
  trail_.pop_back();
  return false;
}

}  // namespace heddle::explore
