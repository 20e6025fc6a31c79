#include "runtime/idle_waits.h"

#include <algorithm>
#include <map>
#include <vector>

#include "graph/repeated_stores.h"
#include "program/lock.h"

namespace heddle::runtime {

namespace {

// What a thread has done since it began to wait; the wait itself has the operations of a condition variable in it.
struct Round {
  bool onlyLooked = true;            // at things, and has taken locks and given them back
  bool takesLocks = false;           // other than by waiting
  std::vector<Lane> givesBack = {};  // so, at these events; the last one first
};

Round roundOf(const ExecutionView& graph, ThreadId thread, std::uint32_t began, std::uint32_t ended) {
  Round round;
  std::map<Address, int> held;
  for (EventId id = graph.last(thread); id != kNone && graph[id].thread == thread && graph[id].index >= began;
       id = graph[id].poPrev) {
    const Event& event = graph[id];
    const Operation& operation = graph.operation(id);
    if (event.kind == EventKind::fence || operation.kind == OperationKind::beginRound) continue;
    if (event.isRead() && !event.rmw) continue;
    const LockOp lock = operation.lock;
    const bool waits = event.kind == EventKind::choice || lock == LockOp::join || lock == LockOp::leave;
    if (waits && event.index < ended) continue;
    const bool locks = isLockOfMutex(operation) || (operation.kind == OperationKind::lock && lock == LockOp::read);
    const bool leaves = operation.kind == OperationKind::rmw && lock == LockOp::read;
    if (!locks && !leaves && operation.kind != OperationKind::unlock) return {.onlyLooked = false};
    if (event.isWrite()) held[operation.address] += locks ? 1 : -1;
    if (event.index < ended) continue;
    round.takesLocks |= locks;
    if (!locks && event.isWrite()) round.givesBack.push_back(event.index);
  }
  round.onlyLooked = std::ranges::all_of(held, [](const auto& mutex) { return mutex.second == 0; });
  return round;
}

bool isRelease(const Operation& operation) {
  return operation.order == Order::release || operation.order == Order::acq_rel || operation.order == Order::seq_cst;
}

// A store in a round that began with this event: is there in the end what the thread itself has written there before the round?
// If nobody reads what comes and goes (Operation::isRedone) the last store of the round leaves it, otherwise each one. Who
// then reads the older write instead must not synchronise with more.
bool isRepeated(const ExecutionView& graph, EventId store, std::uint32_t began) {
  const LocationId location = graph[store].location;
  const ThreadId thread = graph[store].thread;
  EventId last = store;
  if (graph.operation(store).isRedone) {
    last = graph.last(thread);
    while (!graph[last].isWrite() || graph[last].location != location) last = graph[last].poPrev;
  }
  EventId before = graph[store].poPrev;
  while (before != kNone && graph[before].thread == thread &&
         !(graph[before].index < began && graph[before].isWrite() && graph[before].location == location)) {
    before = graph[before].poPrev;
  }
  if (before == kNone || graph[before].thread != thread || graph[before].value != graph[last].value) return false;
  if (!isRepetition(graph, before, last)) return false;
  return graph.operation(last).mayBeRepeated && (isRelease(graph.operation(last)) || !isRelease(graph.operation(before)));
}

// A write to a flag that the round sets and takes back (Operation::isGuard): is there in the end what was there before? That is
// what the round's first read-modify-write has found; or, if it is a store, the last write that the thread knows of, if that is
// its own or the initial one. All of the round's writes there have to be of this kind, as nobody else may notice any of them.
bool isTakenBack(const ExecutionView& graph, EventId write, std::uint32_t began) {
  const LocationId location = graph[write].location;
  const ThreadId thread = graph[write].thread;
  EventId first = kNone, last = kNone, before = kNone;
  for (EventId id = graph.last(thread); id != kNone && graph[id].thread == thread && before == kNone; id = graph[id].poPrev) {
    if (!graph[id].isWrite() || graph[id].location != location) continue;
    if (graph[id].index < began) {
      before = id;
      continue;
    }
    if (!graph.operation(id).isGuard) return false;
    first = id;
    if (last == kNone) last = id;
  }
  if (first == kNone) return false;
  if (graph[first].rmw) return graph[graph[first].poPrev].value == graph[last].value;
  if (before == kNone) before = location;  // the initial write
  return graph[before].value == graph[last].value && isLastKnown(graph, before, first);
}

}  // namespace

// A read-modify-write that writes what it has read is two events.
bool isIdleEvent(const ExecutionView& graph, EventId id, std::uint32_t began) {
  const Event& event = graph[id];
  const Operation& operation = graph.operation(id);
  if (event.kind == EventKind::fence || operation.kind == OperationKind::beginRound) return true;
  if (operation.kind == OperationKind::recover) return true;
  if (operation.isGuard && (event.isWrite() || event.rmw) && isTakenBack(graph, id, began)) return true;
  if (event.isWrite() && operation.kind == OperationKind::store) {
    return operation.mayBeRepeated ? isRepeated(graph, id, began) : operation.isRedone;
  }
  if (event.isRead()) return !event.rmw || graph[event.poNext].value == event.value;
  return event.isWrite() && event.rmw && graph[event.poPrev].value == event.value;
}

bool IdleWaits::isIdleRound(std::uint32_t began, bool plain, const memory::Memory::Moment& start) const {
  const ExecutionView& graph = running_.graph();
  if (began == 0 || graph.hasMixedSizes()) return false;
  const ThreadId thread = running_.self();
  for (EventId id = graph.last(thread); id != kNone && graph[id].thread == thread && graph[id].index >= began;
       id = graph[id].poPrev) {
    if (!isIdleEvent(graph, id, began)) return false;
  }
  return !plain || memory_.isUnchangedSince(static_cast<Lane>(began - 1), {}, {}, start);
}

// Who gets a lock that the thread has given back in between must not have seen memory that is different then. Who tries to
// take one, and fails, notices; of all locks but that of the wait it is not known who tries.
bool IdleWaits::isIdle(std::uint32_t began, std::uint32_t ended, std::span<const memory::Range> own) {
  const Round round = roundOf(running_.graph(), running_.self(), began, ended);
  if (!round.onlyLooked || !memory_.isUnchangedSince(static_cast<Lane>(began), round.givesBack, own, {})) return false;
  if (round.takesLocks) note(0);
  return true;
}

}  // namespace heddle::runtime
