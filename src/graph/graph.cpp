#include "graph/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace heddle {

static constexpr unsigned kMostBytes = 16;  // of an access

Graph::Graph(unsigned threads, unsigned views, bool varying)
    : threads_(threads),
      chunks_(static_cast<unsigned>(lanesFor(threads) / kLanesPerChunk)),
      lanes_(lanesFor(threads)),
      stride_(lanes_ * (2 + views)),
      events_(kFirstEvent + kMaxEvents),
      operations_(kMaxEvents),
      clockArena_((kFirstEvent + kMaxEvents) * stride_),
      clocks_(clockArena_.data()),
      first_(threads, kNone),
      last_(threads, kNone),
      joinedBy_(threads, kNone),
      lastReads_(std::size_t{kMaxLocations} * lanes_),
      varying_(varying),
      locationCache_(kCacheLines) {
  locations_.emplace_back();  // location 0 is none, as event 0 is
}

LocationId Graph::createLocation(Address address, unsigned size) {
  const auto id = static_cast<LocationId>(locations_.size());
  if (id >= kMaxLocations) throw LimitError("the program uses more than 65,535 atomic locations");
  locations_.push_back({.address = address, .size = size, .coTail = id});
  byRange_.emplace(std::pair(address, size), id);
  Event& initial = events_[id];
  initial = Event{};
  initial.kind = EventKind::write;
  initial.cls = kInitialWriteClass;
  initial.location = id;
  clock::fill(porf(id), 0, static_cast<unsigned>(stride_ / kLanesPerChunk));
  clock::fill(observers(id), kNever, chunks_);
  clock::fill(lastReads(id), 0, chunks_);
  return id;
}

static std::string byteCount(unsigned count) { return fmt::format("{} byte{}", count, count == 1 ? "" : "s"); }

LocationId Graph::locateSlowly(Address address, unsigned size, const Program& program) {
  const auto known = byRange_.find({address, size});
  const bool created = known == byRange_.end();
  const LocationId id = created ? createLocation(address, size) : known->second;
  if (created) events_[id].value = program.initialValue(address, size);
  if (created || locations_[id].overlaps) {
    for (auto it = byRange_.lower_bound({address - std::min(address, Address{kMostBytes}), 0});
         it != byRange_.end() && it->first.first < address + size; ++it) {
      const auto [start, length] = it->first;
      if (it->second == id || start + length <= address) continue;
      for (const LocationId overlapping : {id, it->second}) {
        locations_[overlapping].overlaps = true;
        locationCache_[(locations_[overlapping].address >> 2) % kCacheLines] = {};
      }
      if (!isUsed(it->second) && varying_) continue;
      throw MixedSizes(fmt::format("{} is accessed with {}, and {} with {}", program.locationName(start, length),
                                   byteCount(length), program.locationName(address, size), byteCount(size)));
    }
  }
  if (!locations_[id].overlaps) locationCache_[(address >> 2) % kCacheLines] = {address, id};
  return id;
}

void Graph::setCoherence(LocationId location, std::span<const EventId> order) {
  EventId previous = location;  // the initial write
  for (const EventId write : order) {
    events_[previous].coNext = write;
    events_[write].coPrev = previous;
    previous = write;
  }
  events_[previous].coNext = kNone;
  locations_[location].coTail = previous;
}

void Graph::leaveThread(const Event& event) {
  last_[event.thread] = event.poPrev;
  if (event.index == 1) {
    first_[event.thread] = kNone;
  } else {
    events_[event.poPrev].poNext = kNone;
  }
}

void Graph::detach(EventId id) {
  Event& event = events_[id];
  switch (event.kind) {
    case EventKind::read:
      unlinkReader(id);
      forgetRead(id);
      break;
    case EventKind::write: unplace(id); break;
    case EventKind::thread:
      if (operation(id).kind == OperationKind::spawn) {
        last_[event.partner] = kNone;
      } else if (operation(id).kind == OperationKind::join) {
        joinedBy_[event.partner] = kNone;
      }
      break;
    case EventKind::fence:
    case EventKind::choice: break;
  }
  if (varying_ && event.location != 0) detachedInitials_.push_back(events_[event.location].value);
  leaveThread(event);
  if (event.orderPrev != kNone) events_[event.orderPrev].orderNext = event.orderNext;
  if (event.orderNext != kNone) {
    events_[event.orderNext].orderPrev = event.orderPrev;
  } else {
    newest_ = event.orderPrev;
  }
}

void Graph::reattach(EventId id) {
  Event& event = events_[id];
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
  switch (event.kind) {
    case EventKind::read:
      lastReads(event.location)[event.thread] = event.index;
      linkReader(id, event.rf);
      break;
    case EventKind::write: placeAfter(id, event.coPrev); break;
    case EventKind::thread:
      if (operation(id).kind == OperationKind::spawn) {
        last_[event.partner] = id;
      } else if (operation(id).kind == OperationKind::join) {
        joinedBy_[event.partner] = id;
      }
      break;
    case EventKind::fence:
    case EventKind::choice: break;
  }
  if (varying_ && event.location != 0) {
    events_[event.location].value = detachedInitials_.back();
    detachedInitials_.pop_back();
  }
}

void Graph::removeNewest() {
  const EventId id = newest_;
  const Event& event = events_[id];
  leaveThread(event);
  newest_ = event.orderPrev;
  if (newest_ != kNone) events_[newest_].orderNext = kNone;
  top_ = id;
}

namespace {

[[noreturn]] void broken(const char* what, EventId id) {
  fmt::print(stderr, "internal error: graph invariant broken: {} (event {})\n", what, id);
  std::abort();
}

}  // namespace

void Graph::checkInvariants() const {
  std::vector<unsigned> count(threads_, 0);
  EventId previous = kNone;
  for (EventId id = newest_; id != kNone; id = events_[id].orderPrev) {
    const Event& e = events_[id];
    if (previous != kNone && !(id < previous)) broken("insertion order follows the pool", id);
    if (e.orderNext != previous) broken("insertion order is doubly linked", id);
    previous = id;
    ++count[e.thread];
    if (porf(id)[e.thread] != e.index) broken("an event is in its own porf-prefix", id);
    if (e.index > 1 && events_[e.poPrev].poNext != id) broken("program order is doubly linked", id);
    if (e.isRead()) {
      const EventId w = e.rf;
      if (events_[w].location != e.location) broken("a read reads from its own location", id);
      bool found = false;
      for (EventId r = events_[w].firstReader; r != kNone; r = events_[r].readerNext) found |= r == id;
      if (!found) broken("a read is among its write's readers", id);
      if (!isInitial(w)) {
        if (!inPrefix(porf(id), w)) broken("rf is in the porf-prefix", id);
        if (clock::someGreater(porf(w), porf(id), chunks_)) broken("porf is transitive", id);
      }
      if (observers(w)[e.thread] > e.index) broken("least observers cover the readers", id);
    }
    if (e.isWrite()) {
      bool found = false;
      for (EventId w = locations_[e.location].coTail; w != kNone; w = events_[w].coPrev) found |= w == id;
      if (!found) broken("a write is in the coherence order", id);
    }
  }
  for (unsigned t = 0; t < threads_; ++t) {
    const EventId end = last_[t];
    const unsigned expected = end != kNone && events_[end].thread == t ? events_[end].index : 0;
    if (count[t] != expected) broken("a thread's events are all live", end);
  }
}

}  // namespace heddle
