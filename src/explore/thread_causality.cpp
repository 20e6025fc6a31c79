#include "explore/thread_causality.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "program/lock.h"

namespace heddle::explore {

using model::Automaton;
using model::Letter;

namespace {

// Does this contain po & loc, within a thread, between the events of a program? `classes`: which those are.
bool isWithinLocation(const model::FilteredRelation& filtered, ClassSet classes) {
  if (filtered.filter != model::Filter::sameLocation) return false;
  return included(restrictTo(toAutomaton(model::plus(model::letter(Letter::poi))), classes), *filtered.relation);
}

}  // namespace

// Edges that leave the thread are left out: then fewer reads come before a write, which is on the safe side.
ThreadCausality::ThreadCausality(const Automaton& paths, const ProgramClasses& classes, bool controlEnds)
    : states_(static_cast<unsigned>(paths.states())), controlEnds_(controlEnds) {
  if (states_ > 64) throw std::logic_error("a causal order with too many states");
  const auto forEachIn = [](ClassMask mask, const auto& visit) {
    for (; mask != 0; mask &= mask - 1) visit(static_cast<unsigned>(std::countr_zero(mask)));
  };
  for (unsigned state = 0; state < states_; ++state) {
    forEachIn(classes.mask(paths.accept[state]), [&](unsigned cls) { at_[cls] |= States{1} << state; });
    for (const model::Transition& t : paths.transitions[state]) {
      const auto add = [&](Steps& steps) {
        forEachIn(classes.mask(t.guard), [&](unsigned cls) {
          steps[cls].resize(states_);
          steps[cls][state] |= States{1} << t.to;
        });
      };
      switch (t.letter) {
        case Letter::po:
        case Letter::poi: add(po_); break;
        case Letter::addr: add(addr_); break;
        case Letter::data: add(data_); break;
        case Letter::ctrl: add(ctrl_); break;
        case Letter::rf:
        case Letter::rfi: add(rfi_); break;
        case Letter::rmw: add(rmw_); break;
        case Letter::filtered:
          if (!isWithinLocation(paths.filtered[t.filtered], classes.set())) break;
          add(poLoc_);
          hasPoLoc_ = true;
          break;
        case Letter::rfe:
        case Letter::co:
        case Letter::rb: break;
      }
    }
  }
  findSettling(classes);
}

// The states of which each keeps, at an event of any class, a step of program order into one of them.
void ThreadCausality::findSettling(const ProgramClasses& classes) {
  const ClassMask writes = classes.mask(classes.set() & heddle::classes::kWrite & ~heddle::classes::kInitial);
  const ClassMask all = classes.mask(classes.set() & model::infoOf(Letter::po).domain);
  const auto leads = [&](unsigned state, unsigned cls) { return !po_[cls].empty() && (po_[cls][state] & settling_) != 0; };
  settling_ = states_ == 64 ? ~States{0} : (States{1} << states_) - 1;
  for (unsigned cls = 0; cls < at_.size(); ++cls) {
    if ((writes >> cls & 1) != 0) settling_ &= at_[cls];
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned state = 0; state < states_; ++state) {
      if ((settling_ >> state & 1) == 0) continue;
      for (unsigned cls = 0; cls < po_.size(); ++cls) {
        if ((all >> cls & 1) == 0 || leads(state, cls)) continue;
        settling_ &= ~(States{1} << state);
        changed = true;
        break;
      }
    }
  }
  for (unsigned cls = 0; cls < po_.size(); ++cls) {
    if (leads(0, cls)) settledAtOnce_ |= ClassMask{1} << cls;
  }
}

ThreadCausality::States ThreadCausality::follow(States from, const std::vector<States>& steps) {
  States to = 0;
  for (; from != 0; from &= from - 1) to |= steps[static_cast<std::size_t>(std::countr_zero(from))];
  return to;
}

// A compare-exchange orders no more than if it had failed, which it may in an execution that is not built here
// (causal/causal_conditional.cpp).
EventClass ThreadCausality::classOf(const Graph& graph, EventId id) const {
  const Event& event = graph[id];
  if (!controlEnds_ || !event.rmw) return event.cls;
  const Operation& operation = graph.operation(id);
  if (operation.kind != OperationKind::cas) return event.cls;
  return eventClass(EventKind::read, operation.failureOrder, false);
}

