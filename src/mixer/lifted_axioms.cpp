#include "mixer/lifted_axioms.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "graph/edges.h"
#include "model/regex.h"

namespace heddle::mixer {

using model::Axiom;
using model::AxiomKind;
using model::BaseRelation;
using model::Expr;
using model::ExprKind;

void BitMatrix::unite(const BitMatrix& other) {
  for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] |= other.bits_[i];
}
void BitMatrix::intersect(const BitMatrix& other) {
  for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] &= other.bits_[i];
}
void BitMatrix::subtract(const BitMatrix& other) {
  for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] &= ~other.bits_[i];
}

void BitMatrix::composeOf(const BitMatrix& a, const BitMatrix& b) {
  reset(a.size());
  for (std::size_t i = 0; i < size_; ++i) {
    const std::uint64_t* from = a.row(i);
    std::uint64_t* to = row(i);
    for (std::size_t w = 0; w < words_; ++w) {
      for (std::uint64_t rest = from[w]; rest != 0; rest &= rest - 1) {
        const std::uint64_t* middle = b.row(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
        for (std::size_t v = 0; v < words_; ++v) to[v] |= middle[v];
      }
    }
  }
}

void BitMatrix::addIdentity() {
  for (std::size_t i = 0; i < size_; ++i) set(i, i);
}

void BitMatrix::close() {
  for (std::size_t k = 0; k < size_; ++k) {
    const std::uint64_t* through = row(k);
    for (std::size_t i = 0; i < size_; ++i) {
      if (!test(i, k)) continue;
      std::uint64_t* to = row(i);
      for (std::size_t w = 0; w < words_; ++w) to[w] |= through[w];
    }
  }
}

bool BitMatrix::hasLoop() const {
  for (std::size_t i = 0; i < size_; ++i) {
    if (test(i, i)) return true;
  }
  return false;
}

bool BitMatrix::isEmpty() const {
  return std::ranges::all_of(bits_, [](std::uint64_t word) { return word == 0; });
}

void LiftedAxioms::numberEvents(const MixedGraph& graph) {
  graph_ = &graph;
  ++epoch_;
  events_.clear();
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) events_.push_back(id);
  std::ranges::reverse(events_);
  if (numbers_.size() < graph.top() - kFirstEvent) numbers_.resize(graph.top() - kFirstEvent);
  for (std::size_t i = 0; i < events_.size(); ++i) numbers_[events_[i] - kFirstEvent] = static_cast<std::uint32_t>(i);
}

bool LiftedAxioms::hold(const MixedGraph& graph, const std::vector<Axiom>& axioms) {
  numberEvents(graph);
  for (const Axiom& axiom : axioms) {
    const BitMatrix& relation = value(*axiom.expr);
    switch (axiom.kind) {
      case AxiomKind::irreflexive:
        if (relation.hasLoop()) return false;
        break;
      case AxiomKind::empty:
        if (!relation.isEmpty()) return false;
        break;
      case AxiomKind::acyclic: {
        BitMatrix closure = relation;
        closure.close();
        if (closure.hasLoop()) return false;
      }
    }
  }
  return true;
}

const BitMatrix& LiftedAxioms::value(const Expr& expr) {
  Known& known = known_[&expr];  // references into the map stay valid
  if (known.epoch != epoch_) {
    known.matrix.reset(events_.size());
    evaluate(expr, known.matrix);
    known.epoch = epoch_;
  }
  return known.matrix;
}

void LiftedAxioms::evaluate(const Expr& expr, BitMatrix& result) {
  switch (expr.kind) {
    case ExprKind::base: evaluateBase(expr, result); break;
    case ExprKind::empty: break;
    case ExprKind::bracket: {
      const ClassMask set = classes_.mask(model::classSet(*expr.args[0]));
      for (std::size_t i = 0; i < events_.size(); ++i) {
        if (contains(set, (*graph_)[events_[i]].cls)) result.set(i, i);
      }
      break;
    }
    case ExprKind::unite:
      for (const auto& arg : expr.args) result.unite(value(*arg));
      break;
    case ExprKind::intersect:
      result = value(*expr.args[0]);
      for (std::size_t i = 1; i < expr.args.size(); ++i) result.intersect(value(*expr.args[i]));
      break;
    case ExprKind::subtract:
      result = value(*expr.args[0]);
      result.subtract(value(*expr.args[1]));
      break;
    case ExprKind::sequence: evaluateSequence(expr, result); break;
    case ExprKind::plus:
    case ExprKind::star:
      result = value(*expr.args[0]);
      result.close();
      if (expr.kind == ExprKind::star) result.addIdentity();
      break;
    case ExprKind::optional:
      result = value(*expr.args[0]);
      result.addIdentity();
      break;
    case ExprKind::complement:
    case ExprKind::product:
    case ExprKind::inverse:
    case ExprKind::recursion:
    case ExprKind::variable: throw std::logic_error("an axiom that is not defined for mixed-size accesses");
  }
}

void LiftedAxioms::evaluateSequence(const Expr& expr, BitMatrix& result) {
  result = value(*expr.args[0]);
  BitMatrix composed;
  for (std::size_t i = 1; i < expr.args.size(); ++i) {
    composed.composeOf(result, value(*expr.args[i]));
    std::swap(result, composed);
  }
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

void LiftedAxioms::evaluateBase(const Expr& expr, BitMatrix& result) {
  const MixedGraph& graph = *graph_;
  const auto forEachPair = [&](auto&& related) {
    for (std::size_t i = 0; i < events_.size(); ++i) {
      for (std::size_t j = 0; j < events_.size(); ++j) {
        if (related(events_[i], events_[j])) result.set(i, j);
      }
    }
  };
  const auto* base = model::findBaseRelation(expr.name);
  if (base == nullptr) throw std::logic_error("an axiom that is not defined for mixed-size accesses");
  switch (base->relation) {
    case BaseRelation::po: programOrder(result); break;
    case BaseRelation::rf:
      for (const EventId id : events_) {
        if (!graph[id].isRead()) continue;
        graph.forEachSource(id, [&](EventId write) { result.set(number(write), number(id)); });
      }
      break;
    case BaseRelation::co:
    case BaseRelation::rb: {
      const bool co = base->relation == BaseRelation::co;
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
