#include "why/relabelled.h"

#include <algorithm>

namespace heddle::why {

using model::BaseRelation;
using relations::BitMatrix;
using Kind = trace::Change::Kind;

Order join(Order a, Order b) {
  if (a == b || b == Order::plain) return a;
  if (a == Order::plain) return b;
  if (a == Order::relaxed) return b;
  if (b == Order::relaxed) return a;
  if (a == Order::seq_cst || b == Order::seq_cst) return Order::seq_cst;
  return Order::acq_rel;  // two different ones of acquire, release, acq_rel
}

Order orderOf(const Site& site, Kind kind) { return kind == Kind::failure ? site.failureOrder : site.order; }

bool isFence(Kind kind) { return kind == Kind::fenceBefore || kind == Kind::fenceAfter; }

namespace {

// What is left of an order for something that only reads, or only writes.
Order partOf(Order order, EventKind kind, bool rmw) {
  if (rmw || kind == EventKind::fence) return order;
  if (kind == EventKind::read) {
    if (order == Order::acq_rel) return Order::acquire;
    return order == Order::release ? Order::relaxed : order;
  }
  if (order == Order::acq_rel) return Order::release;
  return order == Order::acquire ? Order::relaxed : order;
}

}  // namespace

Relabelled::Relabelled(const Graph& graph, bool withFences) : graph_(graph), nodeOf_(graph.events.size()) {
  for (std::size_t e = 0; e < graph.events.size(); ++e) {
    const Event& event = graph.events[e];
    const bool isFirst = !event.isSecondOfUpdate;
    const bool isLast = e + 1 == graph.events.size() || !graph.events[e + 1].isSecondOfUpdate;
    const bool mayChange = withFences && event.site != kNothing && event.kind != EventKind::fence;
    if (mayChange && isFirst) nodes_.push_back({kNothing, event.site, Kind::fenceBefore, event.thread});
    nodeOf_[e] = nodes_.size();
    nodes_.push_back({e, event.site, event.isFailure ? Kind::failure : Kind::access, event.thread});
    if (mayChange && isLast) nodes_.push_back({kNothing, event.site, Kind::fenceAfter, event.thread});
  }
  among_.reset(nodes_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) among_.set(n);
  for (BitMatrix* matrix : {&po_, &rf_, &co_, &rb_, &rmw_, &loc_}) matrix->reset(nodes_.size());
  relate(graph);
  assign({});
}

void Relabelled::relate(const Graph& graph) {
  // Program order: from the nodes right before to all that these come after.
  BitMatrix earlier;
  earlier.reset(nodes_.size());
  const auto follow = [&](std::size_t before, std::size_t after) {
    for (std::size_t w = 0; w < earlier.words(); ++w) earlier.row(after)[w] |= earlier.row(before)[w];
    earlier.set(after, before);
  };
  // The node behind an event: its fence, if there is room for one.
  const auto lastOf = [&](std::size_t event) {
    const std::size_t node = nodeOf_[event];
    const bool isFenced = node + 1 < nodes_.size() && nodes_[node + 1].kind == Kind::fenceAfter;
    return isFenced ? node + 1 : node;
  };
  for (std::size_t e = 0; e < graph.events.size(); ++e) {
    const std::size_t node = nodeOf_[e];
    const bool isFenced = node > 0 && nodes_[node - 1].kind == Kind::fenceBefore;
    const std::size_t first = isFenced ? node - 1 : node;
    for (const std::size_t before : graph.events[e].before) follow(lastOf(before), first);
    if (isFenced) follow(first, node);
    if (lastOf(e) != node) follow(node, lastOf(e));
    if (graph.events[e].isSecondOfUpdate) rmw_.set(nodeOf_[e - 1], node);
  }
  for (std::size_t a = 0; a < nodes_.size(); ++a) {
    for (std::size_t b = 0; b < nodes_.size(); ++b) {
      if (earlier.test(b, a)) po_.set(a, b);
    }
  }
  const auto forEachPair = [&](const auto& first, const auto& second, const auto& visit) {
    for (const trace::Step::Access& a : first) {
      for (const trace::Step::Access& b : second) {
        if (a.cell == b.cell) visit(a.place, b.place);
      }
    }
  };
  for (std::size_t i = 0; i < graph.events.size(); ++i) {
    for (std::size_t j = 0; j < graph.events.size(); ++j) {
      const Event &a = graph.events[i], &b = graph.events[j];
      const std::size_t from = nodeOf_[i], to = nodeOf_[j];
      const auto setLoc = [&](std::size_t, std::size_t) { loc_.set(from, to); };
      forEachPair(a.reads, b.reads, setLoc);
      forEachPair(a.writes, b.reads, [&](std::size_t write, std::size_t source) {
        loc_.set(from, to);
        loc_.set(to, from);
        if (write == source) rf_.set(from, to);
        if (source < write) rb_.set(to, from);
      });
      forEachPair(a.writes, b.writes, [&](std::size_t first, std::size_t second) {
        loc_.set(from, to);
        if (first < second) co_.set(from, to);
      });
    }
  }
}

void Relabelled::assign(const std::vector<Strengthening>& changes) {
  classes_.assign(nodes_.size(), kChoiceClass);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    if (node.event != kNothing) classes_[n] = graph_.events[node.event].cls;
    if (node.site == kNothing) continue;
    Order added = Order::plain;
    for (const Strengthening& change : changes) {
      if (change.site == node.site && change.kind == node.kind) added = join(added, change.order);
    }
    if (added == Order::plain) continue;
    if (node.event == kNothing) {
      classes_[n] = eventClass(EventKind::fence, added, false);
    } else {
      const Event& event = graph_.events[node.event];
      classes_[n] = eventClass(event.kind, join(event.order, partOf(added, event.kind, event.rmw)), event.rmw);
    }
  }
}

