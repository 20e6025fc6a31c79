#include "prove/kat.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/cat.h"
#include "model/regex.h"
#include "model/simplify.h"

namespace heddle::prove {

using model::BaseRelation;
using model::CatError;
using model::Expr;
using model::ExprKind;

namespace {

KatPtr make(KatKind kind, std::vector<KatPtr> args) {
  return std::make_shared<Kat>(Kat{.kind = kind, .test = {}, .letters = 0, .filter = {}, .args = std::move(args)});
}

}  // namespace

KatPtr never() { return make(KatKind::never, {}); }
KatPtr test(const Cells& cells) {
  if (cells.none()) return never();
  return std::make_shared<Kat>(Kat{.kind = KatKind::test, .test = cells, .letters = 0, .filter = {}, .args = {}});
}
KatPtr anything() { return test(allCells()); }
KatPtr letters(LetterSet set) {
  return std::make_shared<Kat>(Kat{.kind = KatKind::letters, .test = {}, .letters = set, .filter = {}, .args = {}});
}
KatPtr unite(KatPtr a, KatPtr b) {
  if (a->kind == KatKind::never) return b;
  if (b->kind == KatKind::never) return a;
  return make(KatKind::unite, {std::move(a), std::move(b)});
}
KatPtr sequence(KatPtr a, KatPtr b) {
  if (a->kind == KatKind::never || b->kind == KatKind::never) return never();
  if (a->kind == KatKind::test && b->kind == KatKind::test) return test(a->test & b->test);
  if (a->kind == KatKind::test && a->test.all()) return b;
  if (b->kind == KatKind::test && b->test.all()) return a;
  return make(KatKind::sequence, {std::move(a), std::move(b)});
}
KatPtr star(KatPtr a) {
  if (a->kind == KatKind::never || a->kind == KatKind::test) return anything();
  if (a->kind == KatKind::star) return a;
  return make(KatKind::star, {std::move(a)});
}
KatPtr plus(const KatPtr& a) { return sequence(a, star(a)); }
KatPtr optional(const KatPtr& a) { return unite(anything(), a); }

KatPtr filtered(KatPtr a, Filter filter) {
  if (a->kind == KatKind::never) return a;
  if (a->kind == KatKind::unite) return unite(filtered(a->args[0], filter), filtered(a->args[1], filter));
  return std::make_shared<Kat>(
      Kat{.kind = KatKind::filter, .test = {}, .letters = 0, .filter = filter, .args = {std::move(a)}});
}

namespace {

[[noreturn]] void unsupported(const Expr& expr, const std::string& why) {
  throw CatError(expr.position, fmt::format("`{}` is outside what can be proved about: {}", toString(expr), why));
}

// A set of letters under a filter, if that is a set of letters again.
std::optional<LetterSet> filteredLetters(LetterSet set, Filter filter) {
  switch (filter) {
    case Filter::sameLocation:
      if ((set & ~(kSameLocation | lettersOf(Letter::po, Letter::poOther))) != 0) break;
      return (set & kSameLocation) | (has(set, Letter::po) ? only(Letter::poLoc) : 0);
    case Filter::otherLocation:
      if ((set & ~(kSameLocation | lettersOf(Letter::po, Letter::poOther))) != 0) break;
      return (set & only(Letter::poOther)) | (has(set, Letter::po) ? only(Letter::poOther) : 0);
    case Filter::sameThread:
      if ((set & ~(kSameThread | kOtherThread)) == 0) return set & kSameThread;
      break;
    case Filter::otherThread:
      if ((set & ~(kSameThread | kOtherThread)) == 0) return set & kOtherThread;
      break;
  }
  return std::nullopt;
}

KatPtr applyFilter(const KatPtr& relation, Filter filter) {
  if (relation->kind == KatKind::letters) {
    if (const auto set = filteredLetters(relation->letters, filter)) return *set == 0 ? never() : letters(*set);
  }
  if (relation->kind == KatKind::unite) {
    return unite(applyFilter(relation->args[0], filter), applyFilter(relation->args[1], filter));
  }
  if (relation->kind == KatKind::test) {  // part of the identity
    const bool stays = filter == Filter::sameThread;
    if (filter == Filter::sameLocation) return test(relation->test & cellsOfClasses(classes::kRead | classes::kWrite));
    return stays                           ? relation
           : filter == Filter::otherThread ? never()
                                           : test(relation->test & ~cellsOfClasses(classes::kRead | classes::kWrite));
  }
  // A test at either end stays outside.
  if (relation->kind == KatKind::sequence) {
    const KatPtr& a = relation->args[0];
    const KatPtr& b = relation->args[1];
    if (a->kind == KatKind::test) return sequence(a, applyFilter(b, filter));
    if (b->kind == KatKind::test) return sequence(applyFilter(a, filter), b);
  }
  return filtered(relation, filter);
}

class Translator {
 public:
  explicit Translator(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  KatPtr relation(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::base: return base(expr);
      case ExprKind::empty: return never();
      case ExprKind::bracket: return test(cellsOf(*expr.args[0], vocabulary_));
      case ExprKind::unite: {
        KatPtr result = never();
        for (const auto& arg : expr.args) result = unite(result, relation(*arg));
        return result;
      }
      case ExprKind::intersect:
        if (const model::ExprPtr simpler = model::simplified(expr)) return relation(*simpler);
        return intersection(expr);
      case ExprKind::subtract:
        if (const auto filter = filterOf(*expr.args[1], true)) return applyFilter(relation(*expr.args[0]), *filter);
        if (const model::ExprPtr simpler = model::simplified(expr)) return relation(*simpler);
        unsupported(expr, "only `loc`, `ext` and `int` can be subtracted from a relation");
      case ExprKind::complement: unsupported(expr, "the complement of a relation is not regular");
      case ExprKind::product: unsupported(expr, "a cartesian product relates events that no edge connects");
      case ExprKind::sequence: return sequenceOf(expr);
      case ExprKind::inverse:
        if (expr.args[0]->kind == ExprKind::inverse) return relation(*expr.args[0]->args[0]);
        if (isBase(*expr.args[0], "rmw")) return letters(only(Letter::rmwInverse));
        unsupported(expr, "the only inverses are `rmw^-1` and `rf^-1 ; co`, which is `rb`");
      case ExprKind::plus: return plus(relation(*expr.args[0]));
      case ExprKind::star: return star(relation(*expr.args[0]));
      case ExprKind::optional: return optional(relation(*expr.args[0]));
      case ExprKind::recursion: return recursion(expr);
      case ExprKind::variable: unsupported(expr, "a recursive name is used where the recursion is not regular");
      case ExprKind::domain:
      case ExprKind::range: unsupported(expr, "this is a set, and not one of events by themselves");
    }
    return never();
  }

