// Symmetry: threads that run the same code with the same argument.
//
// If alike threads exchange what they do in an execution, the result is an execution, too. So of each such class of executions one
// is enough. The idea is that of SPORE (Kokologiannakis, Marmanis, Vafeiadis, PLDI 2024). The way here is another one: it changes
// nothing in the algorithm, but leaves out parts of its tree.
//
// Which one. The histories of alike threads are compared like words in a dictionary, event by event. As long as two histories are
// the same, the threads do the same: they access the same location next. Their next events are the same if both are reads of the
// same write. Otherwise one comes before the other: the read of the co-earlier write, or the co-earlier write of the two. That is a
// total order of the histories, which does not depend on the numbers of the threads. An execution stands for its class if
// the thread with the lower number comes first, for each pair. Of each class there is one: sort the threads. If all
// events of two threads are the same, to exchange them changes nothing.
//
//     history 1    R x=0    R x=2    U y=1        In co, x is 0, 1, 2. The second events differ: the threads have
//     history 2    R x=0    R x=1                 to be exchanged.
//
// The explorer meets each full graph once. It reports those that stand for their class, and those only. That is right for every
// model, as models do not know threads by their numbers. It would be right if nothing else were done.
//
// What is left out. Below a graph no graph stands for its class if one pair of threads is in the wrong order there, for good. What is
// for good? What no step down the tree takes away is final (final_events.h). Let thread 2 have a final
// event where thread 1 has another final one, after the same history: they can be compared. Where thread 1 has
// no event, or one that may still go, we ask what it can do at best. It comes to the same operation. If nothing can be read there that is
// co-before what thread 2 has read, it does the same or comes after. A read-modify-write cannot do the same: one write
// has one of them as a reader. So where threads add to a counter, or take a lock, the first one that is final
// ahead of its turn ends the search: N threads that add to a counter have one execution, and no other is begun.
//
// When nothing can be read before `w`: w is the initial write, or the thread has observed w (coherence). Or all writes up to w are a
// chain of read-modify-writes from the initial write, which lets no other write between; each of them has its reader, so that whoever
// would write there does not get in. Who would fail instead, a compare-exchange, may come before.
//
// What else alike threads may differ in. An allocation has another address in each thread, and so has a thread_local. Program::image says what
// such an address is in the other thread; locations that are each other's images are compared by who reads from whom, and a
// write to one's own is no difference. Threads that start others, children and all, are exchanged with these.
//
// Under the rf equivalence the writes of a location have no order, but for the chain of read-modify-writes from the initial write, which comes
// before all others. What that leaves open is decided by trying all exchanges, of which the least is taken (isLeast); no
// part of the tree is left out for it.
//
// What is checked. Two alike threads with the same history must do the same next, and their parent must not access anything
// while some of them run and others do not exist yet, or have been joined. Otherwise something has told them apart, and the
// exploration starts again without symmetry (ToldApart).
//
// Blocked executions. Futile ones are left out (read.cpp), and which ones these are depends on the order of additions, so not all
// executions of a class need to be there. But an execution that is an error because threads wait for ever is never futile. And for each
// failed assertion there is one in which whatever waits has read the co-maximal write, so that it is not futile either.

#include "explore/symmetry.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "explore/digest.h"
#include "explore/final_events.h"
#include "explore/read_effect.h"

