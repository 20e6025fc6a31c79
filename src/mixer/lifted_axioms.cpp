#include "mixer/lifted_axioms.h"

#include <algorithm>
#include <stdexcept>

#include "graph/edges.h"

namespace heddle::mixer {

using model::BaseRelation;
using relations::BitMatrix;

void LiftedAxioms::add(const model::Axiom& axiom) {
  evaluator_.addAxiom(axiom);
  ++axioms_;
  const model::Expr& expr = *axiom.expr;
  if (axiom.kind == model::AxiomKind::acyclic) {
    lifted_.push_back({evaluator_.add(expr), std::nullopt});
  } else if (axiom.kind == model::AxiomKind::irreflexive && expr.kind == model::ExprKind::sequence && expr.args.size() == 2) {
    lifted_.push_back({evaluator_.add(*expr.args[0]), evaluator_.add(*expr.args[1])});
  }
}

void LiftedAxioms::begin(const MixedGraph& graph, const Units* units) {
  graph_ = &graph;
  units_ = units;
  isOrdered_ = false;
  events_.clear();
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) events_.push_back(id);
  std::ranges::reverse(events_);
  if (numbers_.size() < graph.top() - kFirstEvent) numbers_.resize(graph.top() - kFirstEvent);
  for (std::size_t i = 0; i < events_.size(); ++i) numbers_[events_[i] - kFirstEvent] = static_cast<std::uint32_t>(i);
  all_.reset(events_.size());
  for (std::size_t i = 0; i < events_.size(); ++i) all_.set(i);
  evaluator_.begin(all_);
}

bool LiftedAxioms::hold(const MixedGraph& graph) {
  begin(graph, nullptr);
  return evaluator_.axiomsHold();
}

// ---- Transactions.

// Each unit is one node, that of its first event, and what is inside a unit goes: stronglift(r), or of transactions only weaklift(r).
// The rows of the other events are empty.
void LiftedAxioms::mergeUnits(BitMatrix& relation, bool transactionsOnly) const {
  BitMatrix merged;
  merged.reset(events_.size());
  const auto inTransaction = [&](std::size_t i) { return units_->isTransaction(units_->first(events_[i])); };
  const auto nodeOf = [&](std::size_t i) { return inTransaction(i) ? number(units_->first(events_[i])) : i; };
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const std::size_t from = nodeOf(i);
    if (transactionsOnly && !inTransaction(i)) continue;
    for (std::size_t j = 0; j < events_.size(); ++j) {
      if (!relation.test(i, j)) continue;
      const std::size_t to = nodeOf(j);
      if (from == to && inTransaction(i)) continue;
      if (!transactionsOnly || inTransaction(j)) merged.set(from, to);
    }
  }
  relation = merged;
}

void LiftedAxioms::communication(BitMatrix& result) const {
  result.reset(events_.size());
  for (const BaseRelation relation : {BaseRelation::rf, BaseRelation::co, BaseRelation::rb}) fill(relation, all_, result);
}

bool LiftedAxioms::hold(const MixedGraph& graph, const Units& units) {
  begin(graph, &units);
  return lift() && evaluator_.axiomsHold() && isLifted();
}

// Isolation, and what transactions add to program order. False: they have no order.
bool LiftedAxioms::lift() {
  BitMatrix isolation;
  communication(isolation);
  synchronization_ = isolation;
  mergeUnits(isolation, false);
  mergeUnits(synchronization_, true);
  if (isolation.hasCycle()) return false;
  const BitMatrix between = synchronization_;
  synchronization_.reset(events_.size());
  BitMatrix order;
  order.reset(events_.size());
  programOrder(order);
  fill(BaseRelation::rf, all_, order);
  mergeUnits(order, false);
  order.unite(between);
  if (order.hasCycle()) return false;
  // As program order: from the last event of a transaction to the first of another.
  for (std::size_t i = 0; i < events_.size(); ++i) {
    for (std::size_t j = 0; j < events_.size(); ++j) {
      if (between.test(i, j)) synchronization_.set(number(units_->lastSoFar(events_[i])), j);
    }
  }
  return addHardware(order);
}

