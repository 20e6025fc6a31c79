#include "persist/model.h"

namespace heddle::persist {

std::vector<EventId> knownPersisted(const ExecutionView& graph, ThreadId recovery, const IsDurable& isDurable) {
  std::vector<EventId> barriers, known;
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    const Operation& operation = graph.operation(id);
    if (graph[id].thread == recovery || operation.kind != OperationKind::flush) continue;
    if (operation.flushes() == Flush::everything) barriers.push_back(id);
  }
  if (barriers.empty()) return known;
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    if (!graph[id].isWrite() || !isDurable(graph.operation(id).address)) continue;
    for (const EventId barrier : barriers) {
      if (!graph.inPrefix(graph.porf(barrier), id)) continue;
      known.push_back(id);
      break;
    }
  }
  return known;
}

}  // namespace heddle::persist