namespace heddle::explore {

namespace {

// The event that has started a thread, or kNone.
EventId startOf(const ExecutionView& graph, ThreadId thread) {
  const EventId first = graph.first(thread);
  const EventId start = first != kNone ? graph[first].poPrev : graph.last(thread);
  return start;
}

bool startsAlike(const Operation& a, const Operation& b) { return a.alike() != 0 && a.alike() == b.alike(); }

EventId nextOf(const Trail& graph, ThreadId thread, EventId id) { return id == kNone ? graph.first(thread) : graph[id].poNext; }

}  // namespace

std::vector<AlikeGroup> alikeIn(const ExecutionView& graph, const AlikeThreads& alike) {
  std::vector<AlikeGroup> groups = alike.initial;
  if (!alike.spawned) return groups;
  std::vector<std::size_t> groupOf(graph.threads(), 0);  // from 1
  for (unsigned t = 0; t < graph.threads(); ++t) {
    const auto thread = static_cast<ThreadId>(t);
    const EventId start = startOf(graph, thread);
    if (start == kNone) continue;
    const EventId before = graph[start].poPrev;
    const bool follows = before != kNone && graph[before].thread == graph[start].thread &&
                         graph[before].kind == EventKind::thread && graph.operation(before).kind == OperationKind::spawn &&
                         startsAlike(graph.operation(before), graph.operation(start)) && graph[before].partner < t;
    if (!follows) continue;
    const std::uint32_t brother = graph[before].partner;
    if (groupOf[brother] == 0) {
      groups.push_back({static_cast<ThreadId>(brother)});
      groupOf[brother] = groups.size();
    }
    groupOf[t] = groupOf[brother];
    groups[groupOf[t] - 1].push_back(thread);
  }
  return groups;
}

// ---- Histories.

bool Symmetry::isAfter(EventId earlier, EventId later) const {
  for (EventId w = graph_[earlier].coNext; w != kNone; w = graph_[w].coNext) {
    if (w == later) return true;
  }
  return false;
}

// How far a write is from the initial one, if only read-modify-writes and the ends of critical sections are between.
std::optional<std::uint32_t> Symmetry::placeInChain(EventId write) const {
  std::uint32_t place = 0;
  for (EventId w = write; !isInitial(w); ++place) {
    const bool bound = graph_[w].rmw || graph_.operation(w).kind == OperationKind::unlock;
    if (!bound) return std::nullopt;
    w = graph_[w].rmw ? graph_[graph_[w].poPrev].rf : graph_[w].coPrev;
  }
  return place;
}

// Which of two writes of a location comes first? Not the same one.
Symmetry::Compared Symmetry::compareSources(EventId a, EventId b) const {
  if (options_.equivalence == Equivalence::co) return isAfter(a, b) ? Compared::before : Compared::after;
  const auto placeA = placeInChain(a), placeB = placeInChain(b);
  if (placeA && placeB) return *placeA < *placeB ? Compared::before : Compared::after;
  if (!placeA && !placeB) return Compared::unknown;
  return placeA ? Compared::before : Compared::after;
}

Symmetry::Compared Symmetry::compareReads(EventId a, EventId b) const {
  const Event &first = graph_[a], &second = graph_[b];
  // Of two that read from the same, one may fail spuriously.
  const auto sameSource = [&] {
    if (first.rmw == second.rmw) return Compared::same;
    return first.rmw ? Compared::before : Compared::after;
  };
  const bool ownA = isOwn(a), ownB = isOwn(b);
  if (ownA && ownB && graph_[first.rf].index == graph_[second.rf].index) return sameSource();
  if (first.rf == second.rf) {
    if (ownA == ownB) return sameSource();
    return ownA ? Compared::before : Compared::after;
  }
  if (first.location == second.location) return compareSources(first.rf, second.rf);
  if (isInitial(first.rf) && isInitial(second.rf)) return sameSource();
  if (ownA != ownB) return ownA ? Compared::before : Compared::after;
  return Compared::unknown;
}

// Two events at the same index, after the same history. None: they are of different kinds.
std::optional<Symmetry::Compared> Symmetry::compareEvents(EventId a, EventId b) const {
  const Event &first = graph_[a], &second = graph_[b];
  if (first.kind != second.kind) return std::nullopt;
  const auto byNumber = [](std::uint64_t x, std::uint64_t y) {
    if (x == y) return Compared::same;
    return x < y ? Compared::before : Compared::after;
  };
  switch (first.kind) {
    case EventKind::read: return compareReads(a, b);
    case EventKind::write:
      if (first.location != second.location) return Compared::same;
      return compareSources(a, b);
    case EventKind::choice: return byNumber(first.value, second.value);
    case EventKind::thread: {
      const OperationKind kind = graph_.operation(a).kind;
      const bool meets = kind == OperationKind::arrive || kind == OperationKind::depart;
      return meets ? byNumber(first.partner, second.partner) : Compared::same;
    }
    default: return Compared::same;
  }
}

// One history ends: its thread is stuck at what the other one has done, and comes last.
Symmetry::Compared Symmetry::compareEnds(ThreadId a, EventId eventA, ThreadId b, EventId eventB) const {
  const auto hasStopped = [&](ThreadId thread) {
    const OperationKind kind = pending_[thread].kind;
    return kind == OperationKind::block || kind == OperationKind::error;
  };
  if (eventA == kNone && eventB == kNone) {
    if (!hasStopped(a) && !hasStopped(b)) checkSame(a, pending_[a], b, pending_[b]);
    return Compared::same;
  }
  const ThreadId ended = eventA == kNone ? a : b;
  if (hasStopped(ended)) return Compared::unknown;
  checkSame(a, eventA == kNone ? pending_[a] : graph_.operation(eventA), b,
            eventB == kNone ? pending_[b] : graph_.operation(eventB));
  return eventA == kNone ? Compared::after : Compared::before;
}

Symmetry::Compared Symmetry::compareThreads(ThreadId a, ThreadId b) const {
  EventId eventA = kNone, eventB = kNone;
  while (true) {
    eventA = nextOf(graph_, a, eventA);
    eventB = nextOf(graph_, b, eventB);
    if (eventA == kNone || eventB == kNone) return compareEnds(a, eventA, b, eventB);
    checkSame(a, graph_.operation(eventA), b, graph_.operation(eventB));
    const std::optional<Compared> order = compareEvents(eventA, eventB);
    if (!order) throw ToldApart(graph_.operation(eventB).source, "threads that should be alike do different things");
    if (*order != Compared::same) return *order;
  }
}

// ---- What alike threads must have in common.

void Symmetry::checkSame(ThreadId a, const Operation& first, ThreadId b, const Operation& second) const {
  const auto isImage = [&](Value x, Value y) { return x == y || program_.image(x, a, b) == y; };
  const bool isAccess = first.kind == OperationKind::load || first.kind == OperationKind::store ||
                        first.kind == OperationKind::rmw || first.kind == OperationKind::cas ||
                        first.kind == OperationKind::lock || first.kind == OperationKind::unlock;
  bool same = first.kind == second.kind && first.order == second.order && first.size == second.size;
  if (isAccess) same = same && isImage(first.address, second.address) && first.rmw == second.rmw && first.lock == second.lock;
  const bool writes =
      first.kind == OperationKind::store || first.kind == OperationKind::rmw || first.kind == OperationKind::cas;
  if (writes) same = same && isImage(first.operand(), second.operand());
  if (first.kind == OperationKind::cas) same = same && isImage(first.expected(), second.expected());
  if (!same) throw ToldApart(second.source, "threads that should be alike do different things");
}

// Nothing is between the starts of alike threads (alikeIn), and nothing may be between their joins. What waits at a condition variable has the
// number of its thread.
void Symmetry::checkParents() const {
  for (EventId id = graph_.newest(); id != kNone; id = graph_[id].orderPrev) {
    const Operation& operation = graph_.operation(id);
    if (operation.kind != OperationKind::lock) continue;
    const bool isSet = operation.lock == LockOp::join || operation.lock == LockOp::leave || operation.lock == LockOp::wakeOne ||
                       operation.lock == LockOp::wakeAll;
    if (isSet) throw ToldApart(operation.source, "a condition variable tells threads apart");
  }
  for (const AlikeGroup& group : groups_) {
    for (const ThreadId thread : group) {
      const EventId join = graph_.joinOf(thread);
      if (join == kNone) continue;
      const EventId start = startOf(graph_, thread);
      if (start != kNone && graph_[start].thread != graph_[join].thread) {
        throw ToldApart(graph_.operation(join).source, "another thread than the one that has started it joins a thread");
      }
      if (graph_[join].poNext == kNone) continue;
      const auto joinedBy = [&](EventId id) {
        return std::ranges::any_of(group, [&](ThreadId other) { return other != thread && graph_.joinOf(other) == id; });
      };
      const bool isLast = std::ranges::all_of(group, [&](ThreadId other) {
        const EventId its = graph_.joinOf(other);
        return its != kNone && graph_[its].thread == graph_[join].thread && graph_[its].index <= graph_[join].index;
      });
      const bool isNever =
          std::ranges::none_of(group, [&](ThreadId other) { return other != thread && graph_.joinOf(other) != kNone; });
      const Operation& next = graph_.operation(graph_[join].poNext);
      if (isLast || joinedBy(graph_[join].poNext)) continue;
      throw ToldApart(next.source, isNever ? "some of the threads are joined, and others are not"
                                           : "something is done between the joins of the threads");
    }
  }
}

// ---- Full graphs.

bool Symmetry::stands() {
  groups_ = alikeIn(graph_, *options_.alike);
  if (groups_.empty()) return true;
  checkParents();
  bool stands = true, open = false;
  for (const AlikeGroup& group : groups_) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (std::size_t j = i + 1; j < group.size(); ++j) {
        const Compared order = compareThreads(group[i], group[j]);
        stands &= order != Compared::after;
        open |= order == Compared::unknown;
      }
    }
  }
  return stands && (!open || isLeast());
}

