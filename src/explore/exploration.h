// What both explorers (explore/explorer.h, mixer/mixed_explorer.h) do alike: the loop over choice points, and what there is to
// do about subtrees: say where they are, go where one begins, and go down the tree at random.
//
// Going there is exploring without looking around. Each choice point of the path is reached in the usual way and moved on
// as often as its ordinal says, each time right away: the graph is then what it would be if what lies below had been
// explored. What an alternative puts on the trail by itself (the write of a read-modify-write, a revisit) is taken back,
// unexplored, where the path does not go there. So it costs about as much as the path is long.
//
// Who looks at the tree at random (parallel/sample.h) goes from node to node: to a graph, from which it is shown the graphs
// right below.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "explore/explorer.h"
#include "graph/event.h"
#include "util/hash.h"

namespace heddle {

// A node of the tree, and how to get there.
struct Node {
  std::vector<Step> path;
  std::vector<std::uint32_t> heights;  // of the trail where it came by nodes, this one included
  std::uint64_t kind = 0;              // the number of events, and a digest of what else its graph looks like
};
using NodeVisitor = std::function<void(Node)>;

template <class AnyGraph>
std::uint64_t eventName(const AnyGraph& graph, EventId id) {
  return isInitial(id) ? 0 : std::uint64_t{graph[id].thread} << 16 | graph[id].index;
}

template <class AnyExplorer>
struct Exploration {
  // Explores the subtree, or as much of it as the observer and the attendant want. Throws Stopped in place of StopHere.
  static Statistics run(AnyExplorer& explorer, const Subtree& part) {
    Begun begun;
    try {
      return run(explorer, part, begun);
    } catch (const StopHere&) {
      throw Stopped{begun.any ? restFrom(explorer, begun) : part};
    }
  }

  // The step that the exploration is taking.
  struct Begun {
    bool any = false;         // not while it goes where the part begins
    bool forward = true;      // it adds to the graph; otherwise it moves on the newest choice point
    std::size_t height = 0;   // of the trail when it began
  };

  static Statistics run(AnyExplorer& explorer, const Subtree& part, Begun& begun) {
    auto& trail = explorer.trail_;
    explorer.startThreads();
    bool forward = part.isRoot() || replay(explorer, part);
    begun.any = true;
    while (true) {
      begun.forward = forward;
      begun.height = trail.size();
      if (!forward) {
        if (trail.size() == explorer.base_) break;
        forward = explorer.advance();
        continue;
      }
#ifdef HEDDLE_INVARIANTS
      explorer.graph_.checkInvariants();
#endif
      if (explorer.options_.stopAtError && hasFailed(explorer)) {
        explorer.failedGraph();
        return explorer.statistics_;
      }
      const int thread = explorer.nextThread();
      if (thread >= 0) {
        forward = explorer.extend(static_cast<ThreadId>(thread));
        continue;
      }
      if (!explorer.fullGraph()) return explorer.statistics_;
      forward = explorer.goToFullGraph();
      if (!goesOn(explorer)) return explorer.statistics_;
    }
    explorer.statistics_.complete = true;
    return explorer.statistics_;
  }

  // What is left if a step that was not finished is taken again. It has pushed choice points at the most, and has counted
  // itself at the one that it was to move on.
  static Subtree restFrom(const AnyExplorer& explorer, const Begun& begun) {
    Subtree rest = pathTo(explorer, std::min(begun.height, explorer.trail_.size()), begun.forward);
    rest.digest = 0;
    if (!begun.forward && !rest.path.empty()) --rest.path.back().ordinal;
    return rest;
  }

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

  // Goes to the node, shows its children, and says whether its graph is full. The exploration that was under way is given up.
  static bool expand(AnyExplorer& explorer, const Node& node, const NodeVisitor& child) {
    auto& trail = explorer.trail_;
    explorer.base_ = 0;
    explorer.replaying_ = true;
    goTo(explorer, node);
    if (explorer.options_.stopAtError && explorer.threadsIn(ThreadState::failed) != 0) return true;
    const bool full = explorer.nextThread() < 0;
    const std::size_t bottom = trail.size();
    bool forward = step(explorer, bottom);
    while (trail.size() > bottom) {
      if (forward) child(nodeBelow(explorer, node));
      forward = explorer.advance();
    }
    return full;
  }

  // Shows the observer the full graph that the node is, and says whether it has seen enough.
  static bool report(AnyExplorer& explorer, const Node& node) {
    auto& trail = explorer.trail_;
    while (!trail.empty()) explorer.skip();  // races are found where events are added
    explorer.statistics_.race = false;
    explorer.replaying_ = false;
    goTo(explorer, node);
    const bool failed = hasFailed(explorer);
    return !explorer.fullGraph() || (explorer.options_.stopAtError && failed);
  }