bool Relabelled::isEmpty(BaseRelation relation) const {
  const bool isDependency = relation == BaseRelation::addr || relation == BaseRelation::data || relation == BaseRelation::ctrl;
  return isDependency && !allDepend_;
}

void Relabelled::fill(BaseRelation relation, const relations::EventSet&, BitMatrix& result) const {
  const auto copy = [&](const BitMatrix& from) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) std::copy_n(from.row(i), from.words(), result.row(i));
  };
  const auto forEachPair = [&](auto&& related) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      for (std::size_t j = 0; j < nodes_.size(); ++j) {
        if (related(i, j)) result.set(i, j);
      }
    }
  };
  switch (relation) {
    case BaseRelation::po: return copy(po_);
    case BaseRelation::rf: return copy(rf_);
    case BaseRelation::co: return copy(co_);
    case BaseRelation::rb: return copy(rb_);
    case BaseRelation::rmw: return copy(rmw_);
    case BaseRelation::loc: return copy(loc_);
    case BaseRelation::id: return result.addIdentity();
    case BaseRelation::internal:
      return forEachPair([&](std::size_t i, std::size_t j) { return nodes_[i].thread == nodes_[j].thread; });
    case BaseRelation::ext:
      return forEachPair([&](std::size_t i, std::size_t j) { return nodes_[i].thread != nodes_[j].thread; });
    case BaseRelation::addr:
    case BaseRelation::data:
    case BaseRelation::ctrl:
      return forEachPair([&](std::size_t i, std::size_t j) {
        const bool reads = nodes_[i].event != kNothing && graph_.events[nodes_[i].event].kind == EventKind::read;
        return reads && nodes_[i].thread == nodes_[j].thread && po_.test(i, j);
      });
  }
}

Judge::Judge(Relabelled& execution, const model::Model& model, const model::ExprPtr& happensBefore)
    : execution_(execution), evaluator_(execution.events()) {
  for (const model::Axiom& axiom : model.axioms) {
    evaluator_.addAxiom(axiom);
    names_.push_back(axiom.name);
  }
  if (happensBefore) happensBefore_ = evaluator_.add(*happensBefore);
}

std::optional<std::string> Judge::forbiddenBy() {
  evaluator_.begin(execution_.all());
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (!evaluator_.holds(i)) return names_[i];
  }
  return std::nullopt;
}

bool Judge::isOrdered(std::size_t a, std::size_t b) {
  const std::size_t first = execution_.nodeOf(a), second = execution_.nodeOf(b);
  return evaluator_.related(*happensBefore_, first, second) || evaluator_.related(*happensBefore_, second, first);
}

}  // namespace heddle::why
