#include "mixer/lifted_axioms.h"

#include <algorithm>
#include <stdexcept>

#include "graph/edges.h"

namespace heddle::mixer {

using model::BaseRelation;
using relations::BitMatrix;

bool LiftedAxioms::hold(const MixedGraph& graph) {
  graph_ = &graph;
  events_.clear();
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) events_.push_back(id);
  std::ranges::reverse(events_);
  if (numbers_.size() < graph.top() - kFirstEvent) numbers_.resize(graph.top() - kFirstEvent);
  for (std::size_t i = 0; i < events_.size(); ++i) numbers_[events_[i] - kFirstEvent] = static_cast<std::uint32_t>(i);
  all_.reset(events_.size());
  for (std::size_t i = 0; i < events_.size(); ++i) all_.set(i);
  evaluator_.begin(all_);
  return evaluator_.axiomsHold();
}

// Program order crosses spawns, joins and locks (graph/lock_order.h), so it is passed on event by event, as the sets of predecessors.
void LiftedAxioms::programOrder(BitMatrix& result) const {
  BitMatrix predecessors;
  predecessors.reset(events_.size());
  std::vector<bool> done(events_.size(), false);
  const auto add = [&](std::size_t to, EventId from) {
    const std::size_t i = number(from);
    for (std::size_t w = 0; w < predecessors.words(); ++w) predecessors.row(to)[w] |= predecessors.row(i)[w];
    predecessors.set(to, i);
  };
  // An event may be older than its po-predecessors of other threads only if it was revisited; so go by need.
  std::vector<EventId> open;
  for (const EventId start : events_) {
    open.push_back(start);
    while (!open.empty()) {
      const EventId id = open.back();
      if (done[number(id)]) {
        open.pop_back();
        continue;
      }
      const Event& event = (*graph_)[id];
      const bool join = event.kind == EventKind::thread && graph_->operation(id).kind == OperationKind::join;
      const EventId end = join ? graph_->last(static_cast<ThreadId>(event.partner)) : kNone;
      std::vector<EventId> before = {event.poPrev, end};
      if (event.isRead() && graph_->access(id).sourceCount != 0) {
        forEachLeaving(*graph_, id, [&](EventId leaving) { before.push_back(leaving); });
      }
      const std::size_t depth = open.size();
      for (const EventId needed : before) {
        if (needed != kNone && !done[number(needed)]) open.push_back(needed);
      }
      if (open.size() > depth) continue;
      for (const EventId from : before) {
        if (from != kNone) add(number(id), from);
      }
      done[number(id)] = true;
      open.pop_back();
    }
  }
  for (std::size_t i = 0; i < events_.size(); ++i) {
    for (std::size_t j = 0; j < events_.size(); ++j) {
      if (predecessors.test(i, j)) result.set(j, i);
    }
  }
}

void LiftedAxioms::fill(BaseRelation relation, const relations::EventSet& /*among*/, BitMatrix& result) const {
  const MixedGraph& graph = *graph_;
  const auto forEachPair = [&](auto&& related) {
    for (std::size_t i = 0; i < events_.size(); ++i) {
      for (std::size_t j = 0; j < events_.size(); ++j) {
        if (related(events_[i], events_[j])) result.set(i, j);
      }
    }
  };
  switch (relation) {
    case BaseRelation::po: programOrder(result); break;
    case BaseRelation::rf:
      for (const EventId id : events_) {
        if (!graph[id].isRead()) continue;
        graph.forEachSource(id, [&](EventId write) { result.set(number(write), number(id)); });
      }
      break;
    case BaseRelation::co:
    case BaseRelation::rb: {
      const bool co = relation == BaseRelation::co;
      for (const EventId id : events_) {
        if (co ? !graph[id].isWrite() : !graph[id].isRead()) continue;
        graph.forEachCell(id, [&](const ByteCell& cell) {
          std::size_t position = MixedGraph::positionAfter(cell, co ? id : graph.sourceOf(id, cell.bytes));
          for (; position < cell.order.size(); ++position) result.set(number(id), number(cell.order[position]));
        });
      }
      break;
    }
    case BaseRelation::rmw:
      for (const EventId id : events_) edges::rmw(graph, id, [&](EventId write) { result.set(number(id), number(write)); });
      break;
    case BaseRelation::id: result.addIdentity(); break;
    case BaseRelation::loc: forEachPair([&](EventId a, EventId b) { return graph.overlap(a, b); }); break;
    case BaseRelation::internal: forEachPair([&](EventId a, EventId b) { return graph[a].thread == graph[b].thread; }); break;
    case BaseRelation::ext: forEachPair([&](EventId a, EventId b) { return graph[a].thread != graph[b].thread; }); break;
    case BaseRelation::addr:
    case BaseRelation::data:
    case BaseRelation::ctrl: throw std::logic_error("an axiom that is not defined for mixed-size accesses");
  }
}

}  // namespace heddle::mixer
