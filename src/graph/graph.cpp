#include "graph/graph.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {

Graph::Graph(unsigned threads, unsigned views, bool varying)
    : ExecutionView(threads, views, kMaxEvents),
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
  makeInitial(id);
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
    forEachOverlapping({address, size}, [&](LocationId other) {
      if (other == id) return;
      for (const LocationId overlapping : {id, other}) {
        locations_[overlapping].overlaps = true;
        locationCache_[(locations_[overlapping].address >> 2) % kCacheLines] = {};
      }
      if (!isUsed(other) && varying_) return;
      const auto [start, length] = bytesOf(other);
      throw MixedSizes(fmt::format("{} is accessed with {}, and {} with {}", program.locationName(start, length),
                                   byteCount(length), program.locationName(address, size), byteCount(size)));
    });
  }
  if (!locations_[id].overlaps) locationCache_[(address >> 2) % kCacheLines] = {address, id};
  return id;
}

std::vector<LocationId> Graph::locationsOf(std::span<const ByteRange> bytes) const {
  std::vector<LocationId> found;
  for (const ByteRange& range : bytes) {
    forEachOverlapping(range, [&](LocationId id) {
      if (std::ranges::find(found, id) == found.end()) found.push_back(id);
    });
  }
  std::ranges::sort(found);
  return found;
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

void Graph::detach(EventId id) {
  const Event& event = events_[id];
  if (event.isRead()) {
    unlinkReader(id);
    forgetRead(id);
  } else if (event.isWrite()) {
    unplace(id);
  }
  if (varying_ && event.location != 0) detachedInitials_.push_back(events_[event.location].value);
  Trail::detach(id);
}

void Graph::reattach(EventId id) {
  Trail::reattach(id);
  const Event& event = events_[id];
  if (event.isRead()) {
    lastReads(event.location)[event.thread] = event.index;
    linkReader(id, event.rf);
  } else if (event.isWrite()) {
    placeAfter(id, event.coPrev);
  }
  if (varying_ && event.location != 0) {
    events_[event.location].value = detachedInitials_.back();
    detachedInitials_.pop_back();
  }
}

std::vector<BytesFrom> Graph::sourcesOf(EventId read) const { return {{bytesOf(events_[read].location), events_[read].rf}}; }

std::vector<BytesFrom> Graph::predecessorsOf(EventId write) const {
  return {{bytesOf(events_[write].location), events_[write].coPrev}};
}

std::vector<EventId> Graph::writesAfter(EventId read) const {
  std::vector<EventId> writes;
  for (EventId w = events_[events_[read].rf].coNext; w != kNone; w = events_[w].coNext) writes.push_back(w);
  return writes;
}

std::vector<CoherenceOrder> Graph::coherence() const {
  std::vector<CoherenceOrder> orders;
  for (LocationId l = 1; l < locations(); ++l) {
    CoherenceOrder& order = orders.emplace_back(CoherenceOrder{{bytesOf(l)}, l, {}});
    for (EventId w = events_[l].coNext; w != kNone; w = events_[w].coNext) order.writes.push_back(w);
  }
  return orders;
}

std::vector<CoherenceOrder> Graph::coherenceOf(ByteRange bytes) const {
  std::vector<CoherenceOrder> orders;
  forEachOverlapping(bytes, [&](LocationId l) {
    if (!isUsed(l)) return;
    CoherenceOrder& order = orders.emplace_back(CoherenceOrder{{bytesOf(l)}, l, {}});
    for (EventId w = events_[l].coNext; w != kNone; w = events_[w].coNext) order.writes.push_back(w);
  });
  return orders;
}

Value Graph::lastValue(ByteRange bytes, Value otherwise) const {
  if (const LocationId id = findLocation(bytes.address, bytes.size)) return events_[locations_[id].coTail].value;
  // What has been accessed in parts only is put together from these.
  forEachOverlapping(bytes, [&](LocationId id) {
    if (!isUsed(id)) return;
    const auto [address, size] = bytesOf(id);
    const Value ones = truncate(~Value{0}, size), last = events_[locations_[id].coTail].value;
    const auto place = [&](Value value) {
      return address >= bytes.address ? value << 8 * (address - bytes.address) : value >> 8 * (bytes.address - address);
    };
    const Value mask = truncate(place(ones), bytes.size);
    otherwise = (otherwise & ~mask) | (place(last) & mask);
  });
  return otherwise;
}

std::uint16_t Graph::lastBytes(ByteRange bytes, Wide& data) const {
  const LocationId id = findLocation(bytes.address, bytes.size);
  if (id == 0 || !isWritten(id)) return 0;
  data = events_[locations_[id].coTail].value;
  return static_cast<std::uint16_t>((1u << bytes.size) - 1);
}

EventId Graph::conflictingAccess(ByteRange bytes, ThreadId self, bool writes, const Lane* view) const {
  const LocationId id = findLocation(bytes.address, bytes.size);
  if (id == 0) return kNone;
  const auto conflicts = [&](EventId access) { return events_[access].thread != self && !inPrefix(view, access); };
  for (EventId w = locations_[id].coTail; w != kNone; w = events_[w].coPrev) {
    if (!isInitial(w) && conflicts(w)) return w;
    for (EventId r = events_[w].firstReader; r != kNone; r = events_[r].readerNext) {
      if ((writes || operation(r).isAttempt()) && conflicts(r)) return r;  // an attempt would have written
    }
  }
  return kNone;
}

void Graph::checkInvariants() const {
  checkTrail();
  for (EventId id = newest(); id != kNone; id = events_[id].orderPrev) {
    const Event& e = events_[id];
    if (e.isRead()) {
      const EventId w = e.rf;
      if (events_[w].location != e.location) fail("a read reads from its own location", id);
      bool found = false;
      for (EventId r = events_[w].firstReader; r != kNone; r = events_[r].readerNext) found |= r == id;
      if (!found) fail("a read is among its write's readers", id);
      if (!isInitial(w)) {
        if (!inPrefix(porf(id), w)) fail("rf is in the porf-prefix", id);
        if (clock::someGreater(porf(w), porf(id), chunks_)) fail("porf is transitive", id);
      }
      if (observers(w)[e.thread] > e.index) fail("least observers cover the readers", id);
    }
    if (e.isWrite()) {
      bool found = false;
      for (EventId w = locations_[e.location].coTail; w != kNone; w = events_[w].coPrev) found |= w == id;
      if (!found) fail("a write is in the coherence order", id);
    }
  }
}

}  // namespace heddle
