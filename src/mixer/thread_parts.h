// Left to right: the order in which Mixer adds the events of different threads.
//
// When several writes revisit a read together, the last of them to be added makes the revisit and keeps the others.
// Which one that is has to be the same whatever graph the exploration comes from (tie-breaking, Mixer section 3.2), so
// threads run left to right. The paper's threads all exist from the start. Where threads are spawned and joined, thread
// numbers alone will not do: a thread to the left may have to wait for one to the right, and whether it still does
// depends on what a revisit has kept.
//
// So the order is defined on parts: a thread is cut after each of its spawns and joins. A part is available when
// the one before it in its thread is done, and so is the spawn or the thread that it waits for. The order is that of a
// run which always takes the leftmost available part to its end. Which of two parts comes first depends only on
// what they wait for, directly or not; so it is the same in every graph that has them both. The exploration adds the
// event whose part comes first, and "to the left" means in an earlier part.
#pragma once

#include <vector>

#include "mixer/mixed_graph.h"

namespace heddle::mixer {

class ThreadParts {
 public:
  // The place in the order of the part that an event is in, or that a thread's next event will be in.
  unsigned rankOf(const MixedGraph& graph, EventId id) { return rank(graph, graph.access(id).opener, graph[id].thread); }
  unsigned rankOfNext(const MixedGraph& graph, ThreadId thread) {
    const EventId last = graph.last(thread);
    if (last == kNone) return rank(graph, kNone, thread);
    return rank(graph, graph[last].kind == EventKind::thread ? last : graph.access(last).opener, thread);
  }

 private:
  unsigned rank(const MixedGraph& graph, EventId opener, ThreadId thread) {
    if (graph.threadChanges() == 0) return thread;  // nothing was ever spawned or joined
    if (version_ != graph.threadChanges()) order(graph);
    if (opener == kNone) return roots_[thread];
    const Ranks& ranks = ranks_[opener - kFirstEvent];
    return graph[opener].thread == thread ? ranks.own : ranks.child;
  }
  void order(const MixedGraph& graph);

  struct Ranks {
    unsigned own = 0, child = 0;  // of the parts that a spawn or join begins: in its thread, and in the new one
  };
  std::uint64_t version_ = 0;
  std::vector<unsigned> roots_;
  std::vector<Ranks> ranks_;
  std::vector<std::vector<EventId>> openers_;  // of each thread's parts
  std::vector<std::size_t> done_;              // how many of them have run
};

}  // namespace heddle::mixer
