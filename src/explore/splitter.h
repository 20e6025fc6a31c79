// What both explorers (explore/explorer.h, mixer/mixed_explorer.h) do alike about subtrees: say where they are, go where a
// subtree begins, and go down the tree at random.
//
// Going there is exploring without looking around. Each choice point of the path is reached in the usual way and moved on
// as often as its ordinal says, each time right away: the graph is then what it would be if what lies below had been
// explored. What an alternative puts on the trail by itself (the write of a read-modify-write, a revisit) is taken back,
// unexplored, where the path does not go there. So it costs about as much as the path is long.
//
// A random descent looks at all alternatives of each choice point, in the same way, and goes on with one of them.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "explore/subtree.h"
#include "graph/event.h"

namespace heddle {

// Which of so many ways a descent takes, and by what the weight of what follows is multiplied.
struct Way {
  std::size_t index = 0;
  double factor = 1;
  bool begins = false;  // what the descent came by before is not counted
};
using Chooser = std::function<Way(std::size_t ways)>;

struct Descent {
  // Of the full graphs that it came by: the sum, over these, of the products of the factors before. If each way is as likely
  // as another, and the factor is the number of ways, the average is the number of full graphs of the tree (Knuth 1975).
  double weight = 0;
  bool reported = false;  // the observer was shown a full graph
  bool stopped = false;   // and has seen enough
};

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
    explorer.replaying_ = !subtree.here;  // otherwise what it begins with, say a race, may be what it is explored for
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

  // Goes down from the root, as `choose` says where there is more than one way. If `report`, to one full graph, which the
  // observer is shown, unless what is tried last turns out to lead nowhere; otherwise as far as it goes. The exploration
  // that was under way is given up.
  static Descent descend(AnyExplorer& explorer, const Chooser& choose, bool report) {
    auto& trail = explorer.trail_;
    explorer.base_ = 0;
    explorer.replaying_ = !report;
    explorer.statistics_.race = false;
    while (!trail.empty()) explorer.skip();
    Descent descent;
    double product = 1;
    const auto take = [&](std::size_t ways) {
      const Way way = choose(ways);
      product *= way.factor;
      if (way.begins) descent.weight = 0;
      return way.index;
    };
    std::vector<std::uint32_t> ordinals;  // of the choice points that one step has made
    while (true) {
      const std::size_t bottom = trail.size();
      const bool failed = explorer.options_.stopAtError &&
                          (explorer.statistics_.race || explorer.threadsIn(AnyExplorer::ThreadState::failed) != 0);
      const bool full = failed || explorer.nextThread() < 0;
      if (full) descent.weight += product;
      bool forward = !failed && step(explorer, bottom);
      if (full && report && (trail.size() == bottom || choose(2).index == 0)) {
        while (trail.size() > bottom) explorer.skip();
        descent.reported = true;
        descent.stopped = !explorer.fullGraph() || failed;
      }
      if (descent.reported || trail.size() == bottom) return descent;
      ordinals.clear();
      for (std::size_t level = bottom;; ++level) {
        const std::vector<std::uint32_t> ways = alternatives(explorer, level, forward);
        if (ways.empty()) return descent;
        ordinals.push_back(ways[ways.size() == 1 ? 0 : take(ways.size())]);
        forward = repeat(explorer, bottom, ordinals);
        if (trail.size() == level + 1) break;
      }
    }
  }

 private:
  // Adds choice points to a trail of this height. The result is as that of replay().
  static bool step(AnyExplorer& explorer, std::size_t bottom) {
    bool forward = true;
    while (explorer.trail_.size() <= bottom && forward) {
      const int thread = explorer.nextThread();
      forward = thread >= 0 ? explorer.extend(static_cast<ThreadId>(thread)) : explorer.goToFullGraph();
    }
    return forward;
  }

  // The ordinals at which a choice point leads anywhere. It is gone afterwards.
  static std::vector<std::uint32_t> alternatives(AnyExplorer& explorer, std::size_t level, bool forward) {
    auto& trail = explorer.trail_;
    std::vector<std::uint32_t> ways;
    while (trail.size() > level) {
      if (forward || trail.size() > level + 1) ways.push_back(trail[level].ordinal);
      while (trail.size() > level + 1) explorer.skip();
      forward = explorer.advance();
    }
    return ways;
  }

  // Makes a step once more, with these ordinals.
  static bool repeat(AnyExplorer& explorer, std::size_t bottom, const std::vector<std::uint32_t>& ordinals) {
    auto& trail = explorer.trail_;
    while (trail.size() > bottom) explorer.skip();
    bool forward = step(explorer, bottom);
    for (std::size_t i = 0; i < ordinals.size(); ++i) {
      while (trail[bottom + i].ordinal != ordinals[i]) {
        while (trail.size() > bottom + i + 1) explorer.skip();
        forward = explorer.advance();
      }
    }
    return forward;
  }

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
