#include "run/tracer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "program/lock.h"
#include "trace/words.h"

namespace heddle::run {

namespace {

using trace::Event;
using trace::fenceName;
using trace::orderName;

// Every event after those it depends on (po, rf, and the end of a joined thread); otherwise in insertion order. A read that
// reads what comes after itself, as load buffering lets it, stands where program order has it.
class CausalOrder {
 public:
  explicit CausalOrder(const ExecutionView& graph) : graph_(graph) {
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
        for (const BytesFrom& source : graph_.sourcesOf(id)) {
          if (isInitial(source.write) || !graph_.inPrefix(graph_.porf(source.write), id)) need(source.write);
        }
      }
      if (event.kind == EventKind::thread && graph_.operation(id).kind == OperationKind::depart) {
        graph_.forEachArrival(id, need);
      }
      if (graph_.operation(id).kind == OperationKind::crash) {
        for (unsigned t = 0; t < graph_.threads(); ++t) {
          const EventId last = graph_.last(static_cast<ThreadId>(t));
          if (t != event.thread && last != kNone) need(last);
        }
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

  const ExecutionView& graph_;
  std::set<EventId> done_;
  std::vector<EventId> order_;
};

class Tracer {
 public:
  Tracer(const ExecutionView& graph, const SourceNames& names, const TraceOptions& options)
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
    if (options_.coherence) result.coherence = describeCoherence();
    return result;
  }

