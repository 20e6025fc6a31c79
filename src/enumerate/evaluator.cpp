#include "enumerate/evaluator.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/trail.h"
#include "model/cat.h"
#include "model/regex.h"

namespace heddle::enumerate {

using model::AxiomKind;
using model::BaseRelation;
using model::ExprKind;
using model::ExprType;
using relations::BitMatrix;
using relations::EventSet;

namespace {

constexpr std::size_t kMostGroups = 64;

Level levelOf(BaseRelation relation) {
  switch (relation) {
    case BaseRelation::rf: return Level::readsFrom;
    case BaseRelation::co:
    case BaseRelation::rb: return Level::coherence;
    default: return Level::events;
  }
}

void fill(EventSet& set, std::size_t size) {
  set.reset(size);
  for (std::size_t i = 0; i < size; ++i) set.set(i);
}

}  // namespace

Evaluator::Evaluator(const model::Model& model, const Execution& execution) : execution_(execution) {
  for (const model::Axiom& axiom : model.axioms) axioms_.push_back(addCheck(axiom));
  for (const model::Axiom& flag : model.flags) flags_.push_back(addCheck(flag));
  change(Level::events);
}

Evaluator::Check Evaluator::addCheck(const model::Axiom& axiom) { return {axiom.kind, add(axiom.expr), axiom.negated}; }

// ---- From expressions to nodes

void Evaluator::addBase(Term& term, const model::Expr& expr) {
  if (!term.isSet) {
    term.valuesDiffer = expr.name == "different-values";
    if (term.valuesDiffer) return;
    const model::BaseRelationInfo* base = model::findBaseRelation(expr.name);
    if (base == nullptr) throw model::CatError(expr.position, fmt::format("`{}` has no meaning here", expr.name));
    term.base = base->relation;
    term.level = levelOf(term.base);
    return;
  }
  if (const auto tag = findEventTag(expr.name)) {
    term.isTag = true;
    term.tags = tagBit(*tag);
  } else {
    term.classes = model::classSet(expr);
  }
}

// The variables first, as the definitions have them in them.
std::uint32_t Evaluator::addGroup(const model::Expr& expr) {
  const auto [found, isNew] = groupOf_.try_emplace(expr.name, static_cast<std::uint32_t>(groups_.size()));
  const std::uint32_t number = found->second;
  if (!isNew) return number;
  if (number == kMostGroups) throw model::CatError(expr.position, "too many recursive definitions");
  groups_.emplace_back();
  for (std::uint32_t i = 0; i < expr.args.size(); ++i) {
    Term variable;
    variable.kind = ExprKind::variable;
    variable.isSet = expr.args[i]->type == ExprType::set;
    variable.groups = std::uint64_t{1} << number;
    groups_[number].variables.push_back(static_cast<Node>(terms_.size()));
    terms_.push_back(std::move(variable));
  }
  for (const model::ExprPtr& arg : expr.args) {
    const Node definition = add(arg);
    Group& group = groups_[number];
    group.definitions.push_back(definition);
    group.level = std::max(group.level, terms_[definition].level);
    group.outer |= terms_[definition].groups & ~(std::uint64_t{1} << number);
  }
  return number;
}

Evaluator::Node Evaluator::add(const model::ExprPtr& expr) {
  if (const auto found = known_.find(expr.get()); found != known_.end()) return found->second;
  Term term;
  term.kind = expr->kind;
  term.isSet = expr->type == ExprType::set;
  if (expr->kind == ExprKind::base) {
    addBase(term, *expr);
  } else if (expr->kind == ExprKind::variable) {
    return groups_[groupOf_.at(expr->name)].variables[expr->index];
  } else if (expr->kind == ExprKind::recursion) {
    term.group = addGroup(*expr);
    term.index = expr->index;
    const Group& group = groups_[term.group];
    term.level = group.level;
    term.groups = group.outer;
    for (const Node definition : group.definitions) term.grows = term.grows && terms_[definition].grows;
  } else {
    for (std::size_t i = 0; i < expr->args.size(); ++i) {
      const Node arg = add(expr->args[i]);
      const Term& part = terms_[arg];
      term.args.push_back(arg);
      term.level = std::max(term.level, part.level);
      term.groups |= part.groups;
      const bool takesAway = expr->kind == ExprKind::complement || (expr->kind == ExprKind::subtract && i == 1);
      term.grows = term.grows && part.grows && !(takesAway && (part.level != Level::events || part.groups != 0));
    }
  }
  if (term.level == Level::events && term.groups == 0) term.grows = true;  // it stays as it is
  const auto node = static_cast<Node>(terms_.size());
  terms_.push_back(std::move(term));
  known_.emplace(expr.get(), node);
  kept_.push_back(expr);
  return node;
}

// ---- Axioms

bool Evaluator::holds(const Check& check) {
  const Term& term = value(check.node);
  bool result = false;
  switch (check.kind) {
    case AxiomKind::irreflexive: result = !term.matrix.hasLoop(); break;
    case AxiomKind::acyclic: result = !term.matrix.hasCycle(); break;
    case AxiomKind::empty:
      result = term.isSet
                   ? std::all_of(term.members.data(), term.members.data() + term.members.words(), [](auto w) { return w == 0; })
                   : term.matrix.isEmpty();
      break;
  }
  return result != check.negated;
}

bool Evaluator::axiomsHold() {
  return std::ranges::all_of(axioms_, [&](const Check& axiom) { return holds(axiom); });
}

bool Evaluator::growingAxiomsHold() {
  return std::ranges::all_of(axioms_,
                             [&](const Check& axiom) { return axiom.negated || !terms_[axiom.node].grows || holds(axiom); });
}

// ---- Values

bool Evaluator::isCurrent(std::uint64_t computed, Level level, std::uint64_t groups) const {
  if (computed < changed_[static_cast<std::size_t>(level)]) return false;
  for (std::uint64_t rest = groups; rest != 0; rest &= rest - 1) {
    if (computed < groups_[static_cast<std::size_t>(std::countr_zero(rest))].changed) return false;
  }
  return true;
}

const Evaluator::Term& Evaluator::value(Node node) {
  Term& term = terms_[node];
  if (term.kind == ExprKind::variable || (term.computed != 0 && isCurrent(term.computed, term.level, term.groups))) return term;
  compute(term);
  term.computed = ++clock_;
  return term;
}

void Evaluator::compute(Term& term) {
  if (term.kind == ExprKind::recursion) {
    Group& group = groups_[term.group];
    if (group.computed == 0 || !isCurrent(group.computed, group.level, group.outer)) solve(group);
    const Term& variable = terms_[group.variables[term.index]];
    if (term.isSet) {
      term.members = variable.members;
    } else {
      term.matrix = variable.matrix;
    }
  } else if (term.kind == ExprKind::base) {
    computeBase(term);
  } else if (term.isSet) {
    computeSet(term);
  } else {
    computeRelation(term);
  }
}

void Evaluator::solve(Group& group) {
  const std::size_t size = execution_.size();
  for (const Node variable : group.variables) {
    terms_[variable].members.reset(size);
    terms_[variable].matrix.reset(size);
  }
  group.changed = ++clock_;
  // Each round that goes on changes a pair or an event at least.
  const std::size_t most = group.variables.size() * (size * size + 2);
  bool again = true;
  for (std::size_t round = 0; again; ++round) {
    if (round > most) throw LimitError("a recursive definition of the model does not settle: it takes away what it has added");
    again = false;
    for (std::size_t i = 0; i < group.definitions.size(); ++i) {
      const Term& next = value(group.definitions[i]);
      Term& variable = terms_[group.variables[i]];
      if (variable.isSet ? variable.members == next.members : variable.matrix == next.matrix) continue;
      if (variable.isSet) {
        variable.members = next.members;
      } else {
        variable.matrix = next.matrix;
      }
      group.changed = ++clock_;
      again = true;
    }
  }
  group.computed = ++clock_;
}

void Evaluator::computeBase(Term& term) {
  const std::vector<Event>& events = execution_.events;
  if (term.isSet) {
    term.members.reset(events.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (term.isTag ? (events[i].tags & term.tags) != 0 : term.classes.contains(events[i].cls)) term.members.set(i);
    }
  } else if (term.valuesDiffer) {
    term.matrix.reset(events.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
      for (std::size_t j = 0; j < events.size(); ++j) {
        if (events[i].value != events[j].value) term.matrix.set(i, j);
      }
    }
  } else {
    term.matrix = execution_[term.base];
  }
}

void Evaluator::computeSet(Term& term) {
  const std::size_t size = execution_.size();
  EventSet& result = term.members;
  const auto eachWord = [&](const EventSet& other, const auto& combine) {
    for (std::size_t w = 0; w < result.words(); ++w) result.data()[w] = combine(result.data()[w], other.data()[w]);
  };
  result.reset(size);
  switch (term.kind) {
    case ExprKind::unite:
      for (const Node arg : term.args) eachWord(value(arg).members, [](auto a, auto b) { return a | b; });
      break;
    case ExprKind::intersect:
      fill(result, size);
      for (const Node arg : term.args) eachWord(value(arg).members, [](auto a, auto b) { return a & b; });
      break;
    case ExprKind::subtract:
      result = value(term.args[0]).members;
      eachWord(value(term.args[1]).members, [](auto a, auto b) { return a & ~b; });
      break;
    case ExprKind::complement:
      fill(result, size);
      eachWord(value(term.args[0]).members, [](auto a, auto b) { return a & ~b; });
      break;
    case ExprKind::domain: {
      const BitMatrix& of = value(term.args[0]).matrix;
      for (std::size_t i = 0; i < size; ++i) {
        if (std::any_of(of.row(i), of.row(i) + of.words(), [](auto w) { return w != 0; })) result.set(i);
      }
      break;
    }
    case ExprKind::range: {
      const BitMatrix& of = value(term.args[0]).matrix;
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t w = 0; w < of.words(); ++w) result.data()[w] |= of.row(i)[w];
      }
      break;
    }
    default: break;  // empty
  }
}

