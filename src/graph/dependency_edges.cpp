#include "graph/dependency_edges.h"

#include <algorithm>

namespace heddle {

// An event that has been set aside is not what comes after the one before it.
bool DependencyEdges::isThere(const Trail& graph, EventId id) {
  if (id >= graph.top()) return false;
  const Event& event = graph[id];
  return event.index == 1 ? graph.first(event.thread) == id : graph[event.poPrev].poNext == id;
}

void DependencyEdges::begin(EventId id, const Owner& owner) {
  const std::size_t end = endBefore(id);
  for (; edges_.size() > end; edges_.pop_back()) entry(edges_.back().from).first = edges_.back().next;
  if (id - kFirstEvent >= events_.size()) events_.resize(id - kFirstEvent + 1);
  entry(id) = {kNoEdge, static_cast<std::uint32_t>(edges_.size()), owner};
}

void DependencyEdges::connect(EventId from, EventId to, Dependency kind) {
  std::uint32_t& first = entry(from).first;
  const auto edge = static_cast<std::uint32_t>(edges_.size());
  edges_.push_back({from, to, first, kind});
  first = edge;
  entry(to).end = edge + 1;
}

// The event of an operation of the same thread: the read, of a read-modify-write.
EventId DependencyEdges::find(const Trail& graph, EventId before, std::uint32_t operation) {
  const ThreadId thread = graph[before].thread;
  if (thread >= byOperation_.size()) byOperation_.resize(thread + 1u);
  std::vector<EventId>& known = byOperation_[thread];
  if (operation >= known.size()) known.resize(operation + 1);
  EventId& event = known[operation];
  const bool right = event != kNone && isThere(graph, event) && graph[event].thread == thread &&
                     entry(event).owner.operation == operation && !(graph[event].rmw && graph[event].isWrite());
  if (right) return event;
  event = before;
  while (entry(event).owner.operation != operation || (graph[event].rmw && graph[event].isWrite())) {
    event = graph[event].poPrev;
  }
  return event;
}

// Both are in order. If the last operation of the first is where it was, so are all before it.
std::span<const std::uint32_t> DependencyEdges::newControl(const Owner& before, std::span<const std::uint32_t> control) {
  const std::uint32_t known = before.control;
  const bool atTheEnd = known != 0 && known <= control.size() && control[known - 1] == before.lastControl;
  return atTheEnd ? control.subspan(known) : control;
}

void DependencyEdges::add(const Trail& graph, EventId id, const Dependencies& on) {
  const Event& event = graph[id];
  const bool isFirst = event.index == 1;
  const Owner before = isFirst ? Owner{} : entry(event.poPrev).owner;
  begin(id, {.operation = isFirst ? 0 : before.operation + 1,
             .control = static_cast<std::uint32_t>(on.control.size()),
             .lastControl = on.control.empty() ? 0 : on.control.back()});
  const bool isAccess = event.isRead() || event.isWrite();
  if (isAccess || (controlEnds_ && event.kind == EventKind::fence)) {
    for (const std::uint32_t operation : on.address) connect(find(graph, id, operation), id, Dependency::addr);
  }
  if (isAccess) {
    for (const std::uint32_t operation : on.data) connect(find(graph, id, operation), id, Dependency::data);
  }
  if (controlEnds_) {
    for (const std::uint32_t operation : on.control) connect(find(graph, id, operation), id, Dependency::ctrl);
    return;
  }
  for (const std::uint32_t operation : newControl(before, on.control)) {
    const EventId source = find(graph, id, operation);
    bool known = false;
    follow(graph, source, Dependency::ctrl, [&](EventId) { known = true; });
    if (!known) connect(source, id, Dependency::ctrl);
  }
}

void DependencyEdges::addWriteOf(EventId read, EventId write) {
  begin(write, Owner(entry(read).owner));  // a copy: the table may grow
  const std::uint32_t end = entry(read).end;
  for (std::uint32_t edge = endBefore(read); edge < end; ++edge) {
    const Edge of = edges_[edge];
    if (controlEnds_ || of.kind != Dependency::ctrl) connect(of.from, write, of.kind);
  }
}

}  // namespace heddle
