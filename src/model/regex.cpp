#include "model/regex.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/cat.h"
#include "model/simplify.h"
#include "program/event_tag.h"

namespace heddle::model {

RegexPtr never() { return std::make_shared<Regex>(Regex{.kind = RegexKind::never, .args = {}}); }
RegexPtr test(ClassSet set) {
  if (set.empty()) return never();
  return std::make_shared<Regex>(Regex{.kind = RegexKind::test, .test = set, .args = {}});
}
RegexPtr letter(Letter which) { return std::make_shared<Regex>(Regex{.kind = RegexKind::letter, .letter = which, .args = {}}); }
RegexPtr filtered(RegexPtr relation, Filter filter) {
  return std::make_shared<Regex>(
      Regex{.kind = RegexKind::letter, .letter = Letter::filtered, .filter = filter, .args = {std::move(relation)}});
}
RegexPtr unite(RegexPtr a, RegexPtr b) {
  if (a->kind == RegexKind::never) return b;
  if (b->kind == RegexKind::never) return a;
  return std::make_shared<Regex>(Regex{.kind = RegexKind::unite, .args = {std::move(a), std::move(b)}});
}
RegexPtr sequence(RegexPtr a, RegexPtr b) {
  if (a->kind == RegexKind::never || b->kind == RegexKind::never) return never();
  if (a->kind == RegexKind::test && b->kind == RegexKind::test) return test(a->test & b->test);
  if (a->kind == RegexKind::test && a->test == kAllClasses) return b;
  if (b->kind == RegexKind::test && b->test == kAllClasses) return a;
  return std::make_shared<Regex>(Regex{.kind = RegexKind::sequence, .args = {std::move(a), std::move(b)}});
}
RegexPtr star(RegexPtr a) {
  if (a->kind == RegexKind::never || a->kind == RegexKind::test) return test(kAllClasses);
  if (a->kind == RegexKind::star) return a;
  return std::make_shared<Regex>(Regex{.kind = RegexKind::star, .args = {std::move(a)}});
}
RegexPtr plus(const RegexPtr& a) { return sequence(a, star(a)); }

RegexPtr programOrder() { return plus(letter(Letter::po)); }
RegexPtr coherenceOrder() { return plus(letter(Letter::co)); }
RegexPtr readsBefore() { return sequence(letter(Letter::rb), star(letter(Letter::co))); }

ClassSet classSet(const Expr& set) {
  switch (set.kind) {
    case ExprKind::empty: return {};
    case ExprKind::unite: {
      ClassSet result;
      for (const auto& arg : set.args) result |= classSet(*arg);
      return result;
    }
    case ExprKind::intersect: {
      ClassSet result = kAllClasses;
      for (const auto& arg : set.args) result &= classSet(*arg);
      return result;
    }
    case ExprKind::subtract: return classSet(*set.args[0]) & ~classSet(*set.args[1]);
    case ExprKind::complement: return kAllClasses & ~classSet(*set.args[0]);
    case ExprKind::base: break;
    default: throw CatError(set.position, fmt::format("`{}` is not a set of events", toString(set)));
  }
#define SET(name, classes) {name, classes},
  static constexpr std::pair<std::string_view, ClassSet> kSets[] = {
#include "model/base_names.def"
  };
  for (const auto& [name, classes] : kSets) {
    if (name == set.name) return classes;
  }
  if (findEventTag(set.name)) {
    throw CatError(
        set.position,
        fmt::format("`{}` is a tag of the Linux kernel's primitives, which proofs and automata do not know: ask `heddle "
                    "litmus` about tests under this model, or make the claim about a model without tags",
                    set.name));
  }
  throw CatError(set.position, fmt::format("unknown base set `{}`", set.name));
}

std::optional<Filter> filterOf(const Expr& expr, bool complemented) {
  const BaseRelationInfo* base = expr.kind == ExprKind::base ? findBaseRelation(expr.name) : nullptr;
  if (base == nullptr) return std::nullopt;
  return complemented ? base->complement : base->filter;
}

namespace {

[[noreturn]] void unsupported(const Expr& expr, const std::string& why) {
  throw CatError(expr.position, fmt::format("`{}` is outside the accepted fragment: {}", toString(expr), why));
}

bool mentionsVariable(const Expr& expr, const std::string& group) {
  if (expr.kind == ExprKind::variable && expr.name == group) return true;
  for (const auto& arg : expr.args) {
    if (mentionsVariable(*arg, group)) return true;
  }
  return false;
}

// A right-hand side of a `let rec` as a linear combination of the group's variables: the sum over i of
// coefficient[i] ; X_i (or X_i ; coefficient[i]), plus a constant.
struct LinearForm {
  std::vector<RegexPtr> coefficient;
  RegexPtr constant = never();
};

enum class Side { right, left };

class RecursionSolver {
 public:
  RecursionSolver(const Expr& recursion, Side side) : group_(recursion), count_(recursion.args.size()), side_(side) {}

