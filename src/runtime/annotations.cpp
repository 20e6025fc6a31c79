#include "runtime/annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::runtime {

namespace {

ByteRange bytesOf(const ExecutionView& graph, EventId access) {
  const Operation& operation = graph.operation(access);
  return {operation.address, operation.size};
}

ErrorAccess accessOf(const ExecutionView& graph, EventId id, std::string what) {
  const Event& event = graph[id];
  return {.thread = event.thread,
          .source = graph.operation(id).source,
          .what = std::move(what),
          .index = static_cast<std::uint16_t>(event.index + 1)};
}

bool isForeignLocal(const ExecutionView& graph, EventId write, ThreadId self) {
  return !isInitial(write) && graph.operation(write).isLocal && graph[write].thread != self;
}

}  // namespace

EventId lastLocalWrite(const ExecutionView& graph, ByteRange bytes, ThreadId self) {
  for (const CoherenceOrder& order : graph.coherence()) {
    const bool read = std::ranges::any_of(order.bytes, [&](const ByteRange& range) { return range.overlaps(bytes); });
    if (read && !order.writes.empty() && isForeignLocal(graph, order.writes.back(), self)) return order.writes.back();
  }
  return kNone;
}

Error readOfLocalWrite(const RunningThread& running, const Faults& faults, EventId write) {
  const ExecutionView& graph = running.graph();
  const Operation& operation = graph.operation(write);
  return {
      .kind = ErrorKind::wrongAnnotation,
      .message = fmt::format("{} reads {}, which {} has written by a write that is marked as local", threadName(running.self()),
                             faults.nameOf(operation.address, operation.size), threadName(graph[write].thread)),
      .related = {accessOf(graph, write, "local write")}};
}

bool Annotations::checkAfter() {
  const ExecutionView& graph = running_.graph();
  const EventId last = graph.last(running_.self());
  if (last == kNone || graph[last].thread != running_.self()) return true;
  if (graph[last].isRead()) return checkRead(last);
  if (!graph[last].isWrite()) return true;
  return (!graph[last].rmw || checkRead(graph[last].poPrev)) && checkWrite(last);
}

bool Annotations::checkRead(EventId read) {
  const ExecutionView& graph = running_.graph();
  for (const BytesFrom& source : graph.sourcesOf(read)) {
    if (!isForeignLocal(graph, source.write, running_.self())) continue;
    failure_ = running_.failure(readOfLocalWrite(running_, faults_, source.write), graph.operation(read).source);
    return false;
  }
  return true;
}

// Is one of the two final, without the other's happening before it?
bool Annotations::contradicts(EventId write, EventId other) const {
  const ExecutionView& graph = running_.graph();
  return (graph.operation(write).isFinal && !running_.happensBefore(other, write)) ||
         (graph.operation(other).isFinal && !running_.happensBefore(write, other));
}

bool Annotations::checkWrite(EventId write) {
  const ExecutionView& graph = running_.graph();
  const ByteRange bytes = bytesOf(graph, write);
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    if (id == write || !graph[id].isWrite() || !bytesOf(graph, id).overlaps(bytes) || !contradicts(write, id)) continue;
    const bool isFinal = !graph.operation(id).isFinal;  // it is this one then
    const std::string name = faults_.nameOf(bytes.address, bytes.size);
    std::string message =
        isFinal ? fmt::format("this write of {} is marked as final, and another one does not happen before it", name)
                : fmt::format("{} is written, and not before the write that is marked as final", name);
    failure_ = running_.failure({.kind = ErrorKind::wrongAnnotation,
                                 .message = std::move(message),
                                 .related = {accessOf(graph, id, isFinal ? "other write" : "final write")}},
                                graph.operation(write).source);
    return false;
  }
  return true;
}

}  // namespace heddle::runtime