 private:
  // The two events of a read-modify-write are shown as one: the read.
  bool isRmwWrite(EventId id) const { return graph_[id].isWrite() && graph_[id].rmw; }
  // A lock that waits is an event of the graph only where sizes are mixed.
  bool isWaiting(EventId id) const { return graph_[id].isRead() && mustWait(graph_.operation(id), graph_[id].value); }
  // A writer takes a lock part by part. It has the lock when it has the last part, and does not when it has given back
  // the first.
  EventId shownAs(EventId id) const {
    if (isRmwWrite(id)) id = graph_[id].poPrev;
    const Operation operation = graph_.operation(id);
    const auto isPart = [&](EventId other, std::uint32_t part) {
      const Operation& o = graph_.operation(other);
      return o.kind == operation.kind && o.whole() == operation.whole() && o.part() == part;
    };
    if (operation.whole() == 0 || operation.lock != LockOp::hold) return id;
    if (operation.kind == OperationKind::unlock) {
      for (std::uint32_t part = operation.part(); part != 0; --part) id = graph_[id].poPrev;
    } else if (operation.kind == OperationKind::lock) {
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

  // For each run of bytes that have the same event there, which it is. If it is the same for all, that is all there is to say.
  void describeBytes(const std::vector<BytesFrom>& writes, std::vector<Event::Part>& parts, unsigned& number) const {
    ByteRange run;
    for (std::size_t i = 0; i < writes.size(); ++i) {
      run = {i == 0 ? writes[i].bytes.address : run.address, run.size + writes[i].bytes.size};
      number = numberOf(writes[i].write);
      if (i + 1 < writes.size() && numberOf(writes[i + 1].write) == number) continue;
      parts.push_back({names_.bytes(run.address, run.size), number});
      run = {run.address + run.size, 0};
    }
    number = parts.front().number;
    if (parts.size() == 1) parts.clear();
  }

  // The orders of the writes to each location, or, where sizes are mixed, to each run of bytes that accesses treat alike.
  std::vector<trace::Coherence> describeCoherence() const {
    std::vector<trace::Coherence> orders;
    for (const CoherenceOrder& order : graph_.coherence()) {
      trace::Coherence& shown = orders.emplace_back();
      for (const ByteRange& bytes : order.bytes) {
        shown.location += (shown.location.empty() ? "" : " and ") + nameOf(bytes.address, bytes.size);
      }
      for (const EventId write : order.writes) shown.writes.push_back(numberOf(write));
    }
    return orders;
  }

  std::string nameOf(Address address, unsigned size) const {
    return graph_.hasMixedSizes() ? names_.bytes(address, size) : names_.location(address, size);
  }

  // An operation on a lock, whether the engine knows it as one or not.
  bool isOfLock(const Operation& operation) const {
    return operation.kind == OperationKind::lock || operation.kind == OperationKind::unlock ||
           trace::isLockUpdate(operation, names_.isLock(operation.address));
  }

  void describeAccess(EventId id, const Operation& operation, Event& shown) const {
    const auto& event = graph_[id];
    const bool ofLock = isOfLock(operation);
    if (ofLock && operation.whole() != 0) {
      shown.location = names_.location(operation.whole(), 0);
    } else {
      shown.location = nameOf(operation.address, operation.size);
    }
    shown.reads = event.isRead();
    shown.writes = event.isWrite() || event.rmw;
    if (event.isRead()) {
      describeBytes(graph_.sourcesOf(id), shown.fromParts, shown.from);
      shown.success = operation.kind != OperationKind::cas || event.rmw;
      shown.spurious =
          operation.kind == OperationKind::cas && !operation.isAttempt() && !event.rmw && operation.expects(event.value);
    }
    const EventId write = event.isRead() && event.rmw ? event.poNext : id;
    const bool isHalf = write == kNone;  // the error was found before the write of a read-modify-write was added
    if (shown.writes && !isHalf) describeBytes(graph_.predecessorsOf(write), shown.coAfterParts, shown.coAfter);
    if (shown.writes && !isHalf) shown.fate = fateOf(write);
    if (ofLock) return;
    if (event.isRead() && event.rmw) {
      shown.oldValue = names_.value(operation, event.value);
      shown.value = isHalf ? "?" : names_.value(operation, graph_[write].value);
    } else {
      shown.value = names_.value(operation, event.value);
    }
  }

  // What a read has found after a crash.
  void describeRecovered(EventId id, const Operation& operation, Event& shown) const {
    shown.location = nameOf(operation.address, operation.size);
    shown.reads = true;
    if (!options_.recovery) return;
    shown.value = names_.value(operation, options_.recovery->valueOf(graph_, id));
    const std::vector<EventId> found = options_.recovery->foundBy(graph_, id);
    if (!found.empty()) shown.from = numberOf(found.front());
  }

  trace::Fate fateOf(EventId write) const {
    if (!options_.recovery || !options_.isDurable(graph_.operation(write).address)) return trace::Fate::unknown;
    switch (options_.recovery->fateOf(graph_, write)) {
      case persist::RecoveryReads::Fate::persisted: return trace::Fate::persisted;
      case persist::RecoveryReads::Fate::lost: return trace::Fate::lost;
      case persist::RecoveryReads::Fate::unknown: break;
    }
    return trace::Fate::unknown;
  }

  Event describe(EventId id) const {
    const auto& event = graph_[id];
    const Operation& operation = graph_.operation(id);
    Event shown;
    shown.thread = event.thread;
    shown.index = event.index;
    shown.number = numbers_.at(id);
    shown.kind = trace::kindOf(operation, names_.isLock(operation.address));
    shown.relevant = isRelevant(id);
    shown.involved = std::find(options_.involved.begin(), options_.involved.end(), id) != options_.involved.end();
    switch (operation.kind) {
      case OperationKind::spawn:
      case OperationKind::join: shown.partner = static_cast<ThreadId>(event.partner); break;
      case OperationKind::arrive:
      case OperationKind::depart: shown.location = names_.location(operation.address, 0); break;
      case OperationKind::notify:
      case OperationKind::stopWaiting: shown.location = names_.location(operation.address, 0); break;
      case OperationKind::beginRound: break;
      case OperationKind::flush:
        if (operation.address != 0) shown.location = names_.location(operation.address, 0);
        if (operation.flushes() != Flush::everything) shown.order = trace::flushName(operation);
        break;
      case OperationKind::crash: break;
      case OperationKind::recover: describeRecovered(id, operation, shown); break;
      case OperationKind::choose: shown.value = fmt::format("{} of {}", event.value, event.choices); break;
      case OperationKind::lock:
      case OperationKind::unlock: describeAccess(id, operation, shown); break;
      case OperationKind::fence: shown.order = fenceName(operation); break;
      default:
        if (!isOfLock(operation)) {
          shown.order = orderName(operation.order);
          const bool mayFail = operation.kind == OperationKind::cas && !operation.isAttempt();
          if (mayFail) shown.order += fmt::format("/{}", orderName(operation.failureOrder));
        }
        describeAccess(id, operation, shown);
    }
    shown.place = names_.place(operation.source);
    return shown;
  }

  const ExecutionView& graph_;
  const SourceNames& names_;
  const TraceOptions& options_;
  std::map<EventId, unsigned> numbers_;
  std::vector<EventId> shown_;
};

}  // namespace

trace::Execution traceOf(const ExecutionView& graph, const SourceNames& names, const TraceOptions& options) {
  return Tracer(graph, names, options).trace();
}

}  // namespace heddle::run
