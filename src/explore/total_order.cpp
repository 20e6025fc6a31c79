#include "explore/total_order.h"

#include <algorithm>

#include "explore/cycle_search.h"

namespace heddle::explore {

namespace {

constexpr std::uint32_t kMaxSaved = 1u << 22;

}  // namespace

TotalOrder::TotalOrder(unsigned view, unsigned threads)
    : view_(Graph::viewOffset(threads, view)),
      lanes_(Graph::lanesFor(threads)),
      edges_(Graph::kMaxEvents),
      savedEvents_(kMaxSaved),
      savedClocks_(kMaxSaved * lanes_) {}

void TotalOrder::compute(Graph& graph, EventId id) const {
  const Event& event = graph[id];
  const unsigned chunks = graph.chunks();
  Lane* before = graph.view(id, view_);
  if (event.poPrev != kNone) {
    clock::copy(before, graph.view(event.poPrev, view_), chunks);
  } else {
    clock::fill(before, 0, chunks);
  }
  const auto join = [&](EventId other) {
    if (!isInitial(other)) clock::join(before, graph.view(other, view_), chunks);
  };
  if (event.isRead()) {
    join(event.rf);
  } else if (event.isWrite()) {
    join(event.coPrev);
    for (EventId r = graph[event.coPrev].firstReader; r != kNone; r = graph[r].readerNext) join(r);
  } else if (event.kind == EventKind::thread && graph.operation(id).kind == OperationKind::join) {
    join(graph.last(static_cast<ThreadId>(event.partner)));
  } else if (event.kind == EventKind::thread && graph.operation(id).kind == OperationKind::depart) {
    graph.forEachArrival(id, join);
  }
  before[event.thread] = event.index;
}

bool TotalOrder::admit(const Graph& graph, std::span<const EventId> added) {
  // What the additions go before, past those of them that follow one another in co.
  EventId next = goesBefore(graph, added[0]);
  while (std::find(added.begin(), added.end(), next) != added.end()) next = graph[next].coNext;
  if (next != kNone) {
    for (const EventId id : added) {
      const EventId previous = graph[id].poPrev;
      if (previous == kNone || std::find(added.begin(), added.end(), previous) != added.end()) continue;
      if (isBefore(graph, next, previous)) return false;
    }
  }
  put(graph, added);
  return true;
}

// These additions may go before other events. A write that was there before the read that reads from it is none of them: it has
// a clock, which has been passed on, and what goes before it may have been put off.
void TotalOrder::put(const Graph& graph, std::span<const EventId> added) {
  if (added.size() == 2 && graph[added[0]].isWrite() && added[0] < added[1]) added = added.subspan(1);
  addedMaximally(added);
  for (const EventId id : added) {
    const EventId next = goesBefore(graph, id);
    if (next != kNone && std::find(added.begin(), added.end(), next) == added.end()) edges_[edgeCount_++] = {id, next};
  }
}

// Joins a clock into an event's; true if that changed it. Mostly it does not, and a call would cost more.
[[gnu::always_inline]] inline bool TotalOrder::raise(Graph& graph, EventId id, const Lane* by) {
  Lane* before = graph.view(id, view_);
  if (!clock::someGreater(by, before, graph.chunks())) return false;
  if (saved_ == kMaxSaved) throw LimitError("the execution graph is too large for the clocks of its total order");
  savedEvents_[saved_] = id;
  clock::copy(savedClocks_.data() + std::size_t{saved_} * lanes_, before, graph.chunks());
  ++saved_;
  clock::join(before, by, graph.chunks());
  return true;
}

void TotalOrder::passOn(Graph& graph) {
  for (; passedOn_ < edgeCount_; ++passedOn_) {
    const auto [from, to] = edges_[passedOn_];
    if (raise(graph, to, graph.view(from, view_))) work_.push_back(to);
  }
  while (!work_.empty()) {
    // Along program order as far as something changes: what comes after an unchanged event has it all already.
    EventId id = work_.back();
    work_.pop_back();
    while (id != kNone) {
      const Lane* before = graph.view(id, view_);
      const auto follow = [&](EventId next) {
        if (raise(graph, next, before)) work_.push_back(next);
      };
      const Event& event = graph[id];
      if (event.isWrite()) {
        edges::rf(graph, id, follow);
        edges::co(graph, id, follow);
      } else if (event.isRead()) {
        edges::rb(graph, id, follow);
      }
      if (event.poNext == kNone || event.kind == EventKind::thread) {  // a join, a spawned thread, a departure
        edges::po(graph, id, follow);
        break;
      }
      id = raise(graph, event.poNext, before) ? event.poNext : kNone;
    }
  }
}

void TotalOrder::restore(Graph& graph, std::uint32_t saved) {
  while (saved_ > saved) {
    --saved_;
    clock::copy(graph.view(savedEvents_[saved_], view_), savedClocks_.data() + std::size_t{saved_} * lanes_, graph.chunks());
  }
}

}  // namespace heddle::explore
