#include "explore/order_search.h"

#include <algorithm>

#include "explore/cycle_search.h"

namespace heddle::explore {

namespace {

// Does program order lead from it to more than the next event of its thread?
bool mayLeaveThread(const Event& event) { return event.poNext == kNone || event.rmw || event.kind == EventKind::thread; }

// What precedes this index of its thread is new if it is reached from the start, and so is the start itself.
Lane homeOf(const Graph& graph, EventId start) { return static_cast<Lane>(graph[start].index + 1); }

}  // namespace

template <class Stops>
void OrderSearch::goForward(const Graph& graph, EventId start, ClassMask accesses, const Stops& stops) {
  std::fill_n(first_.begin(), graph.threads(), kNever);
  first_[graph[start].thread] = homeOf(graph, start);
  const auto reach = [&](EventId next) {
    const Event& event = graph[next];
    Lane& first = first_[event.thread];
    if (event.index >= first) return;
    work_.push_back({next, first});
    first = event.index;
  };
  const auto communicate = [&](EventId next) {
    if (contains(accesses, graph[next].cls)) reach(next);
  };
  work_.clear();
  work_.push_back({start, kNever});
  while (!work_.empty()) {
    const Stretch stretch = work_.back();
    work_.pop_back();
    EventId id = stretch.from;
    do {
      const Event& event = graph[id];
      if (contains(accesses, event.cls)) {
        if (event.isWrite()) {
          edges::rf(graph, id, communicate);
          edges::co(graph, id, communicate);
        } else {
          edges::rb(graph, id, communicate);
        }
      }
      if (mayLeaveThread(event)) edges::po(graph, id, reach);
      if (stops()) return;
      id = event.poNext;
    } while (id != kNone && graph[id].index < stretch.end);
  }
}

bool OrderSearch::returns(const Graph& graph, EventId start, ClassMask accesses) {
  const Lane& atHome = first_[graph[start].thread];
  const Lane home = homeOf(graph, start);
  bool returned = false;
  goForward(graph, start, accesses, [&] { return returned = atHome < home; });
  return returned;
}

// The same against all edges, among what is reached from the start.
void OrderSearch::goBack(const Graph& graph, EventId start) {
  std::fill_n(last_.begin(), graph.threads(), Lane{0});
  work_.clear();
  const auto reach = [&](EventId previous) {
    if (previous == kNone || isInitial(previous)) return;
    const Event& event = graph[previous];
    Lane& last = last_[event.thread];
    if (event.index <= last || event.index < first_[event.thread]) return;
    work_.push_back({previous, last});
    last = event.index;
    end_[event.thread] = previous;
  };
  reach(start);
  while (!work_.empty()) {
    const Stretch stretch = work_.back();
    work_.pop_back();
    const Lane begin = std::max<Lane>(stretch.end + 1, first_[graph[stretch.from].thread]);
    for (EventId id = stretch.from;; id = graph[id].poPrev) {
      const Event& event = graph[id];
      if (event.isRead()) {
        reach(event.rf);
        forEachLeaving(graph, id, reach);
      } else if (event.isWrite()) {
        edges::rf(graph, event.coPrev, reach);  // whose rb leads here
        reach(event.coPrev);
      } else if (event.kind == EventKind::thread) {
        const OperationKind kind = graph.operation(id).kind;
        if (kind == OperationKind::join) reach(graph.last(static_cast<ThreadId>(event.partner)));
        if (kind == OperationKind::depart) graph.forEachArrival(id, reach);
      }
      if (event.index == 1) reach(event.poPrev);  // who has started the thread
      if (event.index <= begin) break;
    }
  }
}

bool OrderSearch::findComponent(const Graph& graph, EventId start) {
  goForward(graph, start, ~ClassMask{0}, [] { return false; });
  if (first_[graph[start].thread] == homeOf(graph, start)) return false;
  goBack(graph, start);
  return true;
}

ClassMask OrderSearch::componentClasses(const Graph& graph) const {
  ClassMask result = 0;
  for (unsigned t = 0; t < graph.threads(); ++t) {
    if (last_[t] == 0) continue;
    for (EventId id = end_[t];; id = graph[id].poPrev) {
      result |= ClassMask{1} << graph[id].cls;
      if (graph[id].index <= first_[t]) break;
    }
  }
  return result;
}

}  // namespace heddle::explore
