// The trail: the events of an execution graph in the order in which they were added, with their clocks.
//
// Events are only ever added and taken away at the ends of threads, so adding one and undoing it are a handful of link
// updates; nothing is copied and nothing allocates. The trail knows what is the same for every graph: threads, program
// order with its spawns, joins and barriers, the insertion order, and clocks. Who reads from whom, and in which order
// writes are, is what the two graphs add (graph/graph.h by location, mixer/mixed_graph.h by byte):
//
//   append(thread)       a new event at the end of its thread and of the insertion order
//   removeNewest         the newest one out again
//   detach / reattach    an event out of the graph and back, in opposite orders (backward revisits)
//
// Every event has a porf clock (its porf-prefix, itself included) and as many views as the model's
// happens-before needs (ViewPlan in model/compile.h). A write also has a clock of the least index, a thread, among itself
// and its readers: a view that reaches it in some lane has observed the write, which is all that
// coherence needs to know.
//
//     clocks of an event   | porf | observers | view 1 | view 2 | ...
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "graph/arena.h"
#include "graph/clock.h"
#include "graph/event.h"
#include "program/barrier.h"
#include "program/thread_set.h"

namespace heddle {

// A limit of this implementation, not of the algorithm: says which, and what to do.
class LimitError : public std::runtime_error {
 public:
  explicit LimitError(const std::string& message, std::vector<std::string> advice = {})
      : std::runtime_error(message), advice_(std::move(advice)) {}
  const std::vector<std::string>& advice() const { return advice_; }  // in this program, a line each

 private:
  std::vector<std::string> advice_;
};

// The program does something that is refused, such as unlocking a mutex that another thread holds.
class ProgramError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Trail {
 public:
  static constexpr unsigned kMaxThreads = kMostThreads;

  Event& operator[](EventId id) { return events_[id]; }
  const Event& operator[](EventId id) const { return events_[id]; }
  Operation& operation(EventId id) { return operations_[id - kFirstEvent]; }
  const Operation& operation(EventId id) const { return operations_[id - kFirstEvent]; }

  static std::size_t lanesFor(unsigned threads) { return (threads + kLanesPerChunk - 1) / kLanesPerChunk * kLanesPerChunk; }

  unsigned threads() const { return threads_; }
  unsigned chunks() const { return chunks_; }
  Lane* porf(EventId id) { return clocks_ + std::size_t{id} * stride_; }
  const Lane* porf(EventId id) const { return clocks_ + std::size_t{id} * stride_; }
  // A write's least observers. Reads have no use for theirs.
  Lane* observers(EventId id) { return porf(id) + lanes_; }
  const Lane* observers(EventId id) const { return porf(id) + lanes_; }
  // The views of an event go by where they are among its clocks. View 0 is the porf clock itself; the model's views,
  // numbered from 1, come after the observers.
  static std::size_t viewOffset(unsigned threads, unsigned number) {
    return number == 0 ? 0 : lanesFor(threads) * (number + 1);
  }
  Lane* view(EventId id, std::size_t offset) { return porf(id) + offset; }
  const Lane* view(EventId id, std::size_t offset) const { return porf(id) + offset; }

  // Has a view observed a write: does it contain the write or one of its readers?
  bool observed(const Lane* view, EventId write) const {
    return isInitial(write) ? false : clock::someAtLeast(view, observers(write), chunks_);
  }
  bool inPrefix(const Lane* clock, EventId id) const { return clock[events_[id].thread] >= events_[id].index; }

  EventId last(ThreadId thread) const { return last_[thread]; }
  EventId first(ThreadId thread) const { return first_[thread]; }
  EventId joinOf(ThreadId thread) const { return joinedBy_[thread]; }
  EventId newest() const { return newest_; }
  EventId top() const { return top_; }

  // What comes right after an event in program order: in its thread, or where that is joined; and in a thread that it
  // spawns.
  template <class F>
  void followThread(EventId id, F&& visit) const {
    const Event& event = events_[id];
    if (event.poNext != kNone) {
      visit(event.poNext);
    } else if (const EventId join = joinedBy_[event.thread]; join != kNone) {
      visit(join);
    }
  }
  template <class F>
  void followSpawn(EventId id, F&& visit) const {
    if (events_[id].kind != EventKind::thread || operation(id).kind != OperationKind::spawn) return;
    const std::uint32_t child = events_[id].partner;
    if (first_[child] != kNone) {
      visit(first_[child]);
    } else if (joinedBy_[child] != kNone) {
      visit(joinedBy_[child]);
    }
  }

  // What a thread has done at barriers, newest first, until `visit` returns false.
  template <class F>
  void forEachMeeting(ThreadId thread, F&& visit) const {
    for (EventId id = lastMeeting(thread, last_[thread]); id != kNone && visit(id); id = events_[id].meetingPrev) {}
  }
  // The other side of a round at a barrier.
  template <class F>
  void forEachArrival(EventId departure, F&& visit) const {
    forEachInRound(departure, OperationKind::arrive, visit);
  }
  template <class F>
  void forEachDeparture(EventId arrival, F&& visit) const {
    forEachInRound(arrival, OperationKind::depart, visit);
  }
  // A new arrival or departure: connects it with what its thread has done at barriers before.
  void noteMeeting(EventId id) { events_[id].meetingPrev = lastMeeting(events_[id].thread, events_[id].poPrev); }

