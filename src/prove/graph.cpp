#include "prove/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "model/cat.h"
#include "model/regex.h"

namespace heddle::prove {

using model::BaseRelation;
using model::Expr;
using model::ExprKind;

Relation Relation::then(const Relation& other) const {
  Relation result(size());
  for (unsigned a = 0; a < size(); ++a) {
    for (unsigned b = 0; b < size(); ++b) {
      if (has(a, b)) result.rows_[a] |= other.rows_[b];
    }
  }
  return result;
}

Relation Relation::plus() const {
  Relation result = *this;
  for (unsigned k = 0; k < size(); ++k) {
    for (unsigned a = 0; a < size(); ++a) {
      if (result.has(a, k)) result.rows_[a] |= result.rows_[k];
    }
  }
  return result;
}

Relation Relation::inverse() const {
  Relation result(size());
  for (unsigned a = 0; a < size(); ++a) {
    for (unsigned b = 0; b < size(); ++b) {
      if (has(a, b)) result.add(b, a);
    }
  }
  return result;
}

bool Relation::isEmpty() const {
  for (const std::uint64_t row : rows_) {
    if (row != 0) return false;
  }
  return true;
}

bool Relation::isIrreflexive() const {
  for (unsigned a = 0; a < size(); ++a) {
    if (has(a, a)) return false;
  }
  return true;
}

View View::plain(std::vector<std::string> sets, std::vector<std::string> relations) {
  View view{std::move(sets), std::move(relations), {}, true};
  for (unsigned c = 0; c < kEventClasses; ++c) view.classes.push_back(static_cast<int>(c));
  return view;
}

bool View::sees(const GraphEvent& event) const { return isInserted(event.cell) ? inserted : classes[event.eventClass()] >= 0; }

namespace {

class Evaluation {
 public:
  Evaluation(const Graph& graph, const View& view) : graph_(graph), view_(view), size_(graph.size()) {
    for (unsigned e = 0; e < size_; ++e) {
      if (view.sees(graph.events[e])) visible_ |= std::uint64_t{1} << e;
    }
  }

  std::uint64_t set(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::empty: return 0;
      case ExprKind::unite: {
        std::uint64_t result = 0;
        for (const auto& arg : expr.args) result |= set(*arg);
        return result;
      }
      case ExprKind::intersect: {
        std::uint64_t result = visible_;
        for (const auto& arg : expr.args) result &= set(*arg);
        return result;
      }
      case ExprKind::subtract: return set(*expr.args[0]) & ~set(*expr.args[1]);
      case ExprKind::complement: return visible_ & ~set(*expr.args[0]);
      case ExprKind::base: return baseSet(expr);
      case ExprKind::domain: return startsOf(relation(*expr.args[0]));
      case ExprKind::range: return startsOf(relation(*expr.args[0]).inverse());
      case ExprKind::recursion: return startsOf(recursion(expr));
      case ExprKind::variable: return startsOf(bound_.at(expr.name).at(expr.index));
      default: throw std::invalid_argument("not a set");
    }
  }

  Relation relation(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::base: return restricted(baseRelation(expr));
      case ExprKind::empty: return Relation(size_);
      case ExprKind::bracket: return identity(set(*expr.args[0]));
      case ExprKind::unite:
      case ExprKind::intersect:
      case ExprKind::subtract:
      case ExprKind::sequence: return combination(expr);
      case ExprKind::complement: {
        Relation result = relation(*expr.args[0]);
        for (unsigned a = 0; a < size_; ++a) result.row(a) = ~result.row(a);
        return restricted(result);
      }
      case ExprKind::product: {
        Relation result(size_);
        const std::uint64_t from = set(*expr.args[0]);
        const std::uint64_t to = set(*expr.args[1]);
        for (unsigned a = 0; a < size_; ++a) result.row(a) = (from >> a & 1) != 0 ? to : 0;
        return result;
      }
      case ExprKind::inverse: return relation(*expr.args[0]).inverse();
      case ExprKind::plus: return relation(*expr.args[0]).plus();
      case ExprKind::star: return withIdentity(relation(*expr.args[0]).plus());
      case ExprKind::optional: return withIdentity(relation(*expr.args[0]));
      case ExprKind::recursion: return recursion(expr);
      case ExprKind::variable: return bound_.at(expr.name).at(expr.index);
      case ExprKind::domain:
      case ExprKind::range: break;  // sets
    }
    return Relation(size_);
  }

 private:
  std::uint64_t baseSet(const Expr& expr) {
    std::uint64_t result = 0;
    for (unsigned i = 0; i < view_.sets.size(); ++i) {
      if (view_.sets[i] != expr.name) continue;
      for (unsigned e = 0; e < size_; ++e) {
        if ((declaredSetsOf(graph_.events[e].cell) >> i & 1) != 0) result |= std::uint64_t{1} << e;
      }
      return result & visible_;
    }
    const ClassSet classes = model::classSet(expr);
    for (unsigned e = 0; e < size_; ++e) {
      if ((visible_ >> e & 1) == 0) continue;
      const GraphEvent& event = graph_.events[e];
      const int cls = isInserted(event.cell) ? event.eventClass() : view_.classes[event.eventClass()];
      if (contains(classes, static_cast<EventClass>(cls))) result |= std::uint64_t{1} << e;
    }
    return result;
  }

