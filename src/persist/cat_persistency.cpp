#include "persist/cat_persistency.h"

#include <algorithm>
#include <utility>

namespace heddle::persist {

using model::BaseRelation;
using relations::BitMatrix;

CatPersistency::CatPersistency(IsDurable isDurable, const model::Model& model)
    : PersistsBefore(std::move(isDurable)), evaluator_(*this), pb_(evaluator_.add(*model.definition("pb"))) {}

void CatPersistency::prepare(const ExecutionView& graph, ThreadId recovery) {
  graph_ = &graph;
  events_.clear();
  numbers_.assign(graph.top() - kFirstEvent, 0);
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    if (graph[id].thread == recovery) continue;
    numbers_[id - kFirstEvent] = static_cast<std::uint32_t>(events_.size());
    events_.push_back(id);
  }
  all_.reset(events_.size());
  for (std::size_t i = 0; i < events_.size(); ++i) all_.set(i);
  evaluator_.begin(all_);
}

void CatPersistency::addPredecessors(const ExecutionView& graph, EventId id, std::vector<EventId>& found) {
  addCoherence(graph, id, found);
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (graph[events_[i]].isWrite() && evaluator_.related(pb_, i, number(id))) found.push_back(events_[i]);
  }
}

// It crosses spawns, joins and barriers.
void CatPersistency::addProgramOrder(BitMatrix& result) const {
  for (const EventId id : events_) {
    const Event& event = (*graph_)[id];
    const auto add = [&](EventId before) {
      if (before != kNone) result.set(number(before), number(id));
    };
    add(event.poPrev);
    if (event.kind != EventKind::thread) continue;
    const OperationKind kind = graph_->operation(id).kind;
    if (kind == OperationKind::join) add(graph_->last(static_cast<ThreadId>(event.partner)));
    if (kind == OperationKind::depart) graph_->forEachArrival(id, add);
  }
  result.close();
}

// The writes after a write, or after the one that a read reads from.
void CatPersistency::addAfter(EventId id, BitMatrix& result) const {
  const Operation& operation = graph_->operation(id);
  const bool isRead = (*graph_)[id].isRead();
  const std::vector<BytesFrom> sources = isRead ? graph_->sourcesOf(id) : std::vector<BytesFrom>{};
  for (const CoherenceOrder& order : graph_->coherenceOf({operation.address, operation.size})) {
    const auto isSource = [&](EventId write) {
      return isRead ? std::ranges::any_of(sources, [&](const BytesFrom& source) { return source.write == write; })
                    : write == id;
    };
    auto after = std::ranges::find_if(order.writes, isSource);
    after = after == order.writes.end() ? (isRead ? order.writes.begin() : after) : after + 1;
    for (; after != order.writes.end(); ++after) {
      if (*after != id) result.set(number(id), number(*after));
    }
  }
}

void CatPersistency::fill(BaseRelation relation, const relations::EventSet& /*among*/, BitMatrix& result) const {
  const ExecutionView& graph = *graph_;
  const auto forEachPair = [&](auto&& related) {
    for (std::size_t i = 0; i < events_.size(); ++i) {
      for (std::size_t j = 0; j < events_.size(); ++j) {
        if (related(events_[i], events_[j])) result.set(i, j);
      }
    }
  };
  switch (relation) {
    case BaseRelation::po: addProgramOrder(result); break;
    case BaseRelation::rf:
      for (const EventId id : events_) {
        if (!graph[id].isRead()) continue;
        for (const BytesFrom& source : graph.sourcesOf(id)) {
          if (!isInitial(source.write)) result.set(number(source.write), number(id));
        }
      }
      break;
    case BaseRelation::co:
    case BaseRelation::rb:
      for (const EventId id : events_) {
        if (relation == BaseRelation::co ? graph[id].isWrite() : graph[id].isRead()) addAfter(id, result);
      }
      break;
    case BaseRelation::rmw:
      for (const EventId id : events_) {
        if (graph[id].isWrite() && graph[id].rmw) result.set(number(graph[id].poPrev), number(id));
      }
      break;
    case BaseRelation::id: result.addIdentity(); break;
    case BaseRelation::loc:
      forEachPair([&](EventId a, EventId b) {
        const Operation &first = graph.operation(a), &second = graph.operation(b);
        const bool areAccesses = (graph[a].isRead() || graph[a].isWrite()) && (graph[b].isRead() || graph[b].isWrite());
        return areAccesses && ByteRange{first.address, first.size}.overlaps({second.address, second.size});
      });
      break;
    case BaseRelation::internal: forEachPair([&](EventId a, EventId b) { return graph[a].thread == graph[b].thread; }); break;
    case BaseRelation::ext: forEachPair([&](EventId a, EventId b) { return graph[a].thread != graph[b].thread; }); break;
    case BaseRelation::addr:
    case BaseRelation::data:
    case BaseRelation::ctrl: break;  // no model of dependencies comes here
  }
}

}  // namespace heddle::persist
