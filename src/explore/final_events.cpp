#include "explore/final_events.h"

#include <algorithm>

namespace heddle::explore {

namespace {

// Was the event added in a way that keeps every revisit from deleting it?
bool isNotMaximal(const Graph& graph, Equivalence equivalence, EventId id) {
  const Event& event = graph[id];
  if (event.nonMaximal) return true;
  if ((event.kind != EventKind::read && event.kind != EventKind::write) || equivalence == Equivalence::rf) return false;
  const EventId write = event.isRead() ? event.rf : id;
  for (EventId later = graph[write].coNext; later != kNone; later = graph[later].coNext) {
    if (later < id) return true;
  }
  return false;
}

}  // namespace

void findFinalEvents(const Graph& graph, Equivalence equivalence, std::vector<Lane>& final) {
  final.assign(Trail::lanesFor(graph.threads()), 0);
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    if (graph.inPrefix(final.data(), id) || !isNotMaximal(graph, equivalence, id)) continue;
    const Lane* const prefix = graph.porf(id);
    for (unsigned t = 0; t < graph.threads(); ++t) final[t] = std::max(final[t], prefix[t]);
  }
}

}  // namespace heddle::explore
