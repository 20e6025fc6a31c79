#include "graph/trail.h"

#include <fmt/format.h>

#include <cstdlib>

namespace heddle {

Trail::Trail(unsigned threads, unsigned views, std::size_t room)
    : threads_(threads),
      chunks_(static_cast<unsigned>(lanesFor(threads) / kLanesPerChunk)),
      lanes_(lanesFor(threads)),
      events_(kFirstEvent + room),
      stride_(lanes_ * (2 + views)),
      operations_(room),
      clockArena_((kFirstEvent + room) * stride_),
      clocks_(clockArena_.data()),
      first_(threads, kNone),
      last_(threads, kNone),
      joinedBy_(threads, kNone) {}

void Trail::makeInitial(LocationId id) {
  Event& initial = events_[id];
  initial = Event{};
  initial.kind = EventKind::write;
  initial.cls = kInitialWriteClass;
  initial.location = id;
  clock::fill(porf(id), 0, static_cast<unsigned>(stride_ / kLanesPerChunk));
  clock::fill(observers(id), kNever, chunks_);
}

void Trail::removeNewest() {
  const EventId id = newest_;
  const Event& event = events_[id];
  leaveThread(event);
  newest_ = event.orderPrev;
  if (newest_ != kNone) events_[newest_].orderNext = kNone;
  top_ = id;
}

void Trail::fail(const char* what, EventId id) {
  fmt::print(stderr, "internal error: graph invariant broken: {} (event {})\n", what, id);
  std::abort();
}

void Trail::checkTrail() const {
  std::vector<unsigned> count(threads_, 0);
  EventId previous = kNone;
  for (EventId id = newest_; id != kNone; id = events_[id].orderPrev) {
    const Event& e = events_[id];
    if (previous != kNone && !(id < previous)) fail("insertion order follows the pool", id);
    if (e.orderNext != previous) fail("insertion order is doubly linked", id);
    previous = id;
    ++count[e.thread];
    if (porf(id)[e.thread] != e.index) fail("an event is in its own porf-prefix", id);
    if (e.index > 1 && events_[e.poPrev].poNext != id) fail("program order is doubly linked", id);
  }
  for (unsigned t = 0; t < threads_; ++t) {
    const EventId end = last_[t];
    const unsigned expected = end != kNone && events_[end].thread == t ? events_[end].index : 0;
    if (count[t] != expected) fail("a thread's events are all live", end);
  }
}

}  // namespace heddle
