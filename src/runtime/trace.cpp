#include "runtime/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "program/lock.h"
#include "runtime/notifications.h"

namespace heddle::native {

namespace {

const char* orderName(Order order) {
  static constexpr const char* kNames[] = {"", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  return kNames[static_cast<unsigned>(order)];
}

const char* rmwName(RmwOp op) {
  static constexpr const char* kNames[] = {"exchange",  "fetch_add",  "fetch_sub", "fetch_and", "fetch_or", "fetch_xor",
                                           "fetch_nand", "fetch_max", "fetch_min", "fetch_max", "fetch_min"};
  return kNames[static_cast<unsigned>(op)];
}

std::string lockName(LockOp lock) {
  switch (lock) {
    case LockOp::hold:
    case LockOp::poll: return "lock";
    case LockOp::read: return "lock for reading";
    case LockOp::join: return "wait";
    case LockOp::leave: return "wake up from";
    case LockOp::wakeOne: return "signal";
    case LockOp::wakeAll: return "broadcast";
    case LockOp::down: return "acquire";
  }
  return "";
}

// An operation of a lock that a reader leaves, or that is tried.
bool isLockUpdate(const Operation& operation) {
  return operation.lock != LockOp::hold &&
         (operation.kind == OperationKind::rmw || operation.kind == OperationKind::cas);
}

std::string kindName(const Operation& operation) {
  const bool plain = operation.order == Order::plain;
  if (isLockUpdate(operation)) return operation.kind == OperationKind::rmw ? "unlock" : "trylock for reading";
  switch (operation.kind) {
    case OperationKind::load: return plain ? "plain read" : "load";
    case OperationKind::store: return plain ? "plain write" : "store";
    case OperationKind::rmw: return rmwName(operation.rmw);
    case OperationKind::cas: return operation.isAttempt() ? rmwName(operation.rmw) : "compare_exchange";
    case OperationKind::fence: return "fence";
    case OperationKind::spawn: return "spawn";
    case OperationKind::join: return "join";
    case OperationKind::lock: return lockName(operation.lock);
    case OperationKind::unlock: return "unlock";
    case OperationKind::arrive: return "arrive";
    case OperationKind::depart: return "depart";
    case OperationKind::choose: return "choose";
    case OperationKind::notify: return "notify";
    case OperationKind::stopWaiting: return "stop waiting";
    default: return "";
  }
}

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
  Tracer(const AnyGraph& graph, const NativeProgram& program, const ObjectNames& names, const Places& places,
         const TraceOptions& options)
      : graph_(graph), program_(program), names_(names), places_(places), options_(options) {}

  std::vector<TraceEvent> trace() {
    const CausalOrder order(graph_);
    for (const bool relevant : {true, false}) {
      for (const EventId id : order.events()) {
        if (shownAs(id) != id || isWaiting(id) || isRelevant(id) != relevant) continue;
        numbers_[id] = static_cast<unsigned>(numbers_.size() + 1);
        shown_.push_back(id);
      }
    }
    std::vector<TraceEvent> result;
    for (const EventId id : shown_) result.push_back(describe(id));
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
    const auto isPart = [&](EventId other, std::uint32_t part) {
      const Operation& o = graph_.operation(other);
      return o.kind == operation.kind && o.whole() == operation.whole() && o.part() == part;
    };
    if (operation.kind == OperationKind::unlock && operation.whole() != 0) {
      for (std::uint32_t part = operation.part(); part != 0; --part) id = graph_[id].poPrev;
    } else if (operation.kind == OperationKind::lock && operation.lock == LockOp::hold && operation.whole() != 0) {
      for (std::uint32_t part = operation.part() + 1;; ++part) {
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

  std::string valueOf(const Operation& operation, Value value) const {
    if (operation.size == 16) return names_.wideValue(operation.address, program_.wideValue(value));
    return names_.value(operation.address, operation.size, value);
  }

  // Who a read reads from.
  void describeSources(const Graph& graph, EventId read, TraceEvent& shown) const {
    shown.from = numberOf(graph[read].rf);
  }
  void describeSources(const MixedGraph& graph, EventId read, TraceEvent& shown) const {
    shown.fromParts = partsOf(graph, read, [&](const Cell& cell) { return graph.sourceOf(read, cell.bytes); });
    settle(shown.fromParts, shown.from);
  }

  // What a write follows in coherence order.
  void describePlace(const Graph& graph, EventId write, TraceEvent& shown) const {
    shown.coAfter = numberOf(graph[write].coPrev);
  }
  void describePlace(const MixedGraph& graph, EventId write, TraceEvent& shown) const {
    shown.coAfterParts = partsOf(graph, write, [&](const Cell& cell) {
      const std::uint32_t position = MixedGraph::positionAfter(cell, write);
      return position > 1 ? cell.order[position - 2] : kNone;
    });
    settle(shown.coAfterParts, shown.coAfter);
  }

  // For each run of bytes of an access that have the same event there, which it is.
  template <class F>
  std::vector<TraceEvent::Part> partsOf(const MixedGraph& graph, EventId id, F&& other) const {
    const MixedEvent& event = graph[id];
    std::map<unsigned, unsigned> numbers;  // by byte
    graph.forEachCell(id, [&](const Cell& cell) {
      for (unsigned byte = 0; byte < kLineBytes; ++byte) {
        if ((cell.bytes >> byte) & 1) numbers[byte] = numberOf(other(cell));
      }
    });
    std::vector<TraceEvent::Part> parts;
    for (auto it = numbers.begin(); it != numbers.end();) {
      const unsigned first = it->first, number = it->second;
      unsigned size = 0;
      for (; it != numbers.end() && it->second == number; ++it) ++size;
      parts.push_back({names_.nameOfBytes(graph.line(event.line).base + first, size), number});
    }
    return parts;
  }
  // If it is the same for all bytes, that is all there is to say.
  static void settle(std::vector<TraceEvent::Part>& parts, unsigned& number) {
    number = parts.front().number;
    if (parts.size() == 1) parts.clear();
  }

  void describeAccess(EventId id, const Operation& operation, TraceEvent& shown) const {
    const auto& event = graph_[id];
    const bool isLock = operation.kind == OperationKind::lock || operation.kind == OperationKind::unlock ||
                        isLockUpdate(operation);
    if (isLock && operation.whole() != 0) {
      shown.location = names_.name(operation.whole(), 0);
    } else {
      shown.location = std::is_same_v<AnyGraph, MixedGraph> ? names_.nameOfBytes(operation.address, operation.size)
                                                            : names_.name(operation.address, operation.size);
    }
    shown.reads = event.isRead();
    shown.writes = event.isWrite() || event.rmw;
    if (event.isRead()) {
      describeSources(graph_, id, shown);
      shown.success = operation.kind != OperationKind::cas || event.rmw;
      shown.spurious = operation.kind == OperationKind::cas && !operation.isAttempt() && !event.rmw &&
                       operation.expects(event.value);
    }
    const EventId write = event.isRead() && event.rmw ? event.poNext : id;
    if (shown.writes) describePlace(graph_, write, shown);
    if (isLock) return;
    if (event.isRead() && event.rmw) {
      shown.oldValue = valueOf(operation, event.value);
      shown.value = valueOf(operation, graph_[write].value);
    } else {
      shown.value = valueOf(operation, event.value);
    }
  }

  TraceEvent describe(EventId id) const {
    const auto& event = graph_[id];
    const Operation& operation = graph_.operation(id);
    TraceEvent shown;
    shown.thread = event.thread;
    shown.index = event.index;
    shown.number = numbers_.at(id);
    shown.kind = kindName(operation);
    shown.relevant = isRelevant(id);
    shown.involved = std::find(options_.involved.begin(), options_.involved.end(), id) != options_.involved.end();
    switch (operation.kind) {
      case OperationKind::spawn:
      case OperationKind::join: shown.partner = static_cast<ThreadId>(event.partner); break;
      case OperationKind::arrive:
      case OperationKind::depart:
      case OperationKind::notify:
      case OperationKind::stopWaiting: shown.location = names_.name(operation.address, 0); break;
      case OperationKind::choose: shown.value = fmt::format("{} of {}", event.value, event.choices); break;
      case OperationKind::lock:
      case OperationKind::unlock: describeAccess(id, operation, shown); break;
      case OperationKind::fence: shown.order = orderName(operation.order); break;
      default:
        if (!isLockUpdate(operation)) {
          shown.order = orderName(operation.order);
          const bool mayFail = operation.kind == OperationKind::cas && !operation.isAttempt();
          if (mayFail) shown.order += fmt::format("/{}", orderName(operation.failureOrder));
        }
        describeAccess(id, operation, shown);
    }
    if (operation.source != 0) {
      const Source& source = places_.best(operation.source);
      shown.file = source.file;
      shown.line = source.line;
      shown.column = source.column;
      shown.function = source.function;
      shown.text = sourceLine(source.file, source.line);
    }
    return shown;
  }

  const AnyGraph& graph_;
  const NativeProgram& program_;
  const ObjectNames& names_;
  const Places& places_;
  const TraceOptions& options_;
  std::map<EventId, unsigned> numbers_;
  std::vector<EventId> shown_;
};

}  // namespace

std::vector<TraceEvent> traceOf(const Graph& graph, const NativeProgram& program, const ObjectNames& names,
                                const Places& places, const TraceOptions& options) {
  return Tracer(graph, program, names, places, options).trace();
}
std::vector<TraceEvent> traceOf(const MixedGraph& graph, const NativeProgram& program, const ObjectNames& names,
                                const Places& places, const TraceOptions& options) {
  return Tracer(graph, program, names, places, options).trace();
}

std::string sourceLine(const std::string& file, unsigned line) {
  static std::map<std::string, std::vector<std::string>> files;
  const auto [it, added] = files.try_emplace(file);
  if (added) {
    std::ifstream in(file);
    for (std::string text; std::getline(in, text);) it->second.push_back(text);
  }
  if (line == 0 || line > it->second.size()) return "";
  const std::string& text = it->second[line - 1];
  const auto begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

}  // namespace heddle::native