  // Goes where the subtree begins. True: go forward from there; false: move on the newest choice point.
  static bool replay(AnyExplorer& explorer, const Subtree& subtree) {
    auto& trail = explorer.trail_;
    explorer.replaying_ = !subtree.here;  // otherwise what it begins with, say a race, may be what it is explored for
    bool forward = follow(explorer, subtree.path);
    while (trail.size() > subtree.path.size()) {
      forward = false;
      explorer.skip();
    }
    if (subtree.digest != 0 && subtree.digest != digest(explorer.graph_)) failToRepeat();
    explorer.replaying_ = false;
    explorer.base_ = subtree.base;
#ifdef HEDDLE_INVARIANTS
    if constexpr (requires { trail.back().fruitful; }) {
      for (auto& frame : trail) frame.fruitful = true;  // elsewhere, perhaps
    }
#endif
    return subtree.here && forward;
  }

 private:
  static bool hasFailed(const AnyExplorer& explorer) {
    return explorer.statistics_.race || explorer.threadsIn(ThreadState::failed) != 0;
  }

  // Between two executions: is there no reason to stop?
  static bool goesOn(AnyExplorer& explorer) {
    const ExploreOptions& options = explorer.options_;
    if (!options.interrupt || !options.interrupt->load(std::memory_order_relaxed)) return true;
    if (explorer.trail_.size() == explorer.base_) return true;  // it has ended, and there is no rest to speak of
    return options.attendant && options.attendant->attend(explorer);
  }

  [[noreturn]] static void failToRepeat() {
    throw WrongSubtree("the program does not do again what it has done before, so the exploration cannot be shared");
  }

  // As the exploration would, without a report of full graphs.
  static bool goOn(AnyExplorer& explorer) {
    const int thread = explorer.nextThread();
    return thread >= 0 ? explorer.extend(static_cast<ThreadId>(thread)) : explorer.goToFullGraph();
  }

  // Goes on along the path, of which the trail is the beginning, up to a node. The result is as that of replay().
  static bool follow(AnyExplorer& explorer, const std::vector<Step>& path) {
    auto& trail = explorer.trail_;
    bool forward = true;
    for (std::size_t level = trail.size(); level < path.size(); ++level) {
      const Step& step = path[level];
      while (trail.size() <= level) {
        if (!forward) failToRepeat();
        forward = goOn(explorer);
      }
      while (trail[level].ordinal != step.ordinal) {
        while (trail.size() > level + 1) explorer.skip();
        forward = explorer.advance();
        if (trail.size() <= level) failToRepeat();
      }
      if (stepOf(explorer, level) != step) failToRepeat();
    }
    return forward;
  }

  // By way of the deepest node that the trail and the path have in common.
  static void goTo(AnyExplorer& explorer, const Node& node) {
    auto& trail = explorer.trail_;
    const auto& path = node.path;
    std::size_t common = 0;
    while (common < std::min(trail.size(), path.size()) && stepOf(explorer, common) == path[common]) ++common;
    const auto after = std::ranges::upper_bound(node.heights, common);
    common = after == node.heights.begin() ? 0 : *std::prev(after);
    while (trail.size() > common) explorer.skip();
    if (!follow(explorer, path) && !path.empty()) failToRepeat();
  }

  static Node nodeBelow(const AnyExplorer& explorer, const Node& node) {
    Node below{.path = node.path, .heights = node.heights};
    for (std::size_t i = node.path.size(); i < explorer.trail_.size(); ++i) below.path.push_back(stepOf(explorer, i));
    below.heights.push_back(static_cast<std::uint32_t>(below.path.size()));
    below.kind = kindOf(explorer.graph_);
    return below;
  }

  // Graphs of a kind have threads that are as far as each other, and as many choices that are final.
  template <class AnyGraph>
  static std::uint64_t kindOf(const AnyGraph& graph) {
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

  // Adds choice points to a trail of this height. The result is as that of replay().
  static bool step(AnyExplorer& explorer, std::size_t bottom) {
    bool forward = true;
    while (explorer.trail_.size() <= bottom && forward) forward = goOn(explorer);
    return forward;
  }

  // Of the events, who reads from whom, and the coherence order.
  template <class AnyGraph>
  static std::uint64_t digest(const AnyGraph& graph) {
    std::uint64_t hash = 1;
    for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
      const Operation& operation = graph.operation(id);
      hash = util::mix(hash, eventName(graph, id) << 8 | static_cast<std::uint64_t>(operation.kind));
      hash = util::mix(hash, operation.kind == OperationKind::spawn ? operation.operand : operation.address);
      if (operation.size <= sizeof(Value)) hash = util::mix(hash, graph[id].value);  // otherwise it is a mere number
      hash = AnyExplorer::mixEdges(hash, graph, id);
    }
    return hash == 0 ? 1 : hash;
  }
};

}  // namespace heddle
