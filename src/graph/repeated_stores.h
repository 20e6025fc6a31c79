// Does a store repeat what its thread has stored there before (explore/redone_stores.cpp, runtime/idle_waits.cpp)? Who could have read
// the one may as well read the other. Not if the older write is that of a read-modify-write, as this continues the release
// sequence of what it has read and a store does not; nor if another thread has written in between, as far as this one
// knows: by po | rf.
#pragma once

#include "graph/trail.h"

namespace heddle {

// Is `older`, a write of the thread or the initial one, the last write to the location that the thread knows of before the store?
inline bool isLastKnown(const Trail& graph, EventId older, EventId store) {
  const Event& event = graph[store];
  const EventId initial = event.location;  // see event.h
  for (EventId write = graph[initial].coNext; write != kNone; write = graph[write].coNext) {
    if (graph[write].thread == event.thread || !graph.inPrefix(graph.porf(store), write)) continue;
    if (isInitial(older) || !graph.inPrefix(graph.porf(older), write)) return false;
  }
  return true;
}

inline bool isRepetition(const Trail& graph, EventId older, EventId store) {
  return !graph[older].rmw && isLastKnown(graph, older, store);
}

}  // namespace heddle
