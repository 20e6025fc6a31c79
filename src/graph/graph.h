// The execution graph as a trail.
//
// The graph is only ever extended at the end of a thread and shrunk from the end of a thread, so adding an
// event and undoing it are a handful of link updates; nothing is copied and nothing allocates. The explorer
// decides what to add; this class keeps the lists and clocks consistent:
//
//   append(thread)         a new event at the end of its thread and of the insertion order
//   setRf / unsetRf        a read's reads-from edge, with the write's list of readers
//   placeAfter / unplace   a write's place in its location's coherence order
//   detach / reattach      an event out of the graph and back, in opposite orders (backward revisits)
//
// Every event has a porf clock (its porf-prefix, itself included) and as many views as the model's
// happens-before needs (ViewPlan in model/compile.h). A write also has a clock of the least index, a thread, among itself
// and its readers: a view that reaches it in some lane has observed the write, which is all that
// coherence needs to know.
#pragma once

#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "graph/arena.h"
#include "graph/clock.h"
#include "graph/event.h"
#include "program/barrier.h"

namespace heddle {

// A byte range that atomic accesses use as a unit.
struct Location {
  Address address = 0;
  unsigned size = 0;
  EventId coTail = kNone;  // the co-maximal write
  bool plain = false;      // some access to it has been a plain one
  bool overlaps = false;   // another location has some of its bytes
};

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

// Two accesses overlap without covering the same bytes, which this graph has no place for: explore with Mixer instead
// (mixer/on_demand.h). Says which accesses.
class MixedSizes : public ProgramError {
 public:
  using ProgramError::ProgramError;
};

class Graph {
 public:
  static constexpr unsigned kMaxThreads = 64;
  static constexpr std::uint32_t kMaxEvents = 1u << 20;

  // `varying`: a location's initial value is the program's to say whenever the location has no events.
  Graph(unsigned threads, unsigned views, bool varying);

  Event& operator[](EventId id) { return events_[id]; }
  const Event& operator[](EventId id) const { return events_[id]; }
  Operation& operation(EventId id) { return operations_[id - kFirstEvent]; }
  const Operation& operation(EventId id) const { return operations_[id - kFirstEvent]; }

  static std::size_t lanesFor(unsigned threads) {
    return (threads + kLanesPerChunk - 1) / kLanesPerChunk * kLanesPerChunk;
  }

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

  Location& location(LocationId id) { return locations_[id]; }
  const Location& location(LocationId id) const { return locations_[id]; }
  LocationId locations() const { return static_cast<LocationId>(locations_.size()); }
  const Lane* lastReads(LocationId id) const { return &lastReads_[std::size_t{id} * lanes_]; }
  Lane* lastReads(LocationId id) { return lastReads_.data() + std::size_t{id} * lanes_; }
  // The location of a byte range; the first access creates it, with its initial write. Of the locations that share
  // bytes only one may have events.
  LocationId locate(Address address, unsigned size, const Program& program);
  // The location of a byte range that some access has used, or 0.
  LocationId findLocation(Address address, unsigned size) const {
    const auto it = byRange_.find({address, size});
    return it == byRange_.end() ? 0 : it->second;
  }
  bool isWritten(LocationId id) const { return locations_[id].coTail != id; }
  bool isUsed(LocationId id) const { return isWritten(id) || events_[id].firstReader != kNone; }

  EventId last(ThreadId thread) const { return last_[thread]; }
  EventId first(ThreadId thread) const { return first_[thread]; }
  EventId joinOf(ThreadId thread) const { return joinedBy_[thread]; }
  EventId newest() const { return newest_; }
  EventId top() const { return top_; }