 private:
  KatPtr base(const Expr& expr) {
    const std::string& name = expr.name;
    if (const auto* base = model::findBaseRelation(name)) {
      switch (base->relation) {
        case BaseRelation::po: return letters(only(Letter::po));
        case BaseRelation::rf: return letters(kRf);
        case BaseRelation::co: return letters(kCo);
        case BaseRelation::rb: return letters(kRb);
        case BaseRelation::rmw: return letters(only(Letter::rmw));
        case BaseRelation::addr: return letters(only(Letter::addr));
        case BaseRelation::data: return letters(only(Letter::data));
        case BaseRelation::ctrl: return letters(only(Letter::ctrl));
        case BaseRelation::id: return anything();
        case BaseRelation::loc:
        case BaseRelation::internal:
        case BaseRelation::ext:
          unsupported(expr, "it can only filter another relation, as in `e & " + name + "` or `e \\ " + name + "`");
      }
    }
    for (unsigned i = 0; i < vocabulary_.relations.size(); ++i) {
      if (vocabulary_.relations[i] == name) return letters(declaredLetter(i));
    }
    throw CatError(expr.position, fmt::format("unknown base relation `{}`", name));
  }

  KatPtr intersection(const Expr& expr) {
    const Expr* meant = nullptr;
    std::vector<Filter> filters;
    for (const auto& arg : expr.args) {
      if (const auto filter = filterOf(*arg, false)) {
        filters.push_back(*filter);
      } else if (meant == nullptr) {
        meant = arg.get();
      } else {
        unsupported(expr, "a relation can only be intersected with `loc`, `ext` or `int`");
      }
    }
    if (meant == nullptr) unsupported(expr, "one of the relations must not be a filter");
    KatPtr result = relation(*meant);
    for (const Filter filter : filters) result = applyFilter(result, filter);
    return result;
  }

