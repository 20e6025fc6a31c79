#include "relations/predecessors.h"

#include <stdexcept>

namespace heddle::relations {

using model::Expr;
using model::ExprKind;

Term Predecessors::add(const Expr& expr) {
  nodes_.push_back(termNode(expr, [this](const Expr& arg) { return add(arg); }));
  return static_cast<Term>(nodes_.size() - 1);
}

template <class Set>
Set Predecessors::none() const {
  Set set;
  set.reset(events_.all().words() * 64);
  return set;
}

template <class Set>
void Predecessors::find(Term term, const Set& to, Set& result) const {
  const TermNode& node = nodes_[term];
  switch (node.kind) {
    case ExprKind::base: return events_.addPredecessors(node.base, to, result);
    case ExprKind::empty: return;
    case ExprKind::bracket:
      return to.forEach([&](std::size_t i) {
        if (contains(node.set, events_.classOf(i))) result.set(i);
      });
    case ExprKind::product: {
      bool leads = false;
      to.forEach([&](std::size_t i) { leads = leads || contains(node.otherSet, events_.classOf(i)); });
      if (!leads) return;
      return events_.all().forEach([&](std::size_t i) {
        if (contains(node.set, events_.classOf(i))) result.set(i);
      });
    }
    case ExprKind::unite:
      for (const Term arg : node.args) find(arg, to, result);
      return;
    case ExprKind::intersect:
    case ExprKind::subtract:
    case ExprKind::complement: return findBySingles(node, to, result);
    case ExprKind::sequence: return findSequence(node, to, result);
    case ExprKind::inverse:  // the other way round: where does each event lead to?
      return events_.all().forEach([&](std::size_t i) {
        Set single = none<Set>(), found = none<Set>();
        single.set(i);
        find(node.args[0], single, found);
        if (found.intersects(to)) result.set(i);
      });
    case ExprKind::star: result.unite(to.data()); return findClosure(node.args[0], to, result);
    case ExprKind::plus: return findClosure(node.args[0], to, result);
    case ExprKind::optional: result.unite(to.data()); return find(node.args[0], to, result);
    case ExprKind::domain:
    case ExprKind::range:
    case ExprKind::recursion:
    case ExprKind::variable: throw std::logic_error("a relation of a model that is evaluated by src/enumerate");
  }
}

template <class Set>
void Predecessors::findBySingles(const TermNode& node, const Set& to, Set& result) const {
  Set single = none<Set>(), found = none<Set>(), other = none<Set>();
  to.forEach([&](std::size_t i) {
    single.set(i);
    if (node.kind == ExprKind::complement) {
      found = Set(events_.all());
    } else {
      found.reset(found.words() * 64);
      find(node.args[0], single, found);
    }
    for (std::size_t arg = node.kind == ExprKind::complement ? 0 : 1; arg < node.args.size() && !found.isEmpty(); ++arg) {
      other.reset(other.words() * 64);
      find(node.args[arg], single, other);
      if (node.kind == ExprKind::intersect) {
        found.intersect(other.data());
      } else {
        found.subtract(other.data());
      }
    }
    result.unite(found.data());
    single.clear(i);
  });
}

template <class Set>
void Predecessors::findSequence(const TermNode& node, const Set& to, Set& result) const {
  Set at = to;
  for (std::size_t arg = node.args.size(); arg > 0 && !at.isEmpty(); --arg) {
    if (arg == 1) return find(node.args[0], at, result);
    Set before = none<Set>();
    find(node.args[arg - 1], at, before);
    at = std::move(before);
  }
}

template <class Set>
void Predecessors::findClosure(Term step, const Set& to, Set& result) const {
  Set found = none<Set>(), last = to;
  while (!last.isEmpty()) {
    Set next = none<Set>();
    find(step, last, next);
    next.subtract(found.data());
    found.unite(next.data());
    last = std::move(next);
  }
  result.unite(found.data());
}

template void Predecessors::find(Term term, const EventSet& to, EventSet& result) const;
template void Predecessors::find(Term term, const WordSet& to, WordSet& result) const;

}  // namespace heddle::relations