  Relation baseRelation(const Expr& expr) {
    const std::string& name = expr.name;
    if (const auto* base = model::findBaseRelation(name)) return baseRelation(base->relation);
    for (unsigned i = 0; i < view_.relations.size(); ++i) {
      if (view_.relations[i] == name) return i < graph_.declared.size() ? graph_.declared[i] : Relation(size_);
    }
    throw std::invalid_argument("no relation " + name);
  }

  Relation baseRelation(BaseRelation relation) {
    const auto internal = [&](unsigned a, unsigned b) {
      return a == b || (graph_.events[a].thread == graph_.events[b].thread && graph_.events[a].thread >= 0);
    };
    switch (relation) {
      case BaseRelation::po: return graph_.po;
      case BaseRelation::rf: return graph_.rf;
      case BaseRelation::co: return graph_.co;
      case BaseRelation::rb: return graph_.rb();
      case BaseRelation::rmw: return graph_.rmw;
      case BaseRelation::addr: return graph_.addr;
      case BaseRelation::data: return graph_.data;
      case BaseRelation::ctrl: return graph_.ctrl;
      case BaseRelation::id: return identity(visible_);
      case BaseRelation::internal: return pairs(internal);
      case BaseRelation::ext: return pairs([&](unsigned a, unsigned b) { return !internal(a, b); });
      case BaseRelation::loc:
        return pairs([&](unsigned a, unsigned b) {
          return graph_.events[a].location >= 0 && graph_.events[a].location == graph_.events[b].location;
        });
    }
    return Relation(size_);
  }

  template <class F>
  Relation pairs(F&& related) const {
    Relation result(size_);
    for (unsigned a = 0; a < size_; ++a) {
      for (unsigned b = 0; b < size_; ++b) {
        if (related(a, b)) result.add(a, b);
      }
    }
    return result;
  }

  Relation combination(const Expr& expr) {
    Relation result = relation(*expr.args[0]);
    for (std::size_t i = 1; i < expr.args.size(); ++i) {
      const Relation next = relation(*expr.args[i]);
      if (expr.kind == ExprKind::sequence) {
        result = result.then(next);
        continue;
      }
      for (unsigned a = 0; a < size_; ++a) {
        if (expr.kind == ExprKind::unite) result.row(a) |= next.row(a);
        if (expr.kind == ExprKind::intersect) result.row(a) &= next.row(a);
        if (expr.kind == ExprKind::subtract) result.row(a) &= ~next.row(a);
      }
    }
    return result;
  }

  // One definition after the other, and again until none changes, as the evaluation of models has it (enumerate/evaluator.h). A
  // set is the identity on it.
  Relation recursion(const Expr& expr) {
    bound_[expr.name].assign(expr.args.size(), Relation(size_));
    const std::size_t most = expr.args.size() * (std::size_t{size_} * size_ + 2);
    bool again = true;
    for (std::size_t round = 0; again; ++round) {
      if (round > most) {
        throw model::CatError(expr.position, "this recursive definition does not settle: it takes away what it has added");
      }
      again = false;
      for (std::size_t i = 0; i < expr.args.size(); ++i) {
        const Expr& definition = *expr.args[i];
        Relation next = definition.type == model::ExprType::set ? identity(set(definition)) : relation(definition);
        if (next == bound_[expr.name][i]) continue;
        bound_[expr.name][i] = std::move(next);
        again = true;
      }
    }
    return bound_[expr.name][expr.index];
  }

  std::uint64_t startsOf(const Relation& relation) const {
    std::uint64_t result = 0;
    for (unsigned a = 0; a < size_; ++a) result |= relation.row(a) != 0 ? std::uint64_t{1} << a : 0;
    return result;
  }

  Relation identity(std::uint64_t set) const {
    Relation result(size_);
    for (unsigned e = 0; e < size_; ++e) {
      if ((set >> e & 1) != 0) result.add(e, e);
    }
    return result;
  }
  Relation withIdentity(Relation result) const {
    for (unsigned e = 0; e < size_; ++e) {
      if ((visible_ >> e & 1) != 0) result.add(e, e);
    }
    return result;
  }
  Relation restricted(Relation result) const {
    for (unsigned a = 0; a < size_; ++a) result.row(a) &= (visible_ >> a & 1) != 0 ? visible_ : 0;
    return result;
  }

  const Graph& graph_;
  const View& view_;
  unsigned size_;
  std::uint64_t visible_ = 0;
  std::map<std::string, std::vector<Relation>> bound_;
};

}  // namespace

Relation evaluate(const Expr& relation, const Graph& graph, const View& view) {
  return Evaluation(graph, view).relation(relation);
}
std::uint64_t evaluateSet(const Expr& set, const Graph& graph, const View& view) { return Evaluation(graph, view).set(set); }

bool holds(const model::Axiom& axiom, const Graph& graph, const View& view) {
  if (axiom.expr->type == model::ExprType::set) return evaluateSet(*axiom.expr, graph, view) == 0;
  const Relation relation = evaluate(*axiom.expr, graph, view);
  switch (axiom.kind) {
    case model::AxiomKind::acyclic: return relation.plus().isIrreflexive();
    case model::AxiomKind::irreflexive: return relation.isIrreflexive();
    case model::AxiomKind::empty: return relation.isEmpty();
  }
  return false;
}

}  // namespace heddle::prove
