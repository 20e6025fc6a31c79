#include "run/tracer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "program/lock.h"
#include "runtime/notifications.h"
#include "trace/words.h"

namespace heddle::run {

namespace {

using trace::Event;
using native::isEndOfWait;
using native::isNotification;
using trace::orderName;

std::vector<EventId> sourcesOf(const Graph& graph, EventId read) { return {graph[read].rf}; }
std::vector<EventId> sourcesOf(const MixedGraph& graph, EventId read) {
  std::vector<EventId> writes;
  for (const heddle::Source& source : graph.sources(read)) writes.push_back(source.write);
  return writes;
}

template <class F>
void forEachArrival(const Graph& graph, EventId departure, F visit) {
  graph.forEachArrival(departure, visit);
}
template <class F>
void forEachArrival(const MixedGraph&, EventId, F) {}  // there are no barriers

// Every event after those it depends on (po, rf, and the end of a joined thread); otherwise in insertion order.
template <class AnyGraph>
class CausalOrder {
 public:
  explicit CausalOrder(const AnyGraph& graph) : graph_(graph) {
    std::vector<EventId> insertion;
    for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) insertion.push_back(id);
    for (auto it = insertion.rbegin(); it != insertion.rend(); ++it) add(*it);
  }
  const std::vector<EventId>& events() const { return order_; }

 private:
  void add(EventId first) {
    std::vector<EventId> open{first};
    while (!open.empty()) {
      const EventId id = open.back();
      if (done_.contains(id)) {
        open.pop_back();
        continue;
      }
      const auto& event = graph_[id];
      const std::size_t depth = open.size();
      const auto need = [&](EventId other) {
        if (other != kNone && !isInitial(other) && !done_.contains(other)) open.push_back(other);
      };
      need(event.poPrev);
      if (event.isRead()) {
        for (const EventId source : sourcesOf(graph_, id)) need(source);
      }
      if (event.kind == EventKind::thread && graph_.operation(id).kind == OperationKind::depart) {
        forEachArrival(graph_, id, need);
      }
      if (event.kind == EventKind::thread && graph_.operation(id).kind == OperationKind::join) {
        need(graph_.last(static_cast<ThreadId>(event.partner)));
      }
      if (open.size() > depth) continue;
      open.pop_back();
      done_.insert(id);
      order_.push_back(id);
    }
  }

  const AnyGraph& graph_;
  std::set<EventId> done_;
  std::vector<EventId> order_;
};

template <class AnyGraph>
class Tracer {
 public:
  Tracer(const AnyGraph& graph, const SourceNames& names, const TraceOptions& options)
      : graph_(graph), names_(names), options_(options) {}

  trace::Execution trace() {
    const CausalOrder order(graph_);
    for (const bool relevant : {true, false}) {
      for (const EventId id : order.events()) {
        if (shownAs(id) != id || isWaiting(id) || isRelevant(id) != relevant) continue;
        numbers_[id] = static_cast<unsigned>(numbers_.size() + 1);
        shown_.push_back(id);
      }
    }
    trace::Execution result;
    for (const EventId id : shown_) result.events.push_back(describe(id));
    for (unsigned t = 0; t < graph_.threads(); ++t) result.threads.push_back(names_.thread(static_cast<ThreadId>(t)));
    if (options_.coherence) describeCoherence(graph_, result.coherence);
    return result;
  }

 private:
  // The two events of a read-modify-write are shown as one: the read.
  bool isRmwWrite(EventId id) const { return graph_[id].isWrite() && graph_[id].rmw; }
  // A lock that waits is an event of the graph only where sizes are mixed.
  bool isWaiting(EventId id) const {
    return graph_[id].isRead() && mustWait(graph_.operation(id), graph_[id].value);
  }
  // A writer takes a lock part by part. It has the lock when it has the last part, and does not when it has given back
  // the first.
  EventId shownAs(EventId id) const {
    if (isRmwWrite(id)) id = graph_[id].poPrev;
    const Operation operation = graph_.operation(id);
    const auto isPart = [&](EventId other, Value part) {
      const Operation& o = graph_.operation(other);
      return o.kind == operation.kind && o.expected == operation.expected && o.operand == part;
    };
    if (operation.expected == 0 || operation.lock != LockOp::hold) return id;
    if (operation.kind == OperationKind::unlock) {
      for (Value part = operation.operand; part != 0; --part) id = graph_[id].poPrev;
    } else if (operation.kind == OperationKind::lock) {
      for (Value part = operation.operand + 1;; ++part) {
        const EventId write = graph_[id].poNext, next = write == kNone ? kNone : graph_[write].poNext;
        if (next == kNone || !isPart(next, part)) break;
        id = next;
      }
    }
    return id;
  }
  unsigned numberOf(EventId id) const {
    if (id == kNone || isInitial(id)) return 0;
    return numbers_.at(shownAs(id));
  }