// Transactions of the hardware are elided locks: those who have the lock are ordered with them by its word. To such a transaction every
// read is an acquire and every write a release, and x86 has a full fence where it has a read-modify-write or writes with seq_cst.
bool LiftedAxioms::addHardware(BitMatrix& order) {
  const auto isOfHardware = [&](EventId id) {
    const EventId unit = units_->first(id);
    return units_->isTransaction(unit) && graph_->operation(unit).isOfHardware();
  };
  if (std::ranges::none_of(events_, isOfHardware)) return true;
  const auto isFull = [&](EventId id) { return (*graph_)[id].rmw || orderOf((*graph_)[id].cls) == Order::seq_cst; };
  const auto releases = [&](EventId id) {
    const Order as = orderOf((*graph_)[id].cls);
    return isFull(id) || ((*graph_)[id].isWrite() && (as == Order::release || as == Order::acq_rel));
  };
  BitMatrix related;
  communication(related);
  for (std::size_t i = 0; i < events_.size(); ++i) {
    for (std::size_t j = 0; j < events_.size(); ++j) {
      if (!related.test(i, j)) continue;
      const EventId from = events_[i], to = events_[j];
      if (isOfHardware(from) && !units_->isTransaction(units_->first(to)) && isFull(to)) {
        synchronization_.set(number(units_->lastSoFar(units_->first(from))), j);
        order.set(number(units_->first(from)), j);
      } else if (isOfHardware(to) && !units_->isTransaction(units_->first(from)) && releases(from)) {
        synchronization_.set(i, number(units_->first(to)));
        order.set(i, number(units_->first(to)));
      }
    }
  }
  return !order.hasCycle();
}

bool LiftedAxioms::isLifted() {
  const auto matrixOf = [&](relations::Term term) {
    BitMatrix matrix;
    matrix.reset(events_.size());
    for (std::size_t i = 0; i < events_.size(); ++i) {
      for (std::size_t j = 0; j < events_.size(); ++j) {
        if (evaluator_.related(term, i, j)) matrix.set(i, j);
      }
    }
    mergeUnits(matrix, false);
    return matrix;
  };
  for (const Lifted& lifted : lifted_) {
    const BitMatrix first = matrixOf(lifted.first);
    if (!lifted.second) {
      if (first.hasCycle()) return false;
      continue;
    }
    BitMatrix both;
    both.composeOf(first, matrixOf(*lifted.second));
    if (both.hasLoop()) return false;
  }
  return true;
}

bool LiftedAxioms::order(const MixedGraph& graph, const Units& units) {
  if (isOrdered_) return true;
  begin(graph, &units);
  isOrdered_ = happensBefore_.has_value() && lift();
  return isOrdered_;
}

bool LiftedAxioms::happensBefore(const MixedGraph& graph, const Units& units, EventId first, EventId second) {
  return order(graph, units) && evaluator_.related(*happensBefore_, number(first), number(second));
}

std::pair<EventId, EventId> LiftedAxioms::findRace(const MixedGraph& graph, const Units& units, bool weak) {
  const auto isInside = [&](EventId id) { return units.isTransaction(units.first(id)); };
  bool may = false;
  for (EventId id = graph.newest(); id != kNone && !may; id = graph[id].orderPrev) {
    may = graph[id].isPlain() || (weak && isInside(id));
  }
  if (!may || !order(graph, units)) return {kNone, kNone};
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const Event& a = graph[events_[i]];
    for (std::size_t j = 0; j < i; ++j) {
      const Event& b = graph[events_[j]];
      if (a.thread == b.thread || a.location == 0 || !graph.overlap(events_[i], events_[j])) continue;
      const bool interrupts = weak && isInside(events_[i]) != isInside(events_[j]);
      if (!(a.isWrite() || b.isWrite()) || !(a.isPlain() || b.isPlain() || interrupts)) continue;
      if (units.isAborted(units.first(events_[i])) || units.isAborted(units.first(events_[j]))) continue;
      if (evaluator_.related(*happensBefore_, i, j) || evaluator_.related(*happensBefore_, j, i)) continue;
      return {events_[j], events_[i]};
    }
  }
  return {kNone, kNone};
}

// ---- The relations.

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
      if (units_ != nullptr) {
        for (std::size_t i = 0; i < events_.size(); ++i) {
          if (synchronization_.test(i, number(id))) before.push_back(events_[i]);
        }
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
          const EventId write = co ? id : graph.sourceOf(id, cell.bytes);
          std::size_t position = MixedGraph::positionAfter(cell, write);
          if (position == 0 && !isInitial(write)) return;  // of a transaction that is not over
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