void Evaluator::computeRelation(Term& term) {
  const std::size_t size = execution_.size();
  BitMatrix& result = term.matrix;
  switch (term.kind) {
    case ExprKind::bracket:
      result.reset(size);
      value(term.args[0]).members.forEach([&](std::size_t i) { result.set(i, i); });
      break;
    case ExprKind::product: {
      result.reset(size);
      const EventSet& to = value(term.args[1]).members;
      value(term.args[0]).members.forEach([&](std::size_t i) { std::copy_n(to.data(), to.words(), result.row(i)); });
      break;
    }
    case ExprKind::unite:
      result = value(term.args[0]).matrix;
      for (std::size_t i = 1; i < term.args.size(); ++i) result.unite(value(term.args[i]).matrix);
      break;
    case ExprKind::intersect:
      result = value(term.args[0]).matrix;
      for (std::size_t i = 1; i < term.args.size(); ++i) result.intersect(value(term.args[i]).matrix);
      break;
    case ExprKind::subtract:
      result = value(term.args[0]).matrix;
      result.subtract(value(term.args[1]).matrix);
      break;
    case ExprKind::complement: {
      EventSet all;
      fill(all, size);
      result.reset(size);
      for (std::size_t i = 0; i < size; ++i) std::copy_n(all.data(), all.words(), result.row(i));
      result.subtract(value(term.args[0]).matrix);
      break;
    }
    case ExprKind::sequence: computeSequence(term); break;
    case ExprKind::inverse: result.inverseOf(value(term.args[0]).matrix); break;
    case ExprKind::plus:
    case ExprKind::star:
      result = value(term.args[0]).matrix;
      result.close();
      if (term.kind == ExprKind::star) result.addIdentity();
      break;
    case ExprKind::optional:
      result = value(term.args[0]).matrix;
      result.addIdentity();
      break;
    default: result.reset(size); break;  // empty
  }
}

// Sets between relations are not composed but filter.
void Evaluator::computeSequence(Term& term) {
  const auto filter = [&](std::size_t i) -> const EventSet* {
    const Term& part = terms_[term.args[i]];
    return part.kind == ExprKind::bracket ? &value(part.args[0]).members : nullptr;
  };
  BitMatrix& result = term.matrix;
  std::size_t first = 0;
  while (first + 1 < term.args.size() && filter(first) != nullptr) ++first;
  result = value(term.args[first]).matrix;
  for (std::size_t i = 0; i < first; ++i) result.keepFrom(*filter(i));
  BitMatrix composed;
  for (std::size_t i = first + 1; i < term.args.size(); ++i) {
    if (const EventSet* members = filter(i)) {
      result.keepTo(*members);
      continue;
    }
    composed.composeOf(result, value(term.args[i]).matrix);
    std::swap(result, composed);
  }
}

}  // namespace heddle::enumerate