// Of those exchanges that leave each group in order, is this graph the least? Decides where the histories do not. Too many exchanges, or
// threads that start others, are not tried; then several executions of a class may be reported.
bool Symmetry::isLeast() const {
  constexpr std::size_t kMostExchanges = 5040;
  std::size_t exchanges = 1;
  for (const AlikeGroup& group : groups_) {
    for (std::size_t i = 2; i <= group.size() && exchanges <= kMostExchanges; ++i) exchanges *= i;
  }
  if (exchanges > kMostExchanges) return true;
  for (const AlikeGroup& group : groups_) {
    for (const ThreadId thread : group) {
      for (EventId id = graph_.first(thread); id != kNone; id = graph_[id].poNext) {
        if (graph_.operation(id).kind == OperationKind::spawn) return true;
      }
    }
  }
  std::vector<ThreadId> name(graph_.threads());  // that a thread has after the exchange
  std::iota(name.begin(), name.end(), ThreadId{0});
  std::vector<ThreadId> thread = name;  // that has a name
  const auto sourceName = [&](EventId read) {
    const EventId source = graph_[read].rf;
    return isInitial(source) ? 0 : std::uint64_t{name[graph_[source].thread]} << 16 | graph_[source].index;
  };
  // Is the graph greater than what the exchange makes of it? The names of sources are compared, thread by thread.
  const auto isGreater = [&] {
    for (unsigned t = 0; t < graph_.threads(); ++t) {
      EventId mine = graph_.first(static_cast<ThreadId>(t)), other = graph_.first(thread[t]);
      for (; mine != kNone && other != kNone; mine = graph_[mine].poNext, other = graph_[other].poNext) {
        const Event &a = graph_[mine], &b = graph_[other];
        if (a.kind != b.kind) return a.kind > b.kind;
        if (a.isRead() && eventName(graph_, a.rf) != sourceName(other)) return eventName(graph_, a.rf) > sourceName(other);
        if (a.isRead() && a.rmw != b.rmw) return a.rmw > b.rmw;
        if (a.kind == EventKind::choice && a.value != b.value) return a.value > b.value;
      }
      if ((mine == kNone) != (other == kNone)) return other == kNone;
    }
    return false;
  };
  const auto isSorted = [&](const AlikeGroup& group) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (std::size_t j = i + 1; j < group.size(); ++j) {
        if (compareThreads(thread[group[i]], thread[group[j]]) == Compared::after) return false;
      }
    }
    return true;
  };
  const auto tryGroup = [&](const auto& self, std::size_t g) -> bool {
    if (g == groups_.size()) return !isGreater();
    const AlikeGroup& group = groups_[g];
    AlikeGroup order = group;
    do {
      for (std::size_t i = 0; i < group.size(); ++i) {
        thread[group[i]] = order[i];
        name[order[i]] = group[i];
      }
      if (isSorted(group) && !self(self, g + 1)) return false;
    } while (std::next_permutation(order.begin(), order.end()));
    return true;
  };
  return tryGroup(tryGroup, 0);
}

