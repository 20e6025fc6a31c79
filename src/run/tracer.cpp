#include "run/tracer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "program/lock.h"
#include "run/steps.h"
#include "trace/interleaving.h"
#include "trace/words.h"

namespace heddle::run {

namespace {

using trace::Event;
using trace::fenceName;
using trace::orderName;

class Tracer {
 public:
  Tracer(const ExecutionView& graph, const SourceNames& names, const TraceOptions& options)
      : graph_(graph), names_(names), options_(options) {}

  trace::Execution trace() {
    const Steps steps(graph_, [&](EventId id) { return isRelevant(graph_, options_, id); });
    const Steps others(graph_, [&](EventId id) { return !isRelevant(graph_, options_, id); });
    const trace::Interleaving interleaving = trace::interleave(steps.all());
    number(steps, interleaving);
    number(others, trace::interleave(others.all()));
    trace::Execution result;
    for (const EventId id : shown_) result.events.push_back(describe(id));
    if (!options_.anyCoherence) {
      for (const trace::Unexplained& odd : interleaving.unexplained) mark(odd, steps, result);
    }
    if (options_.numbers) {
      for (EventId id = graph_.newest(); id != kNone; id = graph_[id].orderPrev) {
        if (const auto found = numbers_.find(shownAs(id)); found != numbers_.end())
          options_.numbers->emplace(id, found->second);
      }
    }
    for (unsigned t = 0; t < graph_.threads(); ++t) result.threads.push_back(names_.thread(static_cast<ThreadId>(t)));
    if (options_.coherence) result.coherence = describeCoherence();
    return result;
  }

 private:
  void number(const Steps& steps, const trace::Interleaving& interleaving) {
    for (const std::size_t step : interleaving.order) {
      const EventId id = steps.eventOf(step);
      if (shownAs(id) != id || isWaiting(id) || isInternal(id)) continue;
      numbers_[id] = static_cast<unsigned>(numbers_.size() + 1);
      shown_.push_back(id);
    }
  }

  // Locks are words that are updated, of which parts may not be shown.
  void mark(const trace::Unexplained& odd, const Steps& steps, trace::Execution& result) const {
    const auto self = numbers_.find(steps.eventOf(odd.step));
    const auto other = numbers_.find(shownAs(steps.eventOf(odd.by)));
    if (self == numbers_.end() || other == numbers_.end()) return;
    trace::Event& event = result.events[self->second - 1];
    event.oddity = odd.isEarly ? trace::Oddity::early : event.reads ? trace::Oddity::stale : trace::Oddity::overtaken;
    event.oddBy = other->second;
  }

  // The two events of a read-modify-write are shown as one: the read.
  bool isRmwWrite(EventId id) const { return graph_[id].isWrite() && graph_[id].rmw; }
  // Everything else that is done with such a location is not shown either, so nobody refers to it.
  bool isInternal(EventId id) const {
    const bool isInvolved = std::ranges::find(options_.involved, id) != options_.involved.end();
    return !isInvolved && (graph_[id].isRead() || graph_[id].isWrite()) && names_.isInternal(graph_.operation(id).address);
  }
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
    const auto found = numbers_.find(shownAs(id));
    return found == numbers_.end() && names_.isInternal(graph_.operation(id).address) ? 0 : numbers_.at(shownAs(id));
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

  // What recovery has written. To the graph it is no write.
  bool isRewrite(EventId id) const {
    return graph_.operation(id).kind == OperationKind::store && graph_[id].kind == EventKind::choice;
  }
  void describeRewrite(EventId id, const Operation& operation, Event& shown) const {
    shown.location = nameOf(operation.address, operation.size);
    shown.writes = true;
    shown.value = names_.value(operation, operation.operand());
    shown.fate = fateOf(id);
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

  // How a wait at a condition variable has ended, if this is the choice of that (heddle_choose_wakening).
  static std::optional<trace::Kind> wakening(const Operation& choice, Value chosen, std::uint32_t ways) {
    if (choice.lock == LockOp::hold) return std::nullopt;
    if (chosen == 0) return trace::Kind::sleep;
    const bool isLast = chosen + 1 == ways;
    return isLast && (ways == 3 || choice.lock == LockOp::join) ? trace::Kind::timeOut : trace::Kind::spuriousWakeUp;
  }

  // Is this the last part of a lock that the thread has come to have, and does it wait for another one?
  bool isHalfTaken(EventId id, const Operation& operation) const {
    const auto taking = options_.taking.find(graph_[id].thread);
    if (taking == options_.taking.end() || operation.whole() != taking->second) return false;
    for (EventId next = graph_[id].poNext; next != kNone; next = graph_[next].poNext) {
      const Operation& later = graph_.operation(next);
      if (later.kind != OperationKind::lock || later.whole() != operation.whole()) return false;
    }
    return true;
  }

  Event describe(EventId id) const {
    const auto& event = graph_[id];
    const Operation& operation = graph_.operation(id);
    Event shown;
    shown.thread = event.thread;
    shown.index = event.index;
    shown.number = numbers_.at(id);
    shown.kind = trace::kindOf(operation, names_.isLock(operation.address));
    shown.relevant = isRelevant(graph_, options_, id);
    shown.involved = std::find(options_.involved.begin(), options_.involved.end(), id) != options_.involved.end();
    switch (operation.kind) {
      case OperationKind::spawn:
      case OperationKind::join: shown.partner = static_cast<ThreadId>(event.partner); break;
      case OperationKind::arrive:
      case OperationKind::depart: shown.location = names_.location(operation.address, 0); break;
      case OperationKind::notify:
      case OperationKind::stopWaiting: shown.location = names_.location(operation.address, 0); break;
      case OperationKind::beginRound:
      case OperationKind::transaction: break;
      case OperationKind::flush:
        if (operation.address != 0) shown.location = names_.location(operation.address, 0);
        if (operation.flushes() != Flush::everything) shown.order = trace::flushName(operation);
        break;
      case OperationKind::crash: break;
      case OperationKind::recover: describeRecovered(id, operation, shown); break;
      case OperationKind::choose:
        if (operation.lock == LockOp::poll) {
          shown.value = event.value == 0 ? "no abort of the transaction" : "an abort of the transaction";
        } else if (const auto kind = wakening(operation, event.value, event.choices)) {
          shown.kind = *kind;
        } else {
          shown.value = fmt::format("{} of {}", event.value, event.choices);
        }
        break;
      case OperationKind::lock:
        if (isHalfTaken(id, operation)) shown.kind = trace::Kind::beginLock;
        describeAccess(id, operation, shown);
        break;
      case OperationKind::unlock: describeAccess(id, operation, shown); break;
      case OperationKind::fence: shown.order = fenceName(operation); break;
      default:
        if (!isOfLock(operation)) {
          shown.order = orderName(operation.order);
          const bool mayFail = operation.kind == OperationKind::cas && !operation.isAttempt();
          if (mayFail) shown.order += fmt::format("/{}", orderName(operation.failureOrder));
        }
        if (isRewrite(id)) {
          describeRewrite(id, operation, shown);
        } else {
          describeAccess(id, operation, shown);
        }
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

bool isRelevant(const ExecutionView& graph, const TraceOptions& options, EventId id) {
  if (options.ends.empty()) return true;
  return std::any_of(options.ends.begin(), options.ends.end(),
                     [&](EventId end) { return graph.inPrefix(graph.porf(end), id); });
}

trace::Execution traceOf(const ExecutionView& graph, const SourceNames& names, const TraceOptions& options) {
  return Tracer(graph, names, options).trace();
}

}  // namespace heddle::run
