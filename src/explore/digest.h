// Numbers that stand for graphs, to compare them by.
#pragma once

#include <cstdint>

#include "graph/trail.h"
#include "util/hash.h"

namespace heddle::explore {

inline std::uint64_t eventName(const Trail& graph, EventId id) {
  return isInitial(id) ? 0 : std::uint64_t{graph[id].thread} << 16 | graph[id].index;
}

// The number of events, and a digest. Graphs of a kind have threads that are as far as each other, and as many choices that
// are final.
inline std::uint64_t kindOf(const Trail& graph) {
  std::uint64_t events = 0, hash = 1;
  for (unsigned thread = 0; thread < graph.threads(); ++thread) {
    const EventId last = graph.last(static_cast<ThreadId>(thread));
    const std::uint64_t length = last == kNone ? 0 : graph[last].index + 1u;
    events += length;
    hash = util::mix(hash, length);
  }
  std::uint64_t final = 0;
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) final += graph[id].nonMaximal;
  return events << 32 | util::mix(hash, final) >> 32;
}

}  // namespace heddle::explore
