#include "runtime/shared_locations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "runtime/annotations.h"

namespace heddle::runtime {

using memory::AtomicPart;

// ---- Events that conflict with a plain access.

void SharedLocations::checkEvents(const AtomicPart& part, bool write, const char* what, std::uint32_t source) {
  const EventId racing = racingEvent(part, write, running_.view());
  if (racing != kNone) failRace(racing, part, what, source);
  running_.noteSharedAccess(source);
}

void SharedLocations::checkUses(const AtomicPart& part, std::uint32_t source) {
  const EventId late = racingEvent(part, true, running_.order());
  if (late != kNone) failUse(late, part, source);
}

void SharedLocations::failRace(EventId racing, const AtomicPart& part, const char* what, std::uint32_t source) {
  const ExecutionView& graph = running_.graph();
  const Event& event = graph[racing];
  const bool plain = graph.operation(racing).order == Order::plain;
  const auto failure = [&] {
    const std::string other = fmt::format("{} {}", plain ? "plain" : "atomic", event.isWrite() ? "write" : "read");
    std::string message = fmt::format("{} of {} and {} {} by {} are not ordered", what, faults_.nameOf(part.address, part.size),
                                      plain ? "a" : "an", other, threadName(event.thread));
    return running_.failure({.kind = ErrorKind::dataRace,
                             .message = std::move(message),
                             .related = {{.thread = event.thread, .source = graph.operation(racing).source, .what = other}}},
                            source);
  };
  running_.pauseForEver(failure());
}

void SharedLocations::failUse(EventId late, const AtomicPart& part, std::uint32_t source) {
  const ExecutionView& graph = running_.graph();
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

void SharedLocations::checkLocal(const AtomicPart& part, std::uint32_t source) {
  const ByteRange bytes{part.address, part.size};
  const EventId local = lastLocalWrite(running_.graph(), bytes, running_.self());
  if (local == kNone) return;
  const auto failure = [&] { return running_.failure(readOfLocalWrite(running_, faults_, local), source); };
  running_.pauseForEver(failure());
}

// ---- What the graph says, shown in memory.

bool SharedLocations::hasInitialValue(const AtomicPart& part) const {
  Wide data = 0;
  return lastBytes(part, data) == 0;
}

// The last write happens before the read, as all others do.
void SharedLocations::show(const AtomicPart& part) {
  Wide data = 0;
  const std::uint16_t shown = lastBytes(part, data);
  if (shown == 0) return;
  memory_.saveBytes(part.address, part.size);
  for (unsigned byte = 0; byte < part.size; ++byte, data >>= 8) {
    if ((shown >> byte) & 1) *reinterpret_cast<std::uint8_t*>(part.address + byte) = static_cast<std::uint8_t>(data);
  }
}

}  // namespace heddle::runtime
