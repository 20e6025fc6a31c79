#include "mixer/mixed_consistency.h"

#include <algorithm>

#include "graph/lock_order.h"

namespace heddle {

using model::Letter;
using model::ViewPlan;

void MixedConsistency::Marks::begin(std::size_t size) {
  if (marks_.size() < size) marks_.resize(std::max(size, 2 * marks_.size()), 0);
  if (++epoch_ == 0) {
    std::ranges::fill(marks_, 0);
    epoch_ = 1;
  }
}

MixedConsistency::MixedConsistency(const model::CompiledModel& model, const Program& program, bool races)
    : lanes_(Graph::lanesFor(program.threadCount())) {
  const ClassSet classes = classesOf(program);
  const unsigned threads = program.threadCount();
  const ViewPlan coherence =
      planView(model.coherence ? *model.coherence : *model::viewRelation(model::programOrder()), classes);
  coherence_ = makeView(coherence, threads);
  if (races) {
    const ViewPlan plan = planView(model.happensBefore, classes);
    if (plan != coherence) race_ = makeView(plan, threads);
    raceView_ = race_ ? race_->complete : coherence_.complete;
  }
  const std::vector<model::Axiom> axioms = model.axioms();
  for (const model::CycleAxiom& axiom : cycleAxioms(model, classes)) {
    if (isTotalOrder(axiom.automaton, classes)) {
      total_ = true;
      continue;
    }
    for (const model::Axiom& stated : axioms) {
      if (stated.name == axiom.name) axioms_.push_back(stated);
    }
  }
}

MixedConsistency::View MixedConsistency::makeView(const ViewPlan& plan, unsigned threads) {
  View view;
  view.isPorf = plan.isPorf;
  if (plan.isPorf) return view;
  const unsigned first = 1 + views_;
  views_ += plan.views();
  view.complete = Graph::viewOffset(threads, first);
  view.partial = Graph::viewOffset(threads, first + 1);
  view.end = Graph::viewOffset(threads, first + plan.views());
  view.inLocation = plan.reachedInLocation();
  for (const model::ViewRule& rule : plan.rules) {
    Rule compiled{rule.guard, rule.completes, view.complete, 0, rule.letter};
    if (rule.from != ViewPlan::kComplete) compiled.from = view.partial + lanes_ * static_cast<unsigned>(rule.from);
    if (rule.to != ViewPlan::kNowhere) compiled.to = view.partial + lanes_ * static_cast<unsigned>(rule.to);
    switch (rule.letter) {
      case Letter::po:
      case Letter::poi: view.poRules.push_back(compiled); break;
      case Letter::rmw: view.rmwRules.push_back(compiled); break;
      case Letter::filtered: view.locationRules.push_back(compiled); break;
      default: view.rfRules.push_back(compiled); break;
    }
  }
  return view;
}

void MixedConsistency::apply(MixedGraph& graph, const View& view, const Rule& rule, EventId source, EventId id) const {
  if (!contains(rule.guard, graph[source].cls)) return;
  if (rule.letter == Letter::poi && graph[source].thread != graph[id].thread) return;
  const Lane* from = graph.view(source, rule.from);
  if (rule.to != 0) clock::join(graph.view(id, rule.to), from, graph.chunks());
  if (contains(rule.completes, graph[id].cls)) clock::join(graph.view(id, view.complete), from, graph.chunks());
}

void MixedConsistency::compute(MixedGraph& graph, EventId id, const View& view) const {
  if (view.isPorf) return;
  const MixedEvent& event = graph[id];
  Lane* complete = graph.view(id, view.complete);
  const EventId previous = event.poPrev;
  if (previous != kNone) {
    clock::copy(complete, graph.view(previous, view.complete), graph.chunks());
  } else {
    clock::fill(complete, 0, graph.chunks());
  }
  for (std::size_t partial = view.partial; partial < view.end; partial += lanes_) {
    clock::fill(graph.view(id, partial), 0, graph.chunks());
  }
  if (previous != kNone) {
    for (const Rule& rule : view.poRules) apply(graph, view, rule, previous, id);
  }
  if (event.isRead()) {
    for (const Source& source : graph.sources(id)) {
      if (isInitial(source.write)) continue;
      const bool internal = graph[source.write].thread == event.thread;
      for (const Rule& rule : view.rfRules) {
        if (rule.letter == Letter::rf || (rule.letter == Letter::rfi) == internal) {
          apply(graph, view, rule, source.write, id);
        }
      }
    }
    forEachLeaving(graph, id, [&](EventId leaving) {
      clock::join(complete, graph.view(leaving, view.complete), graph.chunks());
      for (const Rule& rule : view.poRules) apply(graph, view, rule, leaving, id);
    });
  } else if (event.isWrite()) {
    if (event.rmw) {
      for (const Rule& rule : view.rmwRules) apply(graph, view, rule, previous, id);
    }
  } else if (event.kind == EventKind::thread && graph.operation(id).kind == OperationKind::join) {
    const EventId end = graph.last(static_cast<ThreadId>(event.partner));
    clock::join(complete, graph.view(end, view.complete), graph.chunks());
    for (const Rule& rule : view.poRules) apply(graph, view, rule, end, id);
  }
  if (contains(view.inLocation, event.cls)) {
    for (EventId source = previous; source != kNone && graph[source].thread == event.thread;
         source = graph[source].poPrev) {
      if (graph[source].line != event.line || (graph[source].bytes & event.bytes) == 0) continue;
      for (const Rule& rule : view.locationRules) apply(graph, view, rule, source, id);
    }
  }
  complete[event.thread] = event.index;
}

void MixedConsistency::computeViews(MixedGraph& graph, EventId id) const {
  compute(graph, id, coherence_);
  if (race_) compute(graph, id, *race_);
}

namespace {

// The events that an access precedes directly in rf | co | rb, each cell's next write standing for all later ones.
template <class F>
void communicatesTo(const MixedGraph& graph, EventId id, F&& visit) {
  const MixedEvent& event = graph[id];
  if (event.isWrite()) {
    graph.forEachReader(id, event.bytes, visit);
    graph.forEachCell(id, [&](const Cell& cell) {
      if (const EventId next = MixedGraph::next(cell, id); next != kNone) visit(next);
    });
  } else if (event.isRead() && event.sourceCount != 0) {
    graph.forEachCell(id, [&](const Cell& cell) {
      if (const EventId next = MixedGraph::next(cell, graph.sourceOf(id, cell.bytes)); next != kNone) visit(next);
    });
  }
}

// And those that precede it directly.
template <class F>
void communicatesFrom(const MixedGraph& graph, EventId id, F&& visit) {
  const MixedEvent& event = graph[id];
  if (event.isRead()) {
    for (const Source& source : graph.sources(id)) {
      if (!isInitial(source.write)) visit(source.write);
    }
  } else if (event.isWrite()) {
    graph.forEachCell(id, [&](const Cell& cell) {
      const std::uint32_t position = MixedGraph::positionAfter(cell, id);
      if (position == 0) return;  // not in co
      const EventId previous = position == 1 ? event.line : cell.order[position - 2];
      if (position > 1) visit(previous);
      graph.forEachReader(previous, cell.bytes, visit);
    });
  }
}

template <class F>
void followsInProgram(const MixedGraph& graph, EventId id, F&& visit) {
  const MixedEvent& event = graph[id];
  if (event.poNext != kNone) {
    visit(event.poNext);
  } else if (const EventId join = graph.joinOf(event.thread); join != kNone) {
    visit(join);
  }
  if (event.kind == EventKind::thread && graph.operation(id).kind == OperationKind::spawn) {
    const auto child = static_cast<ThreadId>(event.partner);
    const EventId first = graph.first(child) != kNone ? graph.first(child) : graph.joinOf(child);
    if (first != kNone) visit(first);
  }
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
    if (clock::someAtLeast(graph.view(id, coherence_.complete), reached_.data(), graph.chunks())) return false;
    communicatesFrom(graph, id, comeFrom);
  }
  return !total_ || !comesBack(graph, added);
}

bool MixedConsistency::holdsOtherwise(const MixedGraph& graph, std::span<const EventId> added) {
  if (axioms_.empty()) return true;
  const bool cycle = std::ranges::any_of(added, [&](EventId id) { return comesBack(graph, id); });
  return !cycle || evaluator_.hold(graph, axioms_);
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

}  // namespace heddle