  // What a thread has done at barriers, newest first, until `visit` returns false.
  template <class F>
  void forEachMeeting(ThreadId thread, F&& visit) const {
    for (EventId id = lastMeeting(thread, last_[thread]); id != kNone && visit(id); id = events_[id].meetingPrev) {
    }
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

  // A new event at the end of its thread and of the insertion order, with its porf clock. Reads, writes and
  // their locations are connected afterwards.
  EventId append(ThreadId thread, EventKind kind, EventClass cls);
  void removeNewest();

  void setRf(EventId read, EventId write);
  void unsetRf(EventId read);
  void placeAfter(EventId write, EventId predecessor);
  void unplace(EventId write);

  // Gives a location another coherence order of the same writes, oldest first.
  void setCoherence(LocationId location, std::span<const EventId> order);

  // Registers a read with its location's last-read clock; paired with forgetRead.
  void noteRead(EventId read);
  void forgetRead(EventId read);

  // Takes the last event of its thread out of every list, and puts it back. A detached event keeps its place
  // in the pool, its clocks, and its links.
  void detach(EventId id);
  void reattach(EventId id);

  // Spawn and join edges, which are part of program order.
  void setStart(ThreadId child, EventId spawn) { last_[child] = spawn; }
  void setJoin(ThreadId child, EventId join) { joinedBy_[child] = join; }

  // Has a view observed a write: does it contain the write or one of its readers?
  bool observed(const Lane* view, EventId write) const {
    return isInitial(write) ? false : clock::someAtLeast(view, observers(write), chunks_);
  }
  bool inPrefix(const Lane* clock, EventId id) const { return clock[events_[id].thread] >= events_[id].index; }

  // Checks that all lists agree with each other (debug builds, and tests).
  void checkInvariants() const;

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

  LocationId locateSlowly(Address address, unsigned size, const Program& program);
  LocationId createLocation(Address address, unsigned size);
  void leaveThread(const Event& event);
  void linkReader(EventId read, EventId write);
  void unlinkReader(EventId read);

  unsigned threads_;
  unsigned chunks_;
  std::size_t lanes_;   // of one clock
  std::size_t stride_;  // lanes of all clocks of an event
  Arena<Event> events_;
  Arena<Operation> operations_;
  Arena<Lane> clockArena_;
  Lane* clocks_;
  EventId top_ = kFirstEvent;
  EventId newest_ = kNone;
  std::vector<EventId> first_, last_, joinedBy_;

  std::vector<Location> locations_;
  Arena<Lane> lastReads_;
  bool varying_;
  std::vector<Value> detachedInitials_;  // if they vary, of the locations of detached events: they may change meanwhile
  std::map<std::pair<Address, unsigned>, LocationId> byRange_;
  struct CacheLine {  // of locations that overlap no other
    Address address = 0;
    LocationId location = 0;
  };
  static constexpr unsigned kCacheLines = 256;
  std::vector<CacheLine> locationCache_;
};

inline EventId Graph::append(ThreadId thread, EventKind kind, EventClass cls) {
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
  if (id >= kFirstEvent + kMaxEvents - 2 || event.index >= kNever - 1) {
    throw LimitError("the execution graph is too large (over a million events, or 32,000 in one thread)");
  }
  return id;
}

inline void Graph::linkReader(EventId read, EventId write) {
  Event& r = events_[read];
  Event& w = events_[write];
  r.readerPrev = kNone;
  r.readerNext = w.firstReader;
  if (w.firstReader != kNone) events_[w.firstReader].readerPrev = read;
  w.firstReader = read;
  Lane& least = observers(write)[r.thread];
  if (r.index < least) least = r.index;
  if (r.rmw && w.rmwReader == kNone) w.rmwReader = read;
}

// The read is the last event of its thread, so it is the least observer only if it is the only one there.
inline void Graph::unlinkReader(EventId read) {
  Event& r = events_[read];
  Event& w = events_[r.rf];
  if (r.readerPrev != kNone) {
    events_[r.readerPrev].readerNext = r.readerNext;
  } else {
    w.firstReader = r.readerNext;
  }
  if (r.readerNext != kNone) events_[r.readerNext].readerPrev = r.readerPrev;
  Lane& least = observers(r.rf)[r.thread];
  if (least == r.index) least = kNever;
  if (w.rmwReader == read) w.rmwReader = kNone;
}

inline void Graph::setRf(EventId read, EventId write) {
  Event& r = events_[read];
  r.rf = write;
  linkReader(read, write);
  Lane* clock = porf(read);
  if (r.poPrev != kNone) {
    clock::copy(clock, porf(r.poPrev), chunks_);
    if (!isInitial(write)) clock::join(clock, porf(write), chunks_);
  } else if (!isInitial(write)) {
    clock::copy(clock, porf(write), chunks_);
  } else {
    clock::fill(clock, 0, chunks_);
  }
  clock[r.thread] = r.index;
}

inline void Graph::unsetRf(EventId read) {
  unlinkReader(read);
  events_[read].rf = kNone;
}

inline void Graph::placeAfter(EventId write, EventId predecessor) {
  Event& w = events_[write];
  Event& p = events_[predecessor];
  w.coPrev = predecessor;
  w.coNext = p.coNext;
  p.coNext = write;
  if (w.coNext != kNone) {
    events_[w.coNext].coPrev = write;
  } else {
    locations_[w.location].coTail = write;
  }
}

inline void Graph::unplace(EventId write) {
  Event& w = events_[write];
  events_[w.coPrev].coNext = w.coNext;
  if (w.coNext != kNone) {
    events_[w.coNext].coPrev = w.coPrev;
  } else {
    locations_[w.location].coTail = w.coPrev;
  }
  w.coNext = kNone;  // it keeps coPrev, for reattach
}

inline void Graph::noteRead(EventId read) {
  Event& r = events_[read];
  Lane& lane = lastReads(r.location)[r.thread];
  r.priorRead = lane;
  lane = r.index;
}

inline void Graph::forgetRead(EventId read) {
  const Event& r = events_[read];
  lastReads(r.location)[r.thread] = static_cast<Lane>(r.priorRead);
}

inline LocationId Graph::locate(Address address, unsigned size, const Program& program) {
  const CacheLine& line = locationCache_[(address >> 2) % kCacheLines];
  const bool hit = line.address == address && locations_[line.location].size == size;
  const LocationId id = hit ? line.location : locateSlowly(address, size, program);
  if (varying_ && !isUsed(id)) events_[id].value = program.initialValue(address, size);
  return id;
}

}  // namespace heddle