// ---- Parts of the tree.

// May another thread with the same history read something that comes before what this read reads?
bool Symmetry::mayReadBefore(EventId b) const {
  const Event& read = graph_[b];
  const Operation& operation = graph_.operation(b);
  if (isOwn(b)) return false;
  const Lane* const view = read.poPrev == kNone ? nullptr : graph_.view(read.poPrev, view_);
  const auto isOldest = [&](EventId write) {
    if (isInitial(write)) return true;
    return options_.equivalence == Equivalence::co && view != nullptr && graph_.observed(view, write);
  };
  const bool fails = operation.mayFailSpuriously && options_.spurious;
  if (!read.rmw && effectOfRead(operation, graph_[read.rf].value, false).writes) return true;  // this one fails spuriously
  if (isOldest(read.rf)) return false;
  if (!read.rmw || fails) return true;
  EventId write = read.rf;
  do {
    const bool bound = graph_[write].rmw || graph_.operation(write).kind == OperationKind::unlock;
    if (!bound) return true;
    const bool taken = graph_[write].rmw;  // by whoever has made this write
    write = graph_[write].coPrev;
    const Value value = graph_[write].value;
    if (mustWait(operation, value)) continue;
    if (!taken || !effectOfRead(operation, value, false).writes) return true;
  } while (!isOldest(write));
  return false;
}