  bool isRelevant(EventId id) const {
    if (options_.ends.empty()) return true;
    return std::any_of(options_.ends.begin(), options_.ends.end(),
                       [&](EventId end) { return graph_.inPrefix(graph_.porf(end), id); });
  }

  // Who a read reads from.
  void describeSources(const Graph& graph, EventId read, Event& shown) const {
    shown.from = numberOf(graph[read].rf);
  }
  void describeSources(const MixedGraph& graph, EventId read, Event& shown) const {
    shown.fromParts = partsOf(graph, read, [&](const Cell& cell) { return graph.sourceOf(read, cell.bytes); });
    settle(shown.fromParts, shown.from);
  }

  // What a write follows in coherence order.
  void describePlace(const Graph& graph, EventId write, Event& shown) const {
    shown.coAfter = numberOf(graph[write].coPrev);
  }
  void describePlace(const MixedGraph& graph, EventId write, Event& shown) const {
    shown.coAfterParts = partsOf(graph, write, [&](const Cell& cell) {
      const std::uint32_t position = MixedGraph::positionAfter(cell, write);
      return position > 1 ? cell.order[position - 2] : kNone;
    });
    settle(shown.coAfterParts, shown.coAfter);
  }

  // For each run of bytes of an access that have the same event there, which it is.
  template <class F>
  std::vector<Event::Part> partsOf(const MixedGraph& graph, EventId id, F&& other) const {
    const MixedEvent& event = graph[id];
    std::map<unsigned, unsigned> numbers;  // by byte
    graph.forEachCell(id, [&](const Cell& cell) {
      for (unsigned byte = 0; byte < kLineBytes; ++byte) {
        if ((cell.bytes >> byte) & 1) numbers[byte] = numberOf(other(cell));
      }
    });
    std::vector<Event::Part> parts;
    for (auto it = numbers.begin(); it != numbers.end();) {
      const unsigned first = it->first, number = it->second;
      unsigned size = 0;
      for (; it != numbers.end() && it->second == number; ++it) ++size;
      parts.push_back({names_.bytes(graph.line(event.line).base + first, size), number});
    }
    return parts;
  }
  // If it is the same for all bytes, that is all there is to say.
  static void settle(std::vector<Event::Part>& parts, unsigned& number) {
    number = parts.front().number;
    if (parts.size() == 1) parts.clear();
  }

  // The orders of the writes to each location, or, where sizes are mixed, to each run of bytes that accesses treat alike.
  void describeCoherence(const Graph& graph, std::vector<trace::Coherence>& orders) const {
    for (LocationId l = 1; l < graph.locations(); ++l) {
      trace::Coherence order{names_.location(graph.location(l).address, graph.location(l).size), {}};
      for (EventId w = graph[l].coNext; w != kNone; w = graph[w].coNext) order.writes.push_back(numberOf(w));
      orders.push_back(std::move(order));
    }
  }
  void describeCoherence(const MixedGraph& graph, std::vector<trace::Coherence>& orders) const {
    for (LineId l = 1; l < graph.lines(); ++l) {
      std::map<unsigned, trace::Coherence> cells;  // by the first byte
      for (const Cell& cell : graph.line(l).cells) {
        trace::Coherence& order = cells[static_cast<unsigned>(std::countr_zero(cell.bytes))];
        for (unsigned first = 0, end = 0; first < kLineBytes; first = end + 1) {
          for (end = first; end < kLineBytes && ((cell.bytes >> end) & 1);) ++end;
          if (end == first) continue;
          order.location += (order.location.empty() ? "" : " and ") + names_.bytes(graph.line(l).base + first, end - first);
        }
        for (const EventId write : cell.order) order.writes.push_back(numberOf(write));
      }
      for (auto& [byte, order] : cells) orders.push_back(std::move(order));
    }
  }

