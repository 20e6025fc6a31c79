// Does a store repeat what its thread has stored there before (explore/redone_stores.cpp, runtime/idle_waits.cpp)? Who could have read
// the one may as well read the other. Not if the older write is that of a read-modify-write, as this continues the release
// sequence of what it has read and a store does not; nor if another thread has written in between, as far as this one
// knows: by po | rf.
#pragma once

#include "graph/trail.h"

namespace heddle {

inline bool isRepetition(const Trail& graph, EventId older, EventId store) {
  const Event& event = graph[store];
  if (graph[older].rmw) return false;
  const EventId initial = event.location;  // see event.h
  for (EventId write = graph[initial].coNext; write != kNone; write = graph[write].coNext) {
    if (graph[write].thread == event.thread) continue;
    if (graph.inPrefix(graph.porf(store), write) && !graph.inPrefix(graph.porf(older), write)) return false;
  }
  return true;
}

}  // namespace heddle
