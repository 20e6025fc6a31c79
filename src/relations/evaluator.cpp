#include "relations/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "model/cat.h"
#include "model/regex.h"

namespace heddle::relations {

using model::AxiomKind;
using model::BaseRelation;
using model::Expr;
using model::ExprKind;

namespace {

Level levelOf(BaseRelation relation) {
  switch (relation) {
    case BaseRelation::rf: return Level::readsFrom;
    case BaseRelation::co:
    case BaseRelation::rb: return Level::coherence;
    default: return Level::events;
  }
}

}  // namespace

Evaluator::Term Evaluator::add(const Expr& expr) {
  Node node;
  node.kind = expr.kind;
  std::string key = fmt::format("{}", static_cast<int>(expr.kind));
  const auto addSet = [&](const Expr& set) {
    const ClassSet classes = model::classSet(set);
    key += fmt::format(" {:x}.{:x}", classes.high(), classes.low());
    return classes;
  };
  switch (expr.kind) {
    case ExprKind::base: {
      const auto* base = model::findBaseRelation(expr.name);
      if (base == nullptr) throw model::CatError(expr.position, fmt::format("`{}` has no meaning here", expr.name));
      node.base = base->relation;
      node.level = levelOf(node.base);
      key += expr.name;
      break;
    }
    case ExprKind::bracket: node.set = addSet(*expr.args[0]); break;
    case ExprKind::product:
      node.set = addSet(*expr.args[0]);
      node.otherSet = addSet(*expr.args[1]);
      break;
    case ExprKind::recursion:
    case ExprKind::variable:
      throw model::CatError(expr.position,
                            "dependencies and mixed sizes do not allow a recursive relation yet; write it with `+`");
    default:
      for (const model::ExprPtr& arg : expr.args) {
        const Term term = add(*arg);
        node.args.push_back(term);
        node.level = std::max(node.level, nodes_[term].level);
        key += fmt::format(" {}", term);
      }
  }
  const auto [found, isNew] = known_.try_emplace(key, static_cast<Term>(nodes_.size()));
  if (isNew) nodes_.push_back(std::move(node));
  return found->second;
}

bool Evaluator::axiomsHold() {
  return std::ranges::all_of(axioms_, [&](const Check& axiom) {
    const BitMatrix& relation = value(axiom.term);
    switch (axiom.kind) {
      case AxiomKind::irreflexive: return !relation.hasLoop();
      case AxiomKind::empty: return relation.isEmpty();
      case AxiomKind::acyclic: return !relation.hasCycle();
    }
    return false;
  });
}

const BitMatrix& Evaluator::value(Term term) {
  Node& node = nodes_[term];
  const std::uint64_t version = versions_[static_cast<std::size_t>(node.level)];
  if (node.version != version) {
    node.matrix.reset(events_.count());
    evaluate(node);
    node.version = version;
  }
  return node.matrix;
}

void Evaluator::fillMembers(ClassSet set, EventSet& result) const {
  result.reset(events_.count());
  for (std::size_t i = 0; i < events_.count(); ++i) {
    if (contains(set, events_.classOf(i))) result.set(i);
  }
}

const EventSet& Evaluator::members(Term bracket) {
  value(bracket);
  return nodes_[bracket].members;
}

void Evaluator::evaluate(Node& node) {
  BitMatrix& result = node.matrix;
  switch (node.kind) {
    case ExprKind::base: events_.fill(node.base, result); break;
    case ExprKind::empty: break;
    case ExprKind::bracket:
      fillMembers(node.set, node.members);
      node.members.forEach([&](std::size_t i) { result.set(i, i); });
      break;
    case ExprKind::product: {
      EventSet to;
      fillMembers(node.set, node.members);
      fillMembers(node.otherSet, to);
      node.members.forEach([&](std::size_t i) { std::copy_n(to.data(), to.words(), result.row(i)); });
      break;
    }
    case ExprKind::unite:
      for (const Term arg : node.args) result.unite(value(arg));
      break;
    case ExprKind::intersect:
      result = value(node.args[0]);
      for (std::size_t i = 1; i < node.args.size(); ++i) result.intersect(value(node.args[i]));
      break;
    case ExprKind::subtract:
      result = value(node.args[0]);
      result.subtract(value(node.args[1]));
      break;
    case ExprKind::complement:
      for (std::size_t i = 0; i < result.size(); ++i) {
        for (std::size_t j = 0; j < result.size(); ++j) result.set(i, j);
      }
      result.subtract(value(node.args[0]));
      break;
    case ExprKind::sequence: evaluateSequence(node); break;
    case ExprKind::inverse: result.inverseOf(value(node.args[0])); break;
    case ExprKind::plus:
    case ExprKind::star:
      result = value(node.args[0]);
      result.close();
      if (node.kind == ExprKind::star) result.addIdentity();
      break;
    case ExprKind::optional:
      result = value(node.args[0]);
      result.addIdentity();
      break;
    case ExprKind::domain:
    case ExprKind::range:
    case ExprKind::recursion:
    case ExprKind::variable: throw std::logic_error("a relation of a model that is evaluated by src/enumerate");
  }
}

// Sets between relations are not composed but filter.
void Evaluator::evaluateSequence(Node& node) {
  BitMatrix& result = node.matrix;
  std::size_t first = 0;
  while (first + 1 < node.args.size() && nodes_[node.args[first]].kind == ExprKind::bracket) ++first;
  result = value(node.args[first]);
  for (std::size_t i = 0; i < first; ++i) result.keepFrom(members(node.args[i]));
  BitMatrix composed;
  for (std::size_t i = first + 1; i < node.args.size(); ++i) {
    if (nodes_[node.args[i]].kind == ExprKind::bracket) {
      result.keepTo(members(node.args[i]));
      continue;
    }
    composed.composeOf(result, value(node.args[i]));
    std::swap(result, composed);
  }
}

}  // namespace heddle::relations
