#include "persist/px86.h"

#include <algorithm>

namespace heddle::persist {

namespace {

Address lineOf(const ExecutionView& graph, EventId id) { return graph.operation(id).address / kCacheLine; }

// A compare-exchange that fails is a read to the memory model, which lets it pass earlier writes. But it is a locked instruction, and those
// wait for flushes: what comes before it in program order is before all that comes after it, but for later reads, as with sfence.
bool failsToExchange(const ExecutionView& graph, EventId id) {
  const Operation& operation = graph.operation(id);
  return graph[id].isRead() && !graph[id].rmw && operation.kind == OperationKind::cas && operation.lock == LockOp::hold;
}

}  // namespace

// A seq_cst store is an exchange. Where threads begin, end and meet, everything is in order.
Px86::Kind Px86::kindOf(const ExecutionView& graph, EventId id) {
  const Event& event = graph[id];
  const Operation& operation = graph.operation(id);
  switch (event.kind) {
    case EventKind::read: return event.rmw ? Kind::full : Kind::read;
    case EventKind::write: return event.rmw || operation.order == Order::seq_cst ? Kind::full : Kind::write;
    case EventKind::fence: return operation.order == Order::seq_cst ? Kind::full : Kind::none;
    case EventKind::thread: return Kind::full;
    default: break;
  }
  if (operation.kind != OperationKind::flush) return Kind::none;
  switch (operation.flushes()) {
    case Flush::line: return Kind::clflush;
    case Flush::lineLater: return Kind::clwb;
    case Flush::wait: return Kind::sfence;
    default: return Kind::none;
  }
  return Kind::none;
}

// Which pairs of events stay in program order.
bool Px86::isKept(Kind earlier, Kind later, bool sameLine) {
  if (later == Kind::full || later == Kind::sfence) return true;
  switch (earlier) {
    case Kind::read:
    case Kind::full: return true;
    case Kind::write: return later == Kind::write || later == Kind::clflush || (later == Kind::clwb && sameLine);
    case Kind::sfence: return later != Kind::read;
    case Kind::clwb: return later == Kind::clflush && sameLine;
    case Kind::clflush: return later == Kind::write || later == Kind::clflush || (later == Kind::clwb && sameLine);
    case Kind::none: break;
  }
  return false;
}

void Px86::relate(EventId before, EventId after) {
  if (before == kNone || isInitial(before) || before == after) return;
  order_.set(numbers_[before - kFirstEvent], numbers_[after - kFirstEvent]);
}

bool Px86::isBefore(EventId before, EventId after) const {
  return before == after || order_.test(numbers_[before - kFirstEvent], numbers_[after - kFirstEvent]);
}

// Program order crosses threads where they are spawned and joined.
void Px86::addProgramOrder(const ExecutionView& graph, EventId later) {
  const ThreadId thread = graph[later].thread;
  const Kind kind = kindOf(graph, later);
  if (kind == Kind::none) return;
  EventId earlier = graph[later].poPrev;
  bool waits = false;  // for flushes, between the two
  for (; earlier != kNone && graph[earlier].thread == thread; earlier = graph[earlier].poPrev) {
    const Kind before = kindOf(graph, earlier);
    const bool isFenced = waits && kind != Kind::read;
    const bool isOrdered = isFenced || isKept(before, kind, lineOf(graph, earlier) == lineOf(graph, later));
    if (before != Kind::none && isOrdered) relate(earlier, later);
    waits |= failsToExchange(graph, earlier);
  }
  relate(earlier, later);
  if (graph[later].kind != EventKind::thread) return;
  const OperationKind operation = graph.operation(later).kind;
  if (operation == OperationKind::join) {
    const auto child = static_cast<ThreadId>(graph[later].partner);
    for (EventId id = graph.last(child); id != kNone; id = graph[id].poPrev) {
      relate(id, later);
      if (graph[id].thread != child) break;
    }
  }
  if (operation == OperationKind::depart) graph.forEachArrival(later, [&](EventId arrival) { relate(arrival, later); });
}

void Px86::addMemoryOrder(const ExecutionView& graph, EventId id) {
  const Event& event = graph[id];
  if (event.isWrite()) {
    if (!graph.hasMixedSizes()) return relate(event.coPrev, id);
    for (const BytesFrom& before : graph.predecessorsOf(id)) relate(before.write, id);
  } else if (event.isRead()) {
    const auto addSource = [&](EventId source) {
      if (!isInitial(source) && graph[source].thread != event.thread) relate(source, id);
    };
    if (!graph.hasMixedSizes()) {
      addSource(event.rf);
      const EventId next = graph[event.rf].coNext;
      if (next != kNone) relate(id, next);
      return;
    }
    for (const BytesFrom& source : graph.sourcesOf(id)) addSource(source.write);
    for (const EventId later : graph.writesAfter(id)) relate(id, later);
  }
}

void Px86::begin(const ExecutionView& graph, ThreadId recovery) {
  const auto bytesOf = [&](EventId id) { return ByteRange{graph.operation(id).address, graph.operation(id).size}; };
  known_.clear();
  for (const EventId id : knownPersisted(graph, recovery, isDurable_)) known_.push_back({id, bytesOf(id)});
  flushes_.clear();
  numbers_.assign(graph.top() - kFirstEvent, 0);
  std::vector<EventId> events;
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    if (graph[id].thread == recovery) continue;
    numbers_[id - kFirstEvent] = static_cast<std::uint32_t>(events.size());
    events.push_back(id);
    const Kind kind = kindOf(graph, id);
    if (kind == Kind::clwb || kind == Kind::clflush) flushes_.push_back({id, bytesOf(id)});
  }
  order_.reset(events.size());
  for (const EventId id : events) {
    addProgramOrder(graph, id);
    addMemoryOrder(graph, id);
  }
  order_.close();
}

