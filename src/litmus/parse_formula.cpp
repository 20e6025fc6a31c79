#include "litmus/parse_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace heddle::litmus {

namespace {

constexpr unsigned kMaxNesting = 200;

Formula combine(FormulaKind kind, std::vector<Formula> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  Formula formula;
  formula.kind = kind;
  formula.parts = std::move(parts);
  return formula;
}

class FormulaParser {
 public:
  FormulaParser(TokenStream& tokens, const std::function<Formula()>& comparison) : tokens_(tokens), comparison_(comparison) {}

  // a => b is ~a \/ b, and binds loosest.
  Formula implication() {
    nest();
    Formula left = disjunction();
    if (tokens_.accept("=>")) {
      std::vector<Formula> parts;
      parts.push_back(negation(std::move(left)));
      parts.push_back(implication());
      left = combine(FormulaKind::disjunction, std::move(parts));
    }
    --nesting_;
    return left;
  }

 private:
  void nest() {
    if (++nesting_ > kMaxNesting) tokens_.failHere("this is nested too deeply");
  }

  Formula disjunction() {
    std::vector<Formula> parts;
    do parts.push_back(conjunction());
    while (tokens_.accept("\\/") || tokens_.accept("||"));
    return combine(FormulaKind::disjunction, std::move(parts));
  }

  Formula conjunction() {
    std::vector<Formula> parts;
    do parts.push_back(atom());
    while (tokens_.accept("/\\") || tokens_.accept("&&"));
    return combine(FormulaKind::conjunction, std::move(parts));
  }

  Formula atom() {
    if (tokens_.accept("~") || tokens_.accept("not") || tokens_.accept("!")) {
      nest();
      Formula part = atom();
      --nesting_;
      return negation(std::move(part));
    }
    if (tokens_.accept("(")) {
      Formula inner = implication();
      tokens_.expect(")", "in the final condition");
      return inner;
    }
    Formula formula;
    if (tokens_.accept("true")) return formula;
    if (tokens_.accept("false")) {
      formula.value = 0;
      return formula;
    }
    return comparison_();
  }

  TokenStream& tokens_;
  const std::function<Formula()>& comparison_;
  unsigned nesting_ = 0;
};

void renumber(Formula& formula, const std::vector<std::uint32_t>& newNumber) {
  if (formula.kind == FormulaKind::equal) formula.observable = newNumber[formula.observable];
  if (formula.toObservable) formula.other = newNumber[formula.other];
  for (Formula& part : formula.parts) renumber(part, newNumber);
}

bool shownBefore(const Syntax& syntax, const Observed& a, const Observed& b) {
  if (a.isRegister != b.isRegister) return a.isRegister;
  if (a.isRegister) return a.thread != b.thread ? a.thread < b.thread : a.name < b.name;
  if (a.location != b.location) return syntax.locations[a.location].name < syntax.locations[b.location].name;
  return a.index < b.index;
}

}  // namespace

Formula conjunction(Formula left, Formula right) {
  std::vector<Formula> parts;
  parts.push_back(std::move(left));
  parts.push_back(std::move(right));
  return combine(FormulaKind::conjunction, std::move(parts));
}

Formula negation(Formula part) {
  Formula formula;
  formula.kind = FormulaKind::negation;
  formula.parts.push_back(std::move(part));
  return formula;
}

Quantifier parseQuantifier(TokenStream& tokens) {
  if (tokens.accept("~") || tokens.accept("not")) {
    if (!tokens.accept("exists")) tokens.failHere(fmt::format("expected `exists`, found {}", tokens.shown()));
    return Quantifier::notExists;
  }
  if (tokens.accept("exists")) return Quantifier::exists;
  if (tokens.accept("forall")) return Quantifier::forall;
  tokens.failHere(fmt::format("expected `exists`, `~exists` or `forall`, found {}", tokens.shown()));
}

Formula parseFormula(TokenStream& tokens, const std::function<Formula()>& comparison) {
  return FormulaParser(tokens, comparison).implication();
}

bool parseDiffers(TokenStream& tokens) {
  const bool differs = tokens.token().is("!=") || tokens.token().is("<>");
  if (!differs && !tokens.token().is("=") && !tokens.token().is("==")) {
    tokens.failHere(fmt::format("expected `=` or `!=`, found {}", tokens.shown()));
  }
  tokens.advance();
  return differs;
}

void sortObserved(Syntax& syntax) {
  std::vector<std::uint32_t> order(syntax.observed.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return shownBefore(syntax, syntax.observed[a], syntax.observed[b]); });
  std::vector<std::uint32_t> newNumber(order.size());
  std::vector<Observed> sorted;
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    newNumber[order[i]] = i;
    sorted.push_back(std::move(syntax.observed[order[i]]));
  }
  syntax.observed = std::move(sorted);
  renumber(syntax.condition, newNumber);
}

}  // namespace heddle::litmus
