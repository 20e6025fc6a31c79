#include "explore/consistency.h"

#include <set>
#include <stdexcept>

#include "graph/lock_order.h"
#include "model/generate.h"
#include "program/lock.h"

namespace heddle {

using model::Letter;
using model::ViewPlan;

ViewComputer::ViewComputer(const ViewPlan& plan, unsigned firstView, unsigned threads)
    : isPorf_(plan.isPorf),
      complete_(plan.isPorf ? 0 : Graph::viewOffset(threads, firstView)),
      partial_(Graph::viewOffset(threads, firstView + 1)),
      end_(Graph::viewOffset(threads, firstView + plan.views())),
      lanes_(Graph::lanesFor(threads)),
      inLocation_(plan.reachedInLocation()) {
  for (const model::ViewRule& rule : plan.rules) {
    Rule compiled{rule.guard, rule.completes, complete_, 0, rule.letter};
    if (rule.from != ViewPlan::kComplete) compiled.from = partial_ + lanes_ * static_cast<unsigned>(rule.from);
    if (rule.to != ViewPlan::kNowhere) compiled.to = partial_ + lanes_ * static_cast<unsigned>(rule.to);
    switch (rule.letter) {
      case Letter::po:
      case Letter::poi: poRules_.push_back(compiled); break;
      case Letter::rmw: rmwRules_.push_back(compiled); break;
      case Letter::filtered: locationRules_.push_back(compiled); break;
      default: rfRules_.push_back(compiled); break;
    }
  }
}

void ViewComputer::apply(Graph& graph, const Rule& rule, EventId source, EventId id) const {
  if (!contains(rule.guard, graph[source].cls)) return;
  if (rule.letter == Letter::poi && graph[source].thread != graph[id].thread) return;
  const Lane* view = graph.view(source, rule.from);
  if (rule.to != 0) clock::join(graph.view(id, rule.to), view, graph.chunks());
  if (contains(rule.completes, graph[id].cls)) clock::join(graph.view(id, complete_), view, graph.chunks());
}

// Complete views grow in a thread, so the last access that a rule takes one from has all that earlier ones have.
void ViewComputer::applyInLocation(Graph& graph, EventId id) const {
  const Event& event = graph[id];
  for (const Rule& rule : locationRules_) {
    for (EventId source = event.poPrev; source != kNone && graph[source].thread == event.thread;
         source = graph[source].poPrev) {
      if (graph[source].location != event.location || !contains(rule.guard, graph[source].cls)) continue;
      apply(graph, rule, source, id);
      if (rule.from == complete_) break;
    }
  }
}

void ViewComputer::compute(Graph& graph, EventId id) const {
  if (isPorf_) return;
  const Event& event = graph[id];
  Lane* complete = graph.view(id, complete_);
  const EventId previous = event.poPrev;
  if (previous != kNone) {
    clock::copy(complete, graph.view(previous, complete_), graph.chunks());
  } else {
    clock::fill(complete, 0, graph.chunks());
  }
  for (std::size_t view = partial_; view < end_; view += lanes_) clock::fill(graph.view(id, view), 0, graph.chunks());
  if (previous != kNone) {
    for (const Rule& rule : poRules_) apply(graph, rule, previous, id);
  }
  if (event.isRead()) {
    if (!isInitial(event.rf)) {
      const bool internal = graph[event.rf].thread == event.thread;
      for (const Rule& rule : rfRules_) {
        if (rule.letter == Letter::rf || (rule.letter == Letter::rfi) == internal) apply(graph, rule, event.rf, id);
      }
      forEachLeaving(graph, id, [&](EventId leaving) {
        clock::join(complete, graph.view(leaving, complete_), graph.chunks());
        for (const Rule& rule : poRules_) apply(graph, rule, leaving, id);
      });
    }
  } else if (event.isWrite()) {
    if (event.rmw) {
      for (const Rule& rule : rmwRules_) apply(graph, rule, previous, id);
    }
  } else if (event.kind == EventKind::thread && graph.operation(id).kind == OperationKind::join) {
    const EventId end = graph.last(static_cast<ThreadId>(event.partner));
    clock::join(complete, graph.view(end, complete_), graph.chunks());
    for (const Rule& rule : poRules_) apply(graph, rule, end, id);
  } else if (event.kind == EventKind::thread && graph.operation(id).kind == OperationKind::depart) {
    graph.forEachArrival(id, [&](EventId arrival) {
      clock::join(complete, graph.view(arrival, complete_), graph.chunks());
      for (const Rule& rule : poRules_) apply(graph, rule, arrival, id);
    });
  }
  if (contains(inLocation_, event.cls)) applyInLocation(graph, id);
  complete[event.thread] = event.index;
}

ClassSet classesOf(const Program& program) {
  const std::vector<Operation> operations = program.operations();
  if (operations.empty()) return kAllClasses;
  ClassSet set = classes::kInitial | classes::kThread | classes::kChoice;
  const auto add = [&](EventKind kind, Order order, bool rmw) { set |= ClassSet{1} << eventClass(kind, order, rmw); };
  for (const Operation& operation : operations) {
    switch (operation.kind) {
      case OperationKind::load: add(EventKind::read, operation.order, false); break;
      case OperationKind::store: add(EventKind::write, operation.order, false); break;
      case OperationKind::cas: add(EventKind::read, operation.failureOrder, false); [[fallthrough]];
      case OperationKind::rmw:
        add(EventKind::read, operation.order, true);
        add(EventKind::write, operation.order, true);
        break;
      case OperationKind::fence: add(EventKind::fence, operation.order, false); break;
      case OperationKind::lock:
        add(EventKind::read, orderOf(operation.lock), false);
        add(EventKind::read, orderOf(operation.lock), true);
        add(EventKind::write, orderOf(operation.lock), true);
        break;
      case OperationKind::unlock: add(EventKind::write, Order::release, false); break;
      default: break;
    }
  }
  return set;
}

bool isTotalOrder(const model::Automaton& automaton, ClassSet classes) {
  if (automaton.form != model::Form::cycles || automaton.states() != 1) return false;
  std::set<Letter> letters;
  for (const model::Transition& t : automaton.transitions[0]) {
    if (!t.wrap || (t.guard & classes) != (domainOf(t.letter) & classes)) return false;
    letters.insert(t.letter);
  }
  return letters == std::set<Letter>{Letter::po, Letter::rf, Letter::co, Letter::rb};
}

namespace {

ViewPlan coherencePlan(const model::CompiledModel& model, ClassSet classes) {
  // Without a coherence axiom of its own a model gets the weakest view, program order; what it does forbid is
  // left to the searches.
  return planView(model.coherence ? *model.coherence : *model::viewRelation(model::programOrder()), classes);
}

}  // namespace

Consistency::Consistency(const model::CompiledModel& model, ClassSet classes, unsigned threads, bool races,
                         bool tracksCo)
    : coherence_(addViews(coherencePlan(model, classes), threads)) {
  if (races) {
    const ViewPlan plan = planView(model.happensBefore, classes);
    if (plan != coherencePlan(model, classes)) race_ = addViews(plan, threads);
    raceView_ = race_ ? race_->complete() : coherence_.complete();
  }
  for (const model::CycleAxiom& axiom : cycleAxioms(model, classes)) {
    if (tracksCo && !order_ && isTotalOrder(axiom.automaton, classes)) {
      order_.emplace(++views_, threads);
#ifndef HEDDLE_INVARIANTS
      continue;
#endif
    }
    std::unique_ptr<CycleSearch> search;
    if (model.builtin) {
      const auto& profiles = model::generatedProfiles();
      std::size_t profile = 0;
      while ((classes & ~profiles[profile]) != 0) ++profile;
      search = generatedSearch(profile, model.name, axiom);
    }
    searches_.push_back(search ? std::move(search) : interpretAxiom(axiom));
  }
}

// The views of a plan, after those there are.
ViewComputer Consistency::addViews(const ViewPlan& plan, unsigned threads) {
  const unsigned first = 1 + views_;
  views_ += plan.views();
  return ViewComputer(plan, first, threads);
}

bool Consistency::holds(Graph& graph, std::span<const EventId> added) {
  const bool ordered = !order_ || order_->admit(graph, added);
#ifndef HEDDLE_INVARIANTS
  if (!ordered) return false;
#endif
  bool found = false;
  for (const auto& search : searches_) found = found || search->findsCycle(graph, added);
#ifdef HEDDLE_INVARIANTS
  if (order_ && !ordered && !found) throw std::logic_error("the clocks of the total order find a cycle where there is none");
  if (order_ && ordered && found && searches_.size() == 1) throw std::logic_error("the clocks of the total order miss a cycle");
#endif
  return ordered && !found;
}

bool Consistency::holdsEverywhere(Graph& graph) {
  if (searches_.empty()) return true;
  everywhere_.clear();
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) everywhere_.push_back(id);
  return holds(graph, everywhere_);
}

}  // namespace heddle
