#include "mixer/mixed_consistency.h"

#include <algorithm>

#include "explore/consistency.h"

namespace heddle::mixer {

MixedConsistency::MixedConsistency(const model::CompiledModel& model, const ProgramClasses& classes, unsigned threads,
                                   bool races)
    : views_(model, classes, threads, races), axioms_(std::make_unique<LiftedAxioms>()) {
  const std::vector<model::Axiom> axioms = model.source().axioms;
  for (const model::CycleAxiom& axiom : cycleAxioms(model, classes.set())) {
    if (explore::isTotalOrder(axiom.automaton, classes.set())) {
      total_ = true;
      continue;
    }
    for (const model::Axiom& stated : axioms) {
      if (stated.name == axiom.name) axioms_->add(stated);
    }
  }
}

namespace {

// The events that an access precedes directly in rf | co | rb, each cell's next write standing for all later ones.
template <class F>
void communicatesTo(const MixedGraph& graph, EventId id, F&& visit) {
  const Event& event = graph[id];
  if (event.isWrite()) {
    graph.forEachReader(id, graph.access(id).bytes, visit);
    graph.forEachCell(id, [&](const ByteCell& cell) {
      if (const EventId next = MixedGraph::next(cell, id); next != kNone) visit(next);
    });
  } else if (event.isRead() && graph.access(id).sourceCount != 0) {
    graph.forEachCell(id, [&](const ByteCell& cell) {
      if (const EventId next = MixedGraph::next(cell, graph.sourceOf(id, cell.bytes)); next != kNone) visit(next);
    });
  }
}

// And those that precede it directly.
template <class F>
void communicatesFrom(const MixedGraph& graph, EventId id, F&& visit) {
  const Event& event = graph[id];
  if (event.isRead()) {
    graph.forEachSource(id, visit);
  } else if (event.isWrite()) {
    graph.forEachCell(id, [&](const ByteCell& cell) {
      const std::uint32_t position = MixedGraph::positionAfter(cell, id);
      if (position == 0) return;  // not in co
      const EventId previous = position == 1 ? event.location : cell.order[position - 2];
      if (position > 1) visit(previous);
      graph.forEachReader(previous, cell.bytes, visit);
    });
  }
}

// Program order without the edges of graph/lock_order.h: paths of rf have the same ends.
template <class F>
void followsInProgram(const MixedGraph& graph, EventId id, F&& visit) {
  graph.followThread(id, visit);
  graph.followSpawn(id, visit);
}

}  // namespace

bool MixedConsistency::isCoherent(const MixedGraph& graph, EventId added) {
  const std::size_t events = graph.top() - kFirstEvent;
  forward_.begin(events);
  work_.clear();
  clock::fill(reached_.data(), kNever, graph.chunks());
  const auto reach = [&](EventId id) {
    if (!forward_.insert(id - kFirstEvent)) return;
    Lane& least = reached_[graph[id].thread];
    least = std::min(least, static_cast<Lane>(graph[id].index));
    work_.push_back(id);
  };
  communicatesTo(graph, added, reach);
  if (work_.empty()) return true;
  while (!work_.empty()) {
    const EventId id = work_.back();
    work_.pop_back();
    communicatesTo(graph, id, reach);
  }
  backward_.begin(events);
  const auto comeFrom = [&](EventId id) {
    if (backward_.insert(id - kFirstEvent)) work_.push_back(id);
  };
  comeFrom(added);
  while (!work_.empty()) {
    const EventId id = work_.back();
    work_.pop_back();
    if (clock::someAtLeast(graph.view(id, views_.coherenceView()), reached_.data(), graph.chunks())) return false;
    communicatesFrom(graph, id, comeFrom);
  }
  return !total_ || !comesBack(graph, added);
}

bool MixedConsistency::holdsOtherwise(const MixedGraph& graph, std::span<const EventId> added) {
  if (axioms_->empty()) return true;
  const bool cycle = std::ranges::any_of(added, [&](EventId id) { return comesBack(graph, id); });
  return !cycle || axioms_->hold(graph);
}

// Is there a cycle of po | rf | co | rb through the event?
bool MixedConsistency::comesBack(const MixedGraph& graph, EventId start) {
  forward_.begin(graph.top() - kFirstEvent);
  work_.clear();
  const auto reach = [&](EventId id) {
    if (forward_.insert(id - kFirstEvent)) work_.push_back(id);
  };
  communicatesTo(graph, start, reach);
  followsInProgram(graph, start, reach);
  while (!work_.empty()) {
    const EventId id = work_.back();
    work_.pop_back();
    if (id == start) return true;
    communicatesTo(graph, id, reach);
    followsInProgram(graph, id, reach);
  }
  return false;
}

}  // namespace heddle::mixer
