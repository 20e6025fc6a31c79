// What both explorers (explore/explorer.h, mixer/mixed_explorer.h) do alike about subtrees: say where they are, and go
// where a subtree begins.
//
// Going there is exploring without looking around. Each choice point of the path is reached in the usual way and moved on
// as often as its ordinal says, each time right away: the graph is then what it would be if what lies below had been
// explored. What an alternative puts on the trail by itself (the write of a read-modify-write, a revisit) is taken back,
// unexplored, where the path does not go there. So it costs about as much as the path is long.
#pragma once

#include "explore/subtree.h"
#include "graph/event.h"

namespace heddle {

inline std::uint64_t mixDigest(std::uint64_t digest, std::uint64_t value) {
  digest = (digest ^ value) * 0x9e3779b97f4a7c15;
  return digest ^ digest >> 29;
}

template <class AnyGraph>
std::uint64_t eventName(const AnyGraph& graph, EventId id) {
  return isInitial(id) ? 0 : std::uint64_t{graph[id].thread} << 16 | graph[id].index;
}

template <class AnyExplorer>
struct Splitter {
  static Step stepOf(const AnyExplorer& explorer, std::size_t level) {
    const auto& frame = explorer.trail_[level];
    const ThreadId thread = frame.event == kNone ? ThreadId{0} : explorer.graph_[frame.event].thread;
    return {AnyExplorer::letterOf(frame), thread, frame.ordinal};
  }

  // The path to the first so many choice points. The digest is that of the whole graph, and left out where the path ends
  // earlier.
  static Subtree pathTo(const AnyExplorer& explorer, std::size_t height, bool here) {
    Subtree subtree;
    subtree.base = static_cast<std::uint32_t>(explorer.base_);
    subtree.here = here;
    subtree.path.reserve(height);
    for (std::size_t i = 0; i < height; ++i) subtree.path.push_back(stepOf(explorer, i));
    if (height == explorer.trail_.size()) subtree.digest = digest(explorer.graph_);
    return subtree;
  }

  // Gives away what the shallowest choice point that may have something left has left.
  static std::optional<Subtree> split(AnyExplorer& explorer) {
    for (std::size_t level = explorer.base_; level < explorer.trail_.size(); ++level) {
      if (!explorer.mayMoveOn(explorer.trail_[level])) continue;
      Subtree given = pathTo(explorer, level + 1, false);
      explorer.base_ = level + 1;
      return given;
    }
    return std::nullopt;
  }

  // Goes where the subtree begins. True: go forward from there; false: move on the newest choice point.
  static bool replay(AnyExplorer& explorer, const Subtree& subtree) {
    const auto fail = [] {
      throw WrongSubtree("the program does not do again what it has done before, so the exploration cannot be shared");
    };
    auto& trail = explorer.trail_;
    explorer.replaying_ = true;
    bool forward = true;
    for (std::size_t level = 0; level < subtree.path.size(); ++level) {
      const Step& step = subtree.path[level];
      while (trail.size() <= level) {
        if (!forward) fail();
        const int thread = explorer.nextThread();
        forward = thread >= 0 ? explorer.extend(static_cast<ThreadId>(thread)) : explorer.goToFullGraph();
      }
      while (trail[level].ordinal != step.ordinal) {
        while (trail.size() > level + 1) explorer.skip();
        forward = explorer.advance();
        if (trail.size() <= level) fail();
      }
      if (stepOf(explorer, level) != step) fail();
    }
    while (trail.size() > subtree.path.size()) {
      forward = false;
      explorer.skip();
    }
    if (subtree.digest != 0 && subtree.digest != digest(explorer.graph_)) fail();
    explorer.replaying_ = false;
    explorer.base_ = subtree.base;
    return subtree.here && forward;
  }

 private:
  // Of the events, who reads from whom, and the coherence order.
  template <class AnyGraph>
  static std::uint64_t digest(const AnyGraph& graph) {
    std::uint64_t hash = 1;
    for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
      const Operation& operation = graph.operation(id);
      hash = mixDigest(hash, eventName(graph, id) << 8 | static_cast<std::uint64_t>(operation.kind));
      hash = mixDigest(hash, operation.kind == OperationKind::spawn ? operation.operand : operation.address);
      if (operation.size <= sizeof(Value)) hash = mixDigest(hash, graph[id].value);  // otherwise it is a mere number
      hash = AnyExplorer::mixEdges(hash, graph, id);
    }
    return hash == 0 ? 1 : hash;
  }
};

}  // namespace heddle
