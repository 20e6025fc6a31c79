#include "explore/order_search.h"

#include <algorithm>

#include "explore/cycle_search.h"

namespace heddle::explore {

namespace {

// Does program order lead from it to more than the next event of its thread?
bool mayLeaveThread(const Event& event) { return event.poNext == kNone || event.rmw || event.kind == EventKind::thread; }

}  // namespace

bool OrderSearch::returns(const Graph& graph, EventId start, ClassMask accesses) {
  std::fill_n(first_.begin(), graph.threads(), kNever);
  const Lane& atHome = first_[graph[start].thread];
  const auto home = static_cast<Lane>(graph[start].index + 1);
  first_[graph[start].thread] = home;  // so that the start itself counts as new, like what precedes it
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
      if (atHome < home) return true;
      id = event.poNext;
    } while (id != kNone && graph[id].index < stretch.end);
  }
  return false;
}

}  // namespace heddle::explore
