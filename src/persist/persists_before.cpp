#include "persist/persists_before.h"

#include <algorithm>

namespace heddle::persist {

using relations::EventSet;

void PersistsBefore::begin(const ExecutionView& graph, ThreadId recovery) {
  graph_ = &graph;
  before_.clear();
  known_ = knownPersisted(graph, recovery, isDurable_);
  prepare(graph, recovery);
}

const EventSet& PersistsBefore::before(EventId write) {
  const auto [place, isNew] = before_.try_emplace(write);
  EventSet& set = place->second;
  if (!isNew) return set;
  set.reset(graph_->top() - kFirstEvent);
  set.set(write - kFirstEvent);
  open_.assign(1, write);
  std::vector<EventId> found;
  while (!open_.empty()) {
    const EventId id = open_.back();
    open_.pop_back();
    found.clear();
    addPredecessors(*graph_, id, found);
    for (const EventId predecessor : found) {
      if (predecessor == kNone || isInitial(predecessor) || set.test(predecessor - kFirstEvent)) continue;
      set.set(predecessor - kFirstEvent);
      open_.push_back(predecessor);
    }
  }
  return set;
}

// The writes that were lost of a part are a suffix of its coherence order, which is in pb: the first of them comes before the others.
bool PersistsBefore::allows(Snapshot snapshot) {
  for (const Part& part : snapshot) {
    const EventId lost = part.lost();
    if (lost == kNone) continue;
    const bool wasFound = std::ranges::any_of(snapshot, [&](const Part& other) {
      const EventId found = other.found();
      return found != kNone && isBefore(lost, found);
    });
    if (wasFound || std::ranges::any_of(known_, [&](EventId known) { return isBefore(lost, known); })) return false;
  }
  return true;
}

void PersistsBefore::addCoherence(const ExecutionView& graph, EventId write, std::vector<EventId>& found) {
  if (!graph.hasMixedSizes()) {
    found.push_back(graph[write].coPrev);
    return;
  }
  for (const BytesFrom& before : graph.predecessorsOf(write)) found.push_back(before.write);
}

void WeakestPersistency::addPredecessors(const ExecutionView& graph, EventId id, std::vector<EventId>& found) {
  addCoherence(graph, id, found);
}

void StrictPersistency::prepare(const ExecutionView& graph, ThreadId recovery) {
  readers_.clear();
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    if (!graph[id].isRead() || graph[id].thread == recovery) continue;
    if (!graph.hasMixedSizes()) {
      readers_[graph[id].rf].push_back(id);
      continue;
    }
    // A reader of some bytes comes before the next write of these, and of no others.
    for (const EventId write : graph.writesAfter(id)) readers_[write].push_back(id);
  }
}

void StrictPersistency::addPredecessors(const ExecutionView& graph, EventId id, std::vector<EventId>& found) {
  const Event& event = graph[id];
  found.push_back(event.poPrev);
  if (event.isRead()) {
    if (!graph.hasMixedSizes()) return found.push_back(event.rf);
    for (const BytesFrom& source : graph.sourcesOf(id)) found.push_back(source.write);
  } else if (event.isWrite()) {
    addCoherence(graph, id, found);
    // rb: who reads from the write right before this one.
    const auto readers = readers_.find(graph.hasMixedSizes() ? id : event.coPrev);
    if (readers != readers_.end()) found.insert(found.end(), readers->second.begin(), readers->second.end());
    std::erase(found, id);
  } else if (event.kind == EventKind::thread) {
    const OperationKind kind = graph.operation(id).kind;
    if (kind == OperationKind::join) found.push_back(graph.last(static_cast<ThreadId>(event.partner)));
    if (kind == OperationKind::depart) graph.forEachArrival(id, [&](EventId arrival) { found.push_back(arrival); });
  }
}

}  // namespace heddle::persist
