#include "runtime/shared_locations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace heddle::native {

using memory::AtomicPart;

// ---- Events that conflict with a plain access.

void SharedLocations::checkEvents(const AtomicPart& part, bool write, const char* what, std::uint32_t source) {
  running_.inGraph([&](const auto& graph) {
    const EventId racing = racingEvent(graph, part, write, running_.view());
    if (racing != kNone) failRace(graph, racing, part, what, source);
  });
}

void SharedLocations::checkUses(const AtomicPart& part, std::uint32_t source) {
  running_.inGraph([&](const auto& graph) {
    const EventId late = racingEvent(graph, part, true, running_.order());
    if (late != kNone) failUse(graph, late, part, source);
  });
}

EventId SharedLocations::racingEvent(const Graph& graph, const AtomicPart& part, bool write, const Lane* view) const {
  const LocationId location = graph.findLocation(part.address, part.size);
  if (location == 0) return kNone;
  EventId racing = kNone;
  const auto look = [&](EventId id) {
    if (!isInitial(id) && graph[id].thread != running_.self() && !graph.inPrefix(view, id)) racing = id;
  };
  for (EventId w = graph.location(location).coTail; w != kNone && racing == kNone; w = graph[w].coPrev) {
    look(w);
    for (EventId r = graph[w].firstReader; r != kNone && racing == kNone; r = graph[r].readerNext) {
      if (write || graph.operation(r).isAttempt()) look(r);  // an attempt would have written
    }
  }
  return racing;
}

EventId SharedLocations::racingEvent(const MixedGraph& graph, const AtomicPart& part, bool write, const Lane* view) const {
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    const MixedEvent& event = graph[id];
    if (event.line == 0 || event.thread == running_.self() || !(write || event.isWrite()) || graph.inPrefix(view, id)) continue;
    const Address address = graph.line(event.line).base + event.offset;
    if (address < part.address + part.size && part.address < address + event.size) return id;
  }
  return kNone;
}

template <class AnyGraph>
void SharedLocations::failRace(const AnyGraph& graph, EventId racing, const AtomicPart& part, const char* what,
                               std::uint32_t source) {
  const auto& event = graph[racing];
  const bool plain = graph.operation(racing).order == Order::plain;
  const auto failure = [&] {
    const std::string other = fmt::format("{} {}", plain ? "plain" : "atomic", event.isWrite() ? "write" : "read");
    std::string message = fmt::format("{} of {} and {} {} by thread {} are not ordered", what,
                                      faults_.nameOf(part.address, part.size), plain ? "a" : "an", other, event.thread);
    return running_.failure({.kind = ErrorKind::dataRace,
                             .message = std::move(message),
                             .related = {{.thread = event.thread, .source = graph.operation(racing).source, .what = other}}},
                            source);
  };
  running_.pauseForEver(failure());
}

template <class AnyGraph>
void SharedLocations::failUse(const AnyGraph& graph, EventId late, const AtomicPart& part, std::uint32_t source) {
  memory::Fault fault;
  fault.kind = memory::FaultKind::unorderedEnd;
  fault.address = part.address;
  fault.size = part.size;
  fault.other.thread = graph[late].thread;
  fault.other.write = graph[late].isWrite();
  fault.other.source = graph.operation(late).source;
  fault.other.index = graph[late].index;
  faults_.fail(fault, source, false);
}

// ---- What the graph says, shown in memory.

bool SharedLocations::hasInitialValue(const Graph& graph, const AtomicPart& part) const {
  const LocationId location = graph.findLocation(part.address, part.size);
  return location == 0 || !graph.isWritten(location);
}

void SharedLocations::show(const AtomicPart& part) {
  running_.inGraph([&](const auto& graph) { show(graph, part); });
}

// The last write happens before the read, as all others do.
void SharedLocations::show(const Graph& graph, const AtomicPart& part) {
  const LocationId location = graph.findLocation(part.address, part.size);
  if (location == 0 || !graph.isWritten(location)) return;
  memory_.saveBytes(part.address, part.size);
  const Value value = graph[graph.location(location).coTail].value;
  std::memcpy(reinterpret_cast<void*>(part.address), bytesOf(value, part.size), part.size);
}

// The same byte by byte: those that some event covers.
void SharedLocations::show(const MixedGraph& graph, const AtomicPart& part) {
  memory_.saveBytes(part.address, part.size);
  for (Address at = part.address; at < part.address + part.size; ++at) {
    const LineId line = graph.findLine(at);
    if (line == 0) continue;
    const auto place = static_cast<unsigned>(at % kLineBytes);
    const bool used = std::ranges::any_of(graph.line(line).cells, [&](const Cell& cell) {
      return cell.users != 0 && ((cell.bytes >> place) & 1) != 0;
    });
    if (used) *reinterpret_cast<std::uint8_t*>(at) = static_cast<std::uint8_t>(graph.lastData(line) >> (8 * place));
  }
}

}  // namespace heddle::native
