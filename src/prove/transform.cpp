#include "prove/transform.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/cat.h"
#include "prove/claim_context.h"
#include "prove/realise.h"
#include "prove/time_limit.h"

namespace heddle::prove {

const std::vector<SwapKind>& swapKinds() {
  const auto one = [](EventKind kind, Order order) { return ClassSet::of(eventClass(kind, order, false)); };
  static const std::vector<SwapKind> kKinds = {
      {"R rlx", one(EventKind::read, Order::relaxed)},  {"R acq", one(EventKind::read, Order::acquire)},
      {"R sc", one(EventKind::read, Order::seq_cst)},   {"W rlx", one(EventKind::write, Order::relaxed)},
      {"W rel", one(EventKind::write, Order::release)}, {"W sc", one(EventKind::write, Order::seq_cst)}};
  return kKinds;
}

namespace {

// The term with the step from the first access to the second wherever program order may go.
KatPtr withPair(const KatPtr& term, const Cells& first, const Cells& second) {
  switch (term->kind) {
    case KatKind::letters: {
      if ((term->letters & lettersOf(Letter::po, Letter::poOther)) == 0) return term;
      return unite(term, sequence(sequence(test(first), letters(only(Letter::pair))), test(second)));
    }
    case KatKind::unite: return unite(withPair(term->args[0], first, second), withPair(term->args[1], first, second));
    case KatKind::sequence: return sequence(withPair(term->args[0], first, second), withPair(term->args[1], first, second));
    case KatKind::star: return star(withPair(term->args[0], first, second));
    case KatKind::filter: return filtered(withPair(term->args[0], first, second), term->filter);
    default: return term;
  }
}

bool consistent(const model::Model& model, const Graph& graph, const View& view) {
  return std::all_of(model.axioms.begin(), model.axioms.end(), [&](const model::Axiom& a) { return holds(a, graph, view); });
}

// Is there an adjacent pair of the two kinds whose swap makes the graph consistent?
bool swapHelps(const model::Model& model, const Graph& graph, const View& view, ClassSet first, ClassSet second) {
  for (unsigned a = 0; a < graph.size(); ++a) {
    for (unsigned b = 0; b < graph.size(); ++b) {
      const bool kinds = contains(first, graph.events[a].eventClass()) && contains(second, graph.events[b].eventClass());
      if (!kinds || !graph.po.has(a, b) || graph.po.then(graph.po).has(a, b)) continue;
      if (graph.events[a].location == graph.events[b].location) continue;
      if (graph.addr.has(a, b) || graph.data.has(a, b) || graph.ctrl.has(a, b)) continue;
      Graph swapped = graph;
      swapped.po.row(a) &= ~(std::uint64_t{1} << b);
      swapped.po.add(b, a);
      if (consistent(model, swapped, view) && !consistent(model, graph, view)) return true;
    }
  }
  return false;
}

}  // namespace

Answer maySwap(const model::Model& model, const SwapKind& first, const SwapKind& second, const ProverLimits& limits) {
  QueryFile query;
  Claim claim{.kind = ClaimKind::stronger};
  const TimeLimit limit(limits.seconds);
  Answer answer;
  answer.verdict = Verdict::proved;
  const Cells from = cellsOfClasses(first.classes);
  const Cells to = cellsOfClasses(second.classes);
  for (const model::Axiom& axiom : model.axioms) {
    if (axiom.kind == model::AxiomKind::empty) {
      if (meetsReadModifyWrite(*axiom.expr) != nullptr && axiom.expr->type == model::ExprType::relation) continue;  // no po
      answer.verdict = Verdict::undecided;
      answer.reasons.push_back(fmt::format("axiom {} is an emptiness axiom", axiom.name));
      continue;
    }
    try {
      ClaimContext context(query, claim, limits);
      context.suppose(model, model.name);
      context.facts().swapped = true;
      const KatPtr relation = toKat(*axiom.expr, context.vocabulary());
      const KatPtr whole = withPair(axiom.kind == model::AxiomKind::acyclic ? plus(relation) : relation, from, to);
      context.prepare({whole});
      const InclusionResult result = context.forbidden(whole, limits.words);
      if (result.included && context.unusable().empty()) continue;
      for (const GuardedWord& word : result.missing) {
        const auto take = [&](const Graph& graph) {
          if (!swapHelps(model, graph, context.sourceView(), first.classes, second.classes)) return false;
          answer.counterexample = Counterexample{context.wordText(word, true), "consistent only after the swap", graph};
          return true;
        };
        if (!realise(word, context.atoms(), 0, {limits.graphs}, take)) continue;
        answer.verdict = Verdict::refuted;
        return answer;
      }
      answer.verdict = Verdict::undecided;
      answer.reasons.push_back(fmt::format("axiom {}: no rule covers some cycle through the pair", axiom.name));
    } catch (const model::CatError& error) {
      answer.verdict = Verdict::undecided;
      answer.reasons.emplace_back(error.what());
    } catch (const std::length_error& error) {
      answer.verdict = Verdict::undecided;
      answer.reasons.emplace_back(error.what());
    } catch (const OutOfTime& error) {
      answer.verdict = Verdict::undecided;
      answer.reasons.emplace_back(error.what());
    }
  }
  return answer;
}

}  // namespace heddle::prove