  // Spawn and join edges, which are part of program order.
  void setStart(ThreadId child, EventId spawn) { last_[child] = spawn, ++threadChanges_; }
  void setJoin(ThreadId child, EventId join) { joinedBy_[child] = join, ++threadChanges_; }
  // The thread seems to end with this event, until others are taken away.
  void endAt(ThreadId thread, EventId last) { last_[thread] = last; }
  // Counts changes to the spawns and joins.
  std::uint64_t threadChanges() const { return threadChanges_; }

 protected:
  // `views`: how many besides the porf clock. `room`: for so many events.
  Trail(unsigned threads, unsigned views, std::size_t room);
  ~Trail() = default;
  Trail(Trail&&) = default;

  // The initial write of a location, or of a line; it has the same number.
  void makeInitial(LocationId id);
  EventId append(ThreadId thread, EventKind kind, EventClass cls);
  void removeNewest();
  // Takes the last event of its thread out of its lists, and puts it back. A detached event keeps its place in the pool,
  // its clocks, and its links.
  void detach(EventId id);
  void reattach(EventId id);

  // For builds that check invariants.
  void checkTrail() const;
  [[noreturn]] static void fail(const char* what, EventId id);

  unsigned threads_;
  unsigned chunks_;
  std::size_t lanes_;  // of one clock
  Arena<Event> events_;

 private:
  bool isMeeting(EventId id) const {
    return events_[id].kind == EventKind::thread &&
           (operation(id).kind == OperationKind::arrive || operation(id).kind == OperationKind::depart);
  }
  // The thread's last event at a barrier, from `id` back.
  EventId lastMeeting(ThreadId thread, EventId id) const {
    while (id != kNone && events_[id].thread == thread && !isMeeting(id)) id = events_[id].poPrev;
    return id != kNone && events_[id].thread == thread ? id : kNone;
  }
  // A thread arrives in one round of a barrier after the other.
  template <class F>
  void forEachInRound(EventId of, OperationKind kind, F&& visit) const {
    const Operation& barrier = operation(of);
    const std::uint32_t round = events_[of].partner;
    for (unsigned t = 0; t < threads_; ++t) {
      forEachMeeting(static_cast<ThreadId>(t), [&](EventId id) {
        const Operation& other = operation(id);
        if (!isSameBarrier(other, barrier)) return true;
        if (other.kind == kind && events_[id].partner == round) visit(id);
        return other.kind != OperationKind::arrive || events_[id].partner >= round;
      });
    }
  }

  void leaveThread(const Event& event);
  // The edge of a spawn or join, if the event is one.
  void setThreadEdge(const Event& event, EventId id, EventId edge);

  std::size_t stride_;  // lanes of all clocks of an event
  Arena<Operation> operations_;
  Arena<Lane> clockArena_;
  Lane* clocks_;
  EventId top_ = kFirstEvent;
  EventId newest_ = kNone;
  std::vector<EventId> first_, last_, joinedBy_;
  std::uint64_t threadChanges_ = 0;
};

// Inlined in both graphs, whatever the compiler thinks: it is on the way of every event.
[[gnu::always_inline]] inline EventId Trail::append(ThreadId thread, EventKind kind, EventClass cls) {
  const EventId id = top_++;
  const EventId previous = last_[thread];
  Event& event = events_[id];
  event = Event{};
  event.thread = thread;
  event.kind = kind;
  event.cls = cls;
  event.poPrev = previous;
  event.index = 1;
  Lane* porfClock = porf(id);
  if (previous != kNone) {
    Event& before = events_[previous];
    clock::copy(porfClock, porf(previous), chunks_);
    if (before.thread == thread) {
      before.poNext = id;
      event.index = static_cast<std::uint16_t>(before.index + 1);
    } else {
      first_[thread] = id;
    }
  } else {
    clock::fill(porfClock, 0, chunks_);
    first_[thread] = id;
  }
  porfClock[thread] = event.index;
  if (kind == EventKind::write) {
    clock::fill(observers(id), kNever, chunks_);
    observers(id)[thread] = event.index;
  }
  last_[thread] = id;
  event.orderPrev = newest_;
  if (newest_ != kNone) events_[newest_].orderNext = id;
  newest_ = id;
  return id;
}

inline void Trail::leaveThread(const Event& event) {
  last_[event.thread] = event.poPrev;
  if (event.index == 1) {
    first_[event.thread] = kNone;
  } else {
    events_[event.poPrev].poNext = kNone;
  }
}

inline void Trail::setThreadEdge(const Event& event, EventId id, EventId edge) {
  if (event.kind != EventKind::thread) return;
  const auto other = static_cast<ThreadId>(event.partner);
  if (operation(id).kind == OperationKind::spawn) {
    setStart(other, edge);
  } else if (operation(id).kind == OperationKind::join) {
    setJoin(other, edge);
  }
}

inline void Trail::detach(EventId id) {
  const Event& event = events_[id];
  setThreadEdge(event, id, kNone);
  leaveThread(event);
  if (event.orderPrev != kNone) events_[event.orderPrev].orderNext = event.orderNext;
  if (event.orderNext != kNone) {
    events_[event.orderNext].orderPrev = event.orderPrev;
  } else {
    newest_ = event.orderPrev;
  }
}

inline void Trail::reattach(EventId id) {
  const Event& event = events_[id];
  if (event.orderPrev != kNone) events_[event.orderPrev].orderNext = id;
  if (event.orderNext != kNone) {
    events_[event.orderNext].orderPrev = id;
  } else {
    newest_ = id;
  }
  last_[event.thread] = id;
  if (event.index == 1) {
    first_[event.thread] = id;
  } else {
    events_[event.poPrev].poNext = id;
  }
  setThreadEdge(event, id, id);
}

}  // namespace heddle