bool Symmetry::mayComeBefore(EventId b) const {
  const Event& event = graph_[b];
  switch (event.kind) {
    case EventKind::read: return mayReadBefore(b);
    case EventKind::write: return true;
    case EventKind::choice: return event.value != 0;
    case EventKind::thread: {
      const OperationKind kind = graph_.operation(b).kind;
      return (kind == OperationKind::arrive || kind == OperationKind::depart) && event.partner != 0;
    }
    default: return false;
  }
}

bool Symmetry::mayBeSame(EventId b) const { return graph_[b].kind != EventKind::read || !graph_[b].rmw; }

// Is it certain that thread a, the lower number, comes after thread b, whatever happens?
bool Symmetry::mustComeAfter(ThreadId a, ThreadId b) const {
  EventId eventA = kNone;
  bool hasA = true;
  for (EventId eventB = graph_.first(b); eventB != kNone && isFinal(eventB); eventB = graph_[eventB].poNext) {
    if (hasA) eventA = nextOf(graph_, a, eventA);
    hasA = hasA && eventA != kNone;
    if (hasA && isFinal(eventA)) {
      const std::optional<Compared> order = compareEvents(eventA, eventB);
      if (order == Compared::same) continue;
      return order == Compared::after;
    }
    // A location of its own, or of the other thread's, is not the one that thread a comes to.
    const Address address = graph_.operation(eventB).address;
    if (program_.image(address, b, a) != address) return false;
    if (mayComeBefore(eventB)) return false;
    if (!mayBeSame(eventB)) return true;
  }
  return false;
}

bool Symmetry::isFruitless() {
  groups_ = alikeIn(graph_, *options_.alike);
  if (groups_.empty()) return false;
  findFinalEvents(graph_, options_.equivalence, final_);
  for (const AlikeGroup& group : groups_) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (std::size_t j = i + 1; j < group.size(); ++j) {
        if (mustComeAfter(group[i], group[j])) return true;
      }
    }
  }
  return false;
}

}  // namespace heddle::explore