  // An operation on a lock, whether the engine knows it as one or not.
  bool isOfLock(const Operation& operation) const {
    return operation.kind == OperationKind::lock || operation.kind == OperationKind::unlock ||
           trace::isLockUpdate(operation, names_.isLock(operation.address));
  }

  std::string kindOf(const Operation& operation) const {
    if (isNotification(operation)) return "notify";
    if (isEndOfWait(operation)) return "stop waiting";
    return trace::kindName(operation, names_.isLock(operation.address));
  }

  void describeAccess(EventId id, const Operation& operation, Event& shown) const {
    const auto& event = graph_[id];
    const bool ofLock = isOfLock(operation);
    if (ofLock && operation.expected != 0) {
      shown.location = names_.location(operation.expected, 0);
    } else {
      shown.location = std::is_same_v<AnyGraph, MixedGraph> ? names_.bytes(operation.address, operation.size)
                                                            : names_.location(operation.address, operation.size);
    }
    shown.reads = event.isRead();
    shown.writes = event.isWrite() || event.rmw;
    if (event.isRead()) {
      describeSources(graph_, id, shown);
      shown.success = operation.kind != OperationKind::cas || event.rmw;
      shown.spurious = operation.kind == OperationKind::cas && !isAttempt(operation) && !event.rmw &&
                       event.value == truncate(operation.expected, operation.size);
    }
    const EventId write = event.isRead() && event.rmw ? event.poNext : id;
    const bool isHalf = write == kNone;  // the error was found before the write of a read-modify-write was added
    if (shown.writes && !isHalf) describePlace(graph_, write, shown);
    if (ofLock) return;
    if (event.isRead() && event.rmw) {
      shown.oldValue = names_.value(operation, event.value);
      shown.value = isHalf ? "?" : names_.value(operation, graph_[write].value);
    } else {
      shown.value = names_.value(operation, event.value);
    }
  }

  Event describe(EventId id) const {
    const auto& event = graph_[id];
    const Operation& operation = graph_.operation(id);
    Event shown;
    shown.thread = event.thread;
    shown.index = event.index;
    shown.number = numbers_.at(id);
    shown.kind = kindOf(operation);
    shown.relevant = isRelevant(id);
    shown.involved = std::find(options_.involved.begin(), options_.involved.end(), id) != options_.involved.end();
    switch (operation.kind) {
      case OperationKind::spawn:
      case OperationKind::join: shown.partner = static_cast<ThreadId>(event.partner); break;
      case OperationKind::arrive:
      case OperationKind::depart: shown.location = names_.location(operation.address, 0); break;
      case OperationKind::choose:
        if (isNotification(operation) || isEndOfWait(operation)) {
          shown.location = names_.location(operation.address, 0);
        } else {
          shown.value = fmt::format("{} of {}", event.value, event.choices);
        }
        break;
      case OperationKind::lock:
      case OperationKind::unlock: describeAccess(id, operation, shown); break;
      case OperationKind::fence: shown.order = orderName(operation.order); break;
      default:
        if (!isOfLock(operation)) {
          shown.order = orderName(operation.order);
          const bool mayFail = operation.kind == OperationKind::cas && !isAttempt(operation);
          if (mayFail) shown.order += fmt::format("/{}", orderName(operation.failureOrder));
        }
        describeAccess(id, operation, shown);
    }
    shown.place = names_.place(operation.source);
    return shown;
  }

  const AnyGraph& graph_;
  const SourceNames& names_;
  const TraceOptions& options_;
  std::map<EventId, unsigned> numbers_;
  std::vector<EventId> shown_;
};

}  // namespace

trace::Execution traceOf(const Graph& graph, const SourceNames& names, const TraceOptions& options) {
  return Tracer(graph, names, options).trace();
}
trace::Execution traceOf(const MixedGraph& graph, const SourceNames& names, const TraceOptions& options) {
  return Tracer(graph, names, options).trace();
}

}  // namespace heddle::run