bool Px86::persistsInOrder(ByteRange bytes, ByteRange others) const {
  return granularity_ == Granularity::line ? bytes.address / kCacheLine == others.address / kCacheLine : bytes.overlaps(others);
}

// A cycle of ob | dtpo goes from the first lost write of a part to a source of dtpo of the same part or of another one, whose first
// lost write is next; the other lost writes come after the first. So it is a cycle of parts.
bool Px86::allows(Snapshot snapshot) {
  for (Source& flush : flushes_) {
    const auto isAfter = [&](EventId write) { return write != kNone && isBefore(flush.event, write); };
    flush.isThere = std::ranges::any_of(snapshot, [&](const Part& part) { return isAfter(part.found()); }) ||
                    std::ranges::any_of(known_, [&](const Source& known) { return isAfter(known.event); });
  }
  leads_.reset(snapshot.size());
  for (std::size_t to = 0; to < snapshot.size(); ++to) {
    if (snapshot[to].lost() != kNone) addSources(snapshot, to);
  }
  return !leads_.hasCycle();
}

// The sources of dtpo for what was lost of a part.
void Px86::addSources(Snapshot snapshot, std::size_t to) {
  const ByteRange bytes = snapshot[to].bytes;
  const auto add = [&](EventId source) {
    for (std::size_t from = 0; from < snapshot.size(); ++from) {
      const EventId lost = snapshot[from].lost();
      if (lost != kNone && isBefore(lost, source)) leads_.set(from, to);
    }
  };
  for (const Source& flush : flushes_) {
    if (flush.isThere && flush.bytes.address / kCacheLine == bytes.address / kCacheLine) add(flush.event);
  }
  for (const Source& known : known_) {
    if (persistsInOrder(known.bytes, bytes)) add(known.event);
  }
  for (const Part& other : snapshot) {
    if (other.found() != kNone && persistsInOrder(other.bytes, bytes)) add(other.found());
  }
}

}  // namespace heddle::persist