  // The least solution of the chosen variable, or nullopt when the system is not linear on this side.
  std::optional<RegexPtr> solve() {
    std::vector<LinearForm> system;
    std::vector<bool> closed(count_, false);
    for (std::size_t i = 0; i < count_; ++i) {
      auto form = linear(*group_.args[i], i, closed);
      if (!form) return std::nullopt;
      system.push_back(*form);
    }
    // Arden's lemma, variable by variable: X = B;X | C has the least solution B*;C.
    for (std::size_t i = 0; i < count_; ++i) {
      const RegexPtr loop = star(system[i].coefficient[i]);
      system[i].coefficient[i] = never();
      for (auto& c : system[i].coefficient) c = compose(loop, c);
      system[i].constant = compose(loop, system[i].constant);
      if (closed[i]) {  // X = ... | X;X
        for (const auto& c : system[i].coefficient) {
          if (c->kind != RegexKind::never) return std::nullopt;
        }
        system[i].constant = plus(system[i].constant);
      }
      for (std::size_t j = 0; j < count_; ++j) {
        if (j == i) continue;
        const RegexPtr factor = system[j].coefficient[i];
        system[j].coefficient[i] = never();
        for (std::size_t k = 0; k < count_; ++k) {
          system[j].coefficient[k] = unite(system[j].coefficient[k], compose(factor, system[i].coefficient[k]));
        }
        system[j].constant = unite(system[j].constant, compose(factor, system[i].constant));
      }
    }
    return system[group_.index].constant;
  }

 private:
  RegexPtr compose(const RegexPtr& a, const RegexPtr& b) const {
    return side_ == Side::right ? sequence(a, b) : sequence(b, a);
  }
  LinearForm constant(RegexPtr value) const { return {std::vector<RegexPtr>(count_, never()), std::move(value)}; }
  bool isVariable(const Expr& expr) const { return expr.kind == ExprKind::variable && expr.name == group_.name; }

  std::optional<LinearForm> linear(const Expr& expr, std::size_t self, std::vector<bool>& closed) {
    if (!mentionsVariable(expr, group_.name)) return constant(toRegex(expr));
    if (isVariable(expr)) {
      LinearForm form = constant(never());
      form.coefficient[expr.index] = test(kAllClasses);
      return form;
    }
    if (expr.kind == ExprKind::unite || expr.kind == ExprKind::optional) {
      LinearForm sum = constant(expr.kind == ExprKind::optional ? test(kAllClasses) : never());
      for (const auto& arg : expr.args) {
        auto form = linear(*arg, self, closed);
        if (!form) return std::nullopt;
        for (std::size_t i = 0; i < count_; ++i) sum.coefficient[i] = unite(sum.coefficient[i], form->coefficient[i]);
        sum.constant = unite(sum.constant, form->constant);
      }
      return sum;
    }
    if (expr.kind != ExprKind::sequence) return std::nullopt;
    if (expr.args.size() == 2 && isVariable(*expr.args[0]) && isVariable(*expr.args[1]) && expr.args[0]->index == self &&
        expr.args[1]->index == self) {
      closed[self] = true;
      return constant(never());
    }
    const std::size_t last = expr.args.size() - 1;
    const std::size_t place = side_ == Side::right ? last : 0;
    RegexPtr rest = test(kAllClasses);
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
      if (i == place) continue;
      if (mentionsVariable(*expr.args[i], group_.name)) return std::nullopt;
      rest = sequence(rest, toRegex(*expr.args[i]));
    }
    auto form = linear(*expr.args[place], self, closed);
    if (!form) return std::nullopt;
    for (auto& c : form->coefficient) c = compose(rest, c);
    form->constant = compose(rest, form->constant);
    return form;
  }