  KatPtr sequenceOf(const Expr& expr) {
    KatPtr result = anything();
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
      const Expr& arg = *expr.args[i];
      const bool inverseRf = arg.kind == ExprKind::inverse && isBase(*arg.args[0], "rf");
      if (inverseRf && i + 1 < expr.args.size() && isBase(*expr.args[i + 1], "co")) {
        result = sequence(result, letters(kRb));
        ++i;
      } else {
        result = sequence(result, relation(arg));
      }
    }
    return result;
  }

  // X = a | b ; X, X = a | X ; b, X = a | X ; X: the least solution of a recursion of one name. (Groups of several
  // names are solved by the model's author: what is regular in them has a closed form.)
  KatPtr recursion(const Expr& expr) {
    if (expr.args.size() != 1) unsupported(expr, "recursion through several names; write it without `and`");
    const Expr& body = *expr.args[0];
    KatPtr constant = never();
    KatPtr before = never();
    KatPtr after = never();
    bool closed = false;
    std::vector<const Expr*> parts;
    if (body.kind == ExprKind::unite) {
      for (const auto& arg : body.args) parts.push_back(arg.get());
    } else {
      parts.push_back(&body);
    }
    for (const Expr* part : parts) {
      if (!mentions(*part, expr.name)) {
        constant = unite(constant, relation(*part));
      } else if (part->kind == ExprKind::sequence && part->args.size() == 2 && isVariable(*part->args[0], expr) &&
                 isVariable(*part->args[1], expr)) {
        closed = true;
      } else if (part->kind == ExprKind::sequence && isVariable(*part->args.back(), expr)) {
        before = unite(before, allBut(*part, part->args.size() - 1, expr));
      } else if (part->kind == ExprKind::sequence && isVariable(*part->args.front(), expr)) {
        after = unite(after, allBut(*part, 0, expr));
      } else {
        unsupported(expr, "this recursion is not regular (use X = a | b;X, X = a | X;b, or X = a | X;X)");
      }
    }
    // b ; X and X ; c apply on different sides, so their order makes no difference; with X ; X they would.
    const bool linear = before->kind != KatKind::never || after->kind != KatKind::never;
    if (closed && linear) unsupported(expr, "X ; X together with b ; X is not solved here");
    const KatPtr solution = sequence(sequence(star(before), constant), star(after));
    return closed ? plus(constant) : solution;
  }

  static bool isVariable(const Expr& expr, const Expr& group) {
    return expr.kind == ExprKind::variable && expr.name == group.name;
  }
  static bool mentions(const Expr& expr, const std::string& group) {
    if (expr.kind == ExprKind::variable && expr.name == group) return true;
    return std::any_of(expr.args.begin(), expr.args.end(), [&](const auto& arg) { return mentions(*arg, group); });
  }
  KatPtr allBut(const Expr& sequenceExpr, std::size_t place, const Expr& group) {
    KatPtr result = anything();
    for (std::size_t i = 0; i < sequenceExpr.args.size(); ++i) {
      if (i == place) continue;
      if (mentions(*sequenceExpr.args[i], group.name)) unsupported(group, "this recursion is not regular");
      result = sequence(result, relation(*sequenceExpr.args[i]));
    }
    return result;
  }

  const Vocabulary& vocabulary_;
};

}  // namespace

