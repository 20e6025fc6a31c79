#include "run/load_buffering_shape.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace heddle::run {

namespace {

constexpr std::size_t kMostLoads = 64;  // of a thread that are kept in mind

// A load of the first location, then a store to the second.
using Shapes = std::map<std::pair<Address, Address>, LoadBufferingShape>;

bool isRelaxed(const ExecutionView& graph, EventId id) { return !graph[id].rmw && graph.operation(id).order == Order::relaxed; }

Shapes shapesOf(const ExecutionView& graph, ThreadId thread) {
  Shapes shapes;
  std::vector<EventId> loads;
  for (EventId id = graph.first(thread); id != kNone && graph[id].thread == thread; id = graph[id].poNext) {
    const Event& event = graph[id];
    const OperationKind kind = graph.operation(id).kind;
    if (kind != OperationKind::load && kind != OperationKind::store && !event.isRead() && !event.isWrite()) {
      loads.clear();  // a fence, a lock, a thread that is started or joined
    } else if (event.isRead() && isRelaxed(graph, id) && loads.size() < kMostLoads) {
      loads.push_back(id);
    } else if (event.isWrite() && isRelaxed(graph, id)) {
      const Address stored = graph.operation(id).address;
      for (const EventId load : loads) {
        const Address loaded = graph.operation(load).address;
        if (loaded != stored) shapes.try_emplace({loaded, stored}, LoadBufferingShape{load, id});
      }
    }
  }
  return shapes;
}

}  // namespace

std::optional<LoadBufferingShape> findLoadBufferingShape(const ExecutionView& graph) {
  Shapes earlier;  // of the threads before
  for (unsigned thread = 0; thread < graph.threads(); ++thread) {
    const Shapes own = shapesOf(graph, static_cast<ThreadId>(thread));
    for (const auto& [locations, shape] : own) {
      if (const auto other = earlier.find({locations.second, locations.first}); other != earlier.end()) return other->second;
    }
    earlier.insert(own.begin(), own.end());
  }
  return std::nullopt;
}

}  // namespace heddle::run