  const Expr& group_;
  std::size_t count_;
  Side side_;
};

RegexPtr follow(const Path& path) {
  return path.then ? sequence(letter(path.first), star(letter(*path.then))) : letter(path.first);
}

RegexPtr baseRelation(const Expr& expr) {
  const std::string& name = expr.name;
  const BaseRelationInfo* base = findBaseRelation(name);
  if (base != nullptr && base->edges) return follow(*base->edges);
  if (base != nullptr && base->relation == BaseRelation::id) return test(kAllClasses);
  if (base != nullptr && base->filter) {
    unsupported(expr, "it can only filter another relation, as in `e & " + name + "` or `e \\ " + name + "`");
  }
  throw CatError(expr.position, fmt::format("unknown base relation `{}`", name));
}

std::optional<Path> filteredEdges(const BaseRelationInfo& base, Filter filter) {
  switch (filter) {
    case Filter::sameLocation: return base.sameLocation;
    case Filter::otherLocation: return std::nullopt;
    case Filter::sameThread: return base.sameThread;
    case Filter::otherThread: return base.otherThread;
  }
  return std::nullopt;
}

RegexPtr applyFilter(const Expr& relation, Filter filter) {
  const BaseRelationInfo* base = relation.kind == ExprKind::base ? findBaseRelation(relation.name) : nullptr;
  if (base != nullptr) {
    if (const auto path = filteredEdges(*base, filter)) return follow(*path);
  }
  return filtered(toRegex(relation), filter);
}

void collectFilters(const Expr& intersection, std::vector<const Expr*>& relations, std::vector<Filter>& filters) {
  for (const auto& arg : intersection.args) {
    if (const auto filter = filterOf(*arg, false)) {
      filters.push_back(*filter);
    } else if (arg->kind == ExprKind::intersect) {
      collectFilters(*arg, relations, filters);
    } else {
      relations.push_back(arg.get());
    }
  }
}

RegexPtr intersection(const Expr& expr) {
  std::vector<const Expr*> relations;
  std::vector<Filter> filters;
  collectFilters(expr, relations, filters);
  if (relations.size() != 1) {
    unsupported(expr, "a relation can only be intersected with `loc`, `ext` or `int`");
  }
  // `po-loc & int` is `(po & int) & loc`, of which views can be kept.
  std::ranges::partition(filters, [](Filter filter) { return filter == Filter::sameThread || filter == Filter::otherThread; });
  RegexPtr result = applyFilter(*relations[0], filters[0]);
  for (std::size_t i = 1; i < filters.size(); ++i) result = filtered(result, filters[i]);
  return result;
}

// e^-1 inside a sequence: only rf^-1 ; co, which is rb, goes forward.
RegexPtr sequenceOf(const Expr& expr) {
  RegexPtr result = test(kAllClasses);
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    const Expr& arg = *expr.args[i];
    const bool inverseRf = arg.kind == ExprKind::inverse && isBase(*arg.args[0], "rf");
    if (inverseRf && i + 1 < expr.args.size() && isBase(*expr.args[i + 1], "co")) {
      result = sequence(result, readsBefore());
      ++i;
    } else {
      result = sequence(result, toRegex(arg));
    }
  }
  return result;
}

}  // namespace

RegexPtr toRegex(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::base: return baseRelation(expr);
    case ExprKind::empty: return never();
    case ExprKind::bracket: return test(classSet(*expr.args[0]));
    case ExprKind::unite: {
      RegexPtr result = never();
      for (const auto& arg : expr.args) result = unite(result, toRegex(*arg));
      return result;
    }
    case ExprKind::intersect:
      if (const ExprPtr simpler = simplified(expr)) return toRegex(*simpler);
      return intersection(expr);
    case ExprKind::subtract:
      if (const auto filter = filterOf(*expr.args[1], true)) return applyFilter(*expr.args[0], *filter);
      if (const ExprPtr simpler = simplified(expr)) return toRegex(*simpler);
      unsupported(expr, "only `loc`, `ext` and `int` can be subtracted from a relation");
    case ExprKind::complement: unsupported(expr, "the complement of a relation is not regular");
    case ExprKind::product: unsupported(expr, "a cartesian product relates events that no edge connects");
    case ExprKind::sequence: return sequenceOf(expr);
    case ExprKind::inverse:
      if (expr.args[0]->kind == ExprKind::inverse) return toRegex(*expr.args[0]->args[0]);
      unsupported(expr, "an edge can only be followed backwards in `rf^-1 ; co`, which is `rb`");
    case ExprKind::plus: return plus(toRegex(*expr.args[0]));
    case ExprKind::star: return star(toRegex(*expr.args[0]));
    case ExprKind::optional: return unite(test(kAllClasses), toRegex(*expr.args[0]));
    case ExprKind::recursion: {
      if (auto solution = RecursionSolver(expr, Side::right).solve()) return *solution;
      if (auto solution = RecursionSolver(expr, Side::left).solve()) return *solution;
      unsupported(expr, "this recursion is not regular (use X = a | b;X, X = a | X;b, or X = a | X;X)");
    }
    case ExprKind::variable: unsupported(expr, "a recursive name is used where the recursion is not regular");
    case ExprKind::domain:
    case ExprKind::range: unsupported(expr, "this is a set, and not one of events by themselves");
  }
  return never();
}

}  // namespace heddle::model
