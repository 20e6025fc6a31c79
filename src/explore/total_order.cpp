#include "explore/total_order.h"

#include <algorithm>

#include "explore/cycle_search.h"

namespace heddle::explore {

namespace {

constexpr std::uint32_t kMaxSaved = 1u << 22;

// The write that an event goes before in co or rb, or kNone. The write of a read-modify-write goes before it for both.
EventId goesBefore(const Graph& graph, EventId id) {
  const Event& event = graph[id];
  return event.isWrite() ? event.coNext : graph[event.rf].coNext;
}

}  // namespace

TotalOrder::TotalOrder(unsigned view, unsigned threads)
    : view_(Graph::viewOffset(threads, view)),
      lanes_(Graph::lanesFor(threads)),
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
      if (graph.inPrefix(graph.view(previous, view_), next)) return false;
    }
  }
  postpone(added, true);
  return true;
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
  const std::span<const EventId> added(pending_.data(), pendingCount_);
  for (const EventId id : added) compute(graph, id);
  if (goBefore_) {
    for (const EventId id : added) {
      if (const EventId next = goesBefore(graph, id); next != kNone) {
        if (raise(graph, next, graph.view(id, view_))) work_.push_back(next);
      }
    }
  }
  pendingCount_ = 0;
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

void TotalOrder::rollBack(Graph& graph, std::uint32_t mark) {
  pendingCount_ = 0;
  while (saved_ > mark) {
    --saved_;
    clock::copy(graph.view(savedEvents_[saved_], view_), savedClocks_.data() + std::size_t{saved_} * lanes_, graph.chunks());
  }
}

}  // namespace heddle::explore
