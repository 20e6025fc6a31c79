// Views: what of a model's happens-before is kept as vector clocks, filled in once, when an event gets its place.
//
// The complete view of an event is itself and its predecessors in the relation; partial views are what that is made from
// (ViewPlan in model/compile.h). A model has one relation that coherence is kept by and one that races are judged by, often
// the same. The rules are about letters of program order and reads-from, so they are the same for both graphs; these say who
// a read reads from (`forEachSource`) and which accesses are of the same bytes (`overlap`).
#pragma once

#include <optional>
#include <vector>

#include "graph/graph.h"
#include "graph/lock_order.h"
#include "graph/program_classes.h"
#include "model/compile.h"

namespace heddle::explore {

// The classes of all events that a program can have.
ClassSet classesOf(const Program& program);

// A view plan with the place of its views among a graph's.
class ViewComputer {
 public:
  // Its views are numbered from `firstView`, in a graph of so many threads.
  ViewComputer(const model::ViewPlan& plan, const ProgramClasses& classes, unsigned firstView, unsigned threads);

  std::size_t complete() const { return complete_; }  // offset of the complete view
  bool isPorf() const { return isPorf_; }             // which the graph itself keeps
  template <class AnyGraph>
  void compute(AnyGraph& graph, EventId id) const {
    if (isPorf_) return;
    if (isPo_ && graph[id].location != 0 && !graph[id].rmw) {
      carryOn(graph, id);
    } else {
      computeByRules(graph, id);
    }
  }

 private:
  // From the event before it in the thread.
  void carryOn(Trail& graph, EventId id) const {
    const Event& event = graph[id];
    Lane* const complete = graph.view(id, complete_);
    if (event.poPrev != kNone) {
      clock::copy(complete, graph.view(event.poPrev, complete_), graph.chunks());
    } else {
      clock::fill(complete, 0, graph.chunks());
    }
    complete[event.thread] = event.index;
  }
  template <class AnyGraph>
  void computeByRules(AnyGraph& graph, EventId id) const;

  struct Rule {
    ClassMask guard;
    ClassMask completes;
    std::size_t from;  // offsets of the views
    std::size_t to;    // or 0 for nowhere
    model::Letter letter;
  };
  void apply(Trail& graph, const Rule& rule, EventId source, EventId id) const {
    if (!contains(rule.guard, graph[source].cls)) return;
    if (rule.letter == model::Letter::poi && graph[source].thread != graph[id].thread) return;
    const Lane* view = graph.view(source, rule.from);
    if (rule.to != 0) clock::join(graph.view(id, rule.to), view, graph.chunks());
    if (contains(rule.completes, graph[id].cls)) clock::join(graph.view(id, complete_), view, graph.chunks());
  }
  // An edge that counts as program order.
  void applyPo(Trail& graph, EventId source, EventId id) const {
    clock::join(graph.view(id, complete_), graph.view(source, complete_), graph.chunks());
    for (const Rule& rule : poRules_) apply(graph, rule, source, id);
  }
  template <class AnyGraph>
  void applyInLocation(AnyGraph& graph, EventId id) const;

  bool isPorf_;
  bool isPo_;  // there are no rules, but for what goes from thread to thread in every model
  std::size_t complete_;
  std::size_t partial_, end_;  // the partial views
  std::size_t lanes_;
  std::vector<Rule> poRules_, rfRules_, rmwRules_;
  std::vector<Rule> locationRules_;  // from earlier accesses of the thread to the location
  ClassMask inLocation_;             // the accesses that these say something about
};

// Complete views grow in a thread, so the last access that a rule takes one from has all that earlier ones have.
template <class AnyGraph>
void ViewComputer::applyInLocation(AnyGraph& graph, EventId id) const {
  const Event& event = graph[id];
  for (const Rule& rule : locationRules_) {
    for (EventId source = event.poPrev; source != kNone && graph[source].thread == event.thread;
         source = graph[source].poPrev) {
      if (!graph.overlap(source, id) || !contains(rule.guard, graph[source].cls)) continue;
      apply(graph, rule, source, id);
      if (rule.from == complete_) break;
    }
  }
}

template <class AnyGraph>
void ViewComputer::computeByRules(AnyGraph& graph, EventId id) const {
  const Event& event = graph[id];
  const EventId previous = event.poPrev;
  carryOn(graph, id);
  for (std::size_t view = partial_; view < end_; view += lanes_) clock::fill(graph.view(id, view), 0, graph.chunks());
  if (previous != kNone) {
    for (const Rule& rule : poRules_) apply(graph, rule, previous, id);
  }
  if (event.isRead()) {
    graph.forEachSource(id, [&](EventId source) {
      const bool internal = graph[source].thread == event.thread;
      for (const Rule& rule : rfRules_) {
        if (rule.letter == model::Letter::rf || (rule.letter == model::Letter::rfi) == internal) {
          apply(graph, rule, source, id);
        }
      }
    });
    forEachLeaving(graph, id, [&](EventId leaving) { applyPo(graph, leaving, id); });
  } else if (event.isWrite()) {
    if (event.rmw) {
      for (const Rule& rule : rmwRules_) apply(graph, rule, previous, id);
    }
  } else if (event.kind == EventKind::thread && graph.operation(id).kind == OperationKind::join) {
    applyPo(graph, graph.last(static_cast<ThreadId>(event.partner)), id);
  } else if (event.kind == EventKind::thread && graph.operation(id).kind == OperationKind::depart) {
    graph.forEachArrival(id, [&](EventId arrival) { applyPo(graph, arrival, id); });
  }
  if (contains(inLocation_, event.cls)) applyInLocation(graph, id);
}

extern template void ViewComputer::computeByRules(Graph&, EventId) const;

// The views that a model needs, in a graph of so many threads.
class ModelViews {
 public:
  // `races`: the happens-before that races are judged by is needed as well.
  ModelViews(const model::CompiledModel& model, const ProgramClasses& classes, unsigned threads, bool races);

  unsigned count() const { return count_; }
  bool areComputed() const { return !coherence_.isPorf() || race_; }
  unsigned addOne() { return ++count_; }  // of somebody else, who computes it
  // The view that coherence is kept by, and the one that races are judged by.
  std::size_t coherenceView() const { return coherence_.complete(); }
  std::size_t raceView() const { return raceView_; }

  template <class AnyGraph>
  void compute(AnyGraph& graph, EventId id) const {
    coherence_.compute(graph, id);
    if (race_) race_->compute(graph, id);
  }

 private:
  ViewComputer add(const model::ViewPlan& plan, const ProgramClasses& classes, unsigned threads);

  unsigned count_ = 0;
  ViewComputer coherence_;
  std::optional<ViewComputer> race_;  // where it is another view than that of coherence
  std::size_t raceView_ = 0;
};

}  // namespace heddle::explore