Cells cellsOf(const Expr& set, const Vocabulary& vocabulary) {
  switch (set.kind) {
    case ExprKind::empty: return {};
    case ExprKind::unite: {
      Cells result;
      for (const auto& arg : set.args) result |= cellsOf(*arg, vocabulary);
      return result;
    }
    case ExprKind::intersect: {
      Cells result = allCells();
      for (const auto& arg : set.args) result &= cellsOf(*arg, vocabulary);
      return result;
    }
    case ExprKind::subtract: return cellsOf(*set.args[0], vocabulary) & ~cellsOf(*set.args[1], vocabulary);
    case ExprKind::complement: return ~cellsOf(*set.args[0], vocabulary);
    case ExprKind::base:
      for (unsigned i = 0; i < vocabulary.sets.size(); ++i) {
        if (vocabulary.sets[i] == set.name) return cellsOfDeclaredSet(i);
      }
      if (set.name == "_") return allCells();
      return vocabulary.classes(model::classSet(set));
    default: throw CatError(set.position, fmt::format("`{}` is not a set of events", toString(set)));
  }
}

KatPtr toKat(const Expr& relation, const Vocabulary& vocabulary) { return Translator(vocabulary).relation(relation); }

bool sameTerm(const Kat& a, const Kat& b) {
  if (&a == &b) return true;
  return a.kind == b.kind && a.test == b.test && a.letters == b.letters && a.filter == b.filter &&
         std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end(),
                    [](const KatPtr& x, const KatPtr& y) { return sameTerm(*x, *y); });
}

void collectTests(const Kat& term, std::vector<Cells>& tests) {
  if (term.kind == KatKind::test && std::find(tests.begin(), tests.end(), term.test) == tests.end()) {
    tests.push_back(term.test);
  }
  for (const auto& arg : term.args) collectTests(*arg, tests);
}

LetterSet lettersIn(const Kat& term) {
  LetterSet result = term.letters;
  if (term.kind == KatKind::filter) {
    switch (term.filter) {
      case Filter::sameLocation: result |= lettersOf(Letter::openLoc, Letter::closeLoc); break;
      case Filter::otherLocation: result |= lettersOf(Letter::openOther, Letter::closeOther); break;
      case Filter::sameThread: result |= lettersOf(Letter::openInt, Letter::closeInt); break;
      case Filter::otherThread: result |= lettersOf(Letter::openExt, Letter::closeExt); break;
    }
  }
  for (const auto& arg : term.args) result |= lettersIn(*arg);
  return result;
}

namespace {

bool isReadsBefore(const Expr& relation) {
  if (relation.kind == ExprKind::subtract) return isBase(*relation.args[1], "id") && isReadsBefore(*relation.args[0]);
  if (relation.kind != ExprKind::sequence || relation.args.size() != 2) return isBase(relation, "rb");
  const Expr& first = *relation.args[0];
  return first.kind == ExprKind::inverse && isBase(*first.args[0], "rf") && isBase(*relation.args[1], "co");
}

// rmw, or `[S] | rmw` where an event for both halves may be one: no event is before itself by `rb ; co`.
bool isReadModifyWrite(const Expr& relation, const Expr& met) {
  if (isBase(relation, "rmw")) return true;
  const bool fromReadToWrite =
      met.kind == ExprKind::sequence && isReadsBefore(*met.args.front()) && isBase(*met.args.back(), "co");
  const auto isPart = [](const model::ExprPtr& part) { return part->kind == ExprKind::bracket || isBase(*part, "rmw"); };
  return relation.kind == ExprKind::unite && fromReadToWrite && std::ranges::all_of(relation.args, isPart) &&
         std::ranges::any_of(relation.args, [](const model::ExprPtr& part) { return isBase(*part, "rmw"); });
}

}  // namespace

model::ExprPtr meetsReadModifyWrite(const Expr& relation) {
  if (relation.kind != ExprKind::intersect || relation.args.size() != 2) return nullptr;
  if (isReadModifyWrite(*relation.args[0], *relation.args[1])) return relation.args[1];
  return isReadModifyWrite(*relation.args[1], *relation.args[0]) ? relation.args[0] : nullptr;
}

}  // namespace heddle::prove