// An edge from an event of the thread, if reads that are open (those from `settled` on) come before that. The number of settled reads
// grows along a thread.
void ThreadCausality::pass(const Graph& graph, EventId from, std::uint32_t settled, const Steps& steps) {
  const std::vector<States>& ofClass = steps[classOf(graph, from)];
  const Reads& reads = reads_[from - kFirstEvent];
  if (ofClass.empty()) return;
  const States* const open = openAt(from);
  for (std::uint32_t read = settled; read < reads.all; ++read) {
    reached_[read - settled] |= follow(open[read - reads.settled], ofClass);
  }
}

// Events without an open read before them have nothing to pass on.
void ThreadCausality::passWithinLocation(const Graph& graph, EventId id) {
  const Event& event = graph[id];
  if (!hasPoLoc_ || event.location == 0) return;
  const std::uint32_t settled = reads_[event.poPrev - kFirstEvent].settled;
  for (EventId before = event.poPrev; reads_[before - kFirstEvent].all > settled; before = graph[before].poPrev) {
    if (graph[before].location == event.location) pass(graph, before, settled, poLoc_);
    if (graph[before].index == 1) break;
  }
}

// The states that paths from the reads that are open before the event end in.
void ThreadCausality::findStates(const Graph& graph, EventId id) {
  const Event& event = graph[id];
  const std::uint32_t settled = reads_[event.poPrev - kFirstEvent].settled;
  pass(graph, event.poPrev, settled, po_);
  for (const DependencyEdges::Edge& edge : graph.dependencies()->into(id)) {
    pass(graph, edge.from, settled, edge.kind == Dependency::addr ? addr_ : edge.kind == Dependency::data ? data_ : ctrl_);
  }
  if (event.isRead() && !isInitial(event.rf) && graph[event.rf].thread == event.thread) {
    pass(graph, event.rf, settled, rfi_);
  }
  if (event.isWrite() && event.rmw) pass(graph, event.poPrev, settled, rmw_);
  passWithinLocation(graph, id);
}

// The states of the reads that are still open at the event, which are the last ones that were reached.
void ThreadCausality::keepOpen(EventId id) {
  const Reads& reads = reads_[id - kFirstEvent];
  const std::size_t open = reads.all - reads.settled;
  if (open > width_) {
    const std::size_t width = std::bit_ceil(open);
    std::vector<States> wider(open_.size() / width_ * width);
    for (std::size_t event = 0; event * width_ < open_.size(); ++event) {
      std::copy_n(open_.data() + event * width_, width_, wider.data() + event * width);
    }
    open_ = std::move(wider);
    width_ = width;
  }
  const std::size_t size = (id - kFirstEvent + 1) * width_;
  if (size > open_.size()) open_.resize(std::max(size, 2 * open_.size()));
  std::copy(reached_.end() - static_cast<std::ptrdiff_t>(open), reached_.end(),
            open_.data() + std::size_t{id - kFirstEvent} * width_);
}

void ThreadCausality::compute(const Graph& graph, EventId id) {
  const Event& event = graph[id];
  if (id - kFirstEvent >= reads_.size()) reads_.resize(2 * (id - kFirstEvent + 1));
  Reads& reads = reads_[id - kFirstEvent];
  reads = event.index == 1 ? Reads{0, 0} : reads_[event.poPrev - kFirstEvent];
  const bool wereSettled = reads.areSettled();
  const std::uint32_t first = reads.settled;
  if (event.isRead()) {
    if (wereSettled && contains(settledAtOnce_, classOf(graph, id))) ++reads.settled;
    ++reads.all;
  }
  if (reads.areSettled()) return;
  reached_.assign(reads.all - first, 0);
  if (!wereSettled) findStates(graph, id);
  if (event.isRead()) reached_.back() |= 1;  // where words begin
  while (!reads.areSettled() && (reached_[reads.settled - first] & settling_) != 0) ++reads.settled;
  if (event.isWrite() && !leavesReading(graph.operation(id))) {
    for (std::uint32_t read = reads.settled; read < reads.all; ++read) {
      if ((reached_[read - first] & at_[event.cls]) == 0) throw LoadBuffering{};
    }
  }
  keepOpen(id);
}

}  // namespace heddle::explore
