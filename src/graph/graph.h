// The execution graph of a program whose accesses do not overlap in part: reads-from and coherence by location.
//
// What it adds to the trail (graph/trail.h). The explorer decides what to add; this class keeps the lists consistent:
//
//   setRf / unsetRf        a read's reads-from edge, with the write's list of readers
//   placeAfter / unplace   a write's place in its location's coherence order
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "graph/dependency_edges.h"
#include "graph/execution_view.h"

namespace heddle {

// A byte range that atomic accesses use as a unit.
struct Location {
  Address address = 0;
  unsigned size = 0;
  EventId coTail = kNone;  // the co-maximal write
  bool plain = false;      // some access to it has been a plain one
  bool overlaps = false;   // another location has some of its bytes
};

// Two accesses overlap without covering the same bytes, which this graph has no place for: explore with Mixer instead
// (mixer/on_demand.h). Says which accesses.
class MixedSizes : public ProgramError {
 public:
  using ProgramError::ProgramError;
};

class Graph final : public ExecutionView {
 public:
  static constexpr std::uint32_t kMaxEvents = 1u << 20;

  // `varying`: a location's initial value is the program's to say whenever the location has no events.
  Graph(unsigned threads, unsigned views, bool varying);

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
    const CacheLine& line = locationCache_[(address >> 2) % kCacheLines];
    if (line.address == address && locations_[line.location].size == size) return line.location;
    const auto it = byRange_.find({address, size});
    return it == byRange_.end() ? 0 : it->second;
  }
  // The locations that have some of these bytes.
  std::vector<LocationId> locationsOf(std::span<const ByteRange> bytes) const;
  bool isWritten(LocationId id) const { return locations_[id].coTail != id; }
  bool isUsed(LocationId id) const { return isWritten(id) || events_[id].firstReader != kNone; }
  ByteRange bytesOf(LocationId id) const { return {locations_[id].address, locations_[id].size}; }

  // A new event at the end of its thread and of the insertion order, with its porf clock. Reads, writes and
  // their locations are connected afterwards.
  EventId append(ThreadId thread, EventKind kind, EventClass cls);
  using Trail::removeNewest;

  void setRf(EventId read, EventId write);
  void unsetRf(EventId read);
  // The porf clock that a read has if it reads from a write.
  void setPrefix(EventId read, EventId write);
  void placeAfter(EventId write, EventId predecessor);
  void unplace(EventId write);

  void keepDependencies(bool controlEnds) { dependencies_.emplace(controlEnds); }
  DependencyEdges* dependencies() { return dependencies_ ? &*dependencies_ : nullptr; }
  const DependencyEdges* dependencies() const override { return dependencies_ ? &*dependencies_ : nullptr; }

  // Gives a location another coherence order of the same writes, oldest first.
  void setCoherence(LocationId location, std::span<const EventId> order);

  // Registers a read with its location's last-read clock; paired with forgetRead.
  void noteRead(EventId read);
  void forgetRead(EventId read);

  // Takes the last event of its thread out of every list, and puts it back. A detached event keeps its place
  // in the pool, its clocks, and its links.
  void detach(EventId id);
  void reattach(EventId id);

  // The writes but the initial one that a read reads from: one, if any.
  template <class F>
  void forEachSource(EventId read, F&& visit) const {
    if (!isInitial(events_[read].rf)) visit(events_[read].rf);
  }
  bool overlap(EventId a, EventId b) const { return events_[a].location == events_[b].location; }

  // The answers to ExecutionView; the other graph has the same list.
  bool hasMixedSizes() const override { return false; }
  std::vector<BytesFrom> sourcesOf(EventId read) const override;
  std::vector<BytesFrom> predecessorsOf(EventId write) const override;
  std::vector<EventId> writesAfter(EventId read) const override;
  std::vector<CoherenceOrder> coherence() const override;
  std::vector<CoherenceOrder> coherenceOf(ByteRange bytes) const override;
  Value lastValue(ByteRange bytes, Value otherwise) const override;
  std::uint16_t lastBytes(ByteRange bytes, Wide& data) const override;
  EventId conflictingAccess(ByteRange bytes, ThreadId self, bool writes, const Lane* view) const override;
  void checkInvariants() const override;

 private:
  // Calls visit with the locations that have some of these bytes, by address.
  template <class F>
  void forEachOverlapping(ByteRange bytes, F&& visit) const {
    constexpr Address kMostBytes = 16;  // of an access
    for (auto it = byRange_.lower_bound({bytes.address - std::min(bytes.address, kMostBytes), 0});
         it != byRange_.end() && it->first.first < bytes.address + bytes.size; ++it) {
      if (bytesOf(it->second).overlaps(bytes)) visit(it->second);
    }
  }

  LocationId locateSlowly(Address address, unsigned size, const Program& program);
  LocationId createLocation(Address address, unsigned size);
  void linkReader(EventId read, EventId write);
  void unlinkReader(EventId read);

  std::optional<DependencyEdges> dependencies_;
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
  const EventId id = Trail::append(thread, kind, cls);
  if (id >= kFirstEvent + kMaxEvents - 2 || events_[id].index >= kNever - 1) {
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
  events_[read].rf = write;
  linkReader(read, write);
  setPrefix(read, write);
}

inline void Graph::setPrefix(EventId read, EventId write) {
  const Event& r = events_[read];
  Lane* clock = porf(read);
  if (r.poPrev != kNone) {
    clock::joined(clock, porf(r.poPrev), porf(write), chunks_);
  } else {
    clock::copy(clock, porf(write), chunks_);  // of an initial write it is empty
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
