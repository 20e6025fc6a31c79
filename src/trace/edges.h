// The arrows between the events of an execution, for every format that draws it.
//
//     rf      from a write to a read of its value
//     co      from a write to the next one of its location
//     rb      from a read to the write right after the one that it reads from, in coherence order
//     sw      synchronisation, as C++20 has it: from a release to the acquire that sees it, also by fences and along a release
//             sequence; from an unlock to the next lock
//     thread  from a spawn to the first event of the new thread, and from a thread's last event to its join
//     other   a relation that only this execution has, with its name
//
// Initial writes are no events, so no arrow begins or ends at one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/execution.h"

namespace heddle::trace {

struct Edge {
  enum class Kind : std::uint8_t { rf, co, rb, sw, thread, other };
  Kind kind = Kind::rf;
  unsigned from = 0, to = 0;  // numbers of events
  std::string name = {};      // of another relation; of the bytes, where sizes are mixed
};

const char* nameOf(Edge::Kind kind);

std::vector<Edge> edgesOf(const Execution& execution);

}  // namespace heddle::trace
