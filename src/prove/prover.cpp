#include "prove/prover.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <stdexcept>

#include "model/cat.h"
#include "prove/claim_context.h"
#include "prove/realise.h"

namespace heddle::prove {

namespace {

using model::CatError;

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

class Decision {
 public:
  Decision(const QueryFile& query, const Claim& claim, const ProverLimits& limits)
      : query_(query), claim_(claim), limits_(limits) {}

  Answer run() {
    switch (claim_.kind) {
      case ClaimKind::inclusion: return inclusion(claim_.left, claim_.right);
      case ClaimKind::equality: return both(inclusion(claim_.left, claim_.right), [&] { return inclusion(claim_.right, claim_.left); });
      case ClaimKind::irreflexive: return irreflexive(false);
      case ClaimKind::acyclic: return irreflexive(true);
      case ClaimKind::stronger: return stronger(claim_.leftModel, claim_.rightModel);
      case ClaimKind::equivalent:
        return both(stronger(claim_.leftModel, claim_.rightModel), [&] { return stronger(claim_.rightModel, claim_.leftModel); });
    }
    return {};
  }

 private:
  // An answer to two questions at once.
  static Answer both(Answer first, const std::function<Answer()>& ask) {
    if (first.verdict == Verdict::refuted) return first;
    Answer second = ask();
    second.visited += first.visited;
    if (second.verdict == Verdict::refuted) return second;
    if (first.verdict == Verdict::undecided) second.verdict = Verdict::undecided;
    const auto join = [](std::vector<std::string>& to, const std::vector<std::string>& from) {
      for (const std::string& text : from) {
        if (std::count(to.begin(), to.end(), text) == 0) to.push_back(text);
      }
    };
    join(second.reasons, first.reasons);
    join(second.warnings, first.warnings);
    return second;
  }

  // ---- Relations and sets

  Answer inclusion(const model::ExprPtr& left, const model::ExprPtr& right) {
    ClaimContext context(query_, claim_, limits_);
    Answer answer;
    if (left->type == model::ExprType::set) return setInclusion(left, right);
    try {
      const KatPtr small = toKat(*left, context.vocabulary());
      const KatPtr large = toKat(*right, context.vocabulary());
      context.prepare({small, large});
      const InclusionResult result = context.included(small, large, limits_.words);
      settle(answer, context, result, false, [&](const Graph& graph) -> std::optional<std::string> {
        const Relation a = evaluate(*left, graph, context.sourceView());
        const Relation b = evaluate(*right, graph, context.sourceView());
        for (unsigned e = 0; e < graph.size(); ++e) {
          for (unsigned f = 0; f < graph.size(); ++f) {
            if (a.has(e, f) && !b.has(e, f)) return fmt::format("e{} -> e{} is a pair of the left side only", e, f);
          }
        }
        return std::nullopt;
      });
    } catch (const CatError& error) {
      answer.reasons.push_back(firstLine(error.what()));
    } catch (const std::length_error& error) {
      answer.reasons.push_back(error.what());
    }
    return answer;
  }

  Answer setInclusion(const model::ExprPtr& left, const model::ExprPtr& right) {
    // [S] <= [T] is the same claim.
    const auto bracket = [](const model::ExprPtr& set) {
      return std::make_shared<const model::Expr>(
          model::Expr{model::ExprKind::bracket, model::ExprType::relation, "", 0, {set}, set->position});
    };
    return inclusion(bracket(left), bracket(right));
  }

  Answer irreflexive(bool acyclic) {
    const model::Axiom axiom{acyclic ? model::AxiomKind::acyclic : model::AxiomKind::irreflexive, claim_.name, claim_.left,
                             claim_.position};
    ClaimContext context(query_, claim_, limits_);
    Answer answer;
    forbidAxiom(answer, context, axiom, "", [](const Graph&) { return true; });
    return answer;
  }

  // ---- Models

  Answer stronger(const std::string& leftName, const std::string& rightName) {
    const model::Model& left = query_.models.at(leftName);
    const model::Model& right = query_.models.at(rightName);
    Answer answer;
    answer.verdict = Verdict::proved;
    std::vector<KatPtr> shown;  // of the axioms before
    for (const model::Axiom& axiom : right.axioms) {
      if (std::count(claim_.without.begin(), claim_.without.end(), axiom.name) > 0 && rightName == claim_.rightModel) continue;
      ClaimContext context(query_, claim_, limits_);
      context.suppose(left, leftName);
      for (const KatPtr& term : shown) context.alsoForbidden(term);
      Answer part;
      const KatPtr term = forbidAxiom(part, context, axiom, rightName, [&](const Graph& graph) {
        return std::all_of(left.axioms.begin(), left.axioms.end(),
                           [&](const model::Axiom& a) { return holds(a, graph, context.machineView()); });
      });
      if (part.verdict == Verdict::proved && term != nullptr && axiom.kind != model::AxiomKind::empty) shown.push_back(term);
      for (std::string& reason : part.reasons) reason = fmt::format("axiom {} of {}: {}", axiom.name, rightName, reason);
      answer = both(std::move(part), [&] { return answer; });
      if (answer.verdict == Verdict::refuted) return answer;
    }
    if (right.axioms.empty()) answer.warnings.push_back(fmt::format("model {} has no axiom: it allows everything", rightName));
    return answer;
  }

  // Returns the term whose cycles (or words) the axiom forbids.
  KatPtr forbidAxiom(Answer& answer, ClaimContext& context, const model::Axiom& axiom, const std::string& owner,
                   const std::function<bool(const Graph&)>& consistent) {
    const auto fails = [&](const Graph& graph) -> std::optional<std::string> {
      if (!consistent(graph) || holds(axiom, graph, context.sourceView())) return std::nullopt;
      if (owner.empty()) return "it has a cycle here";
      return fmt::format("axiom {} of {} fails here, and every axiom on the left holds", axiom.name, owner);
    };
    KatPtr term;
    try {
      const bool empty = axiom.kind == model::AxiomKind::empty;
      const model::ExprPtr atomic = empty ? meetsReadModifyWrite(*axiom.expr) : nullptr;
      if (axiom.expr->type == model::ExprType::set) {
        term = test(cellsOf(*axiom.expr, context.vocabulary()));
      } else if (atomic != nullptr) {
        term = sequence(toKat(*atomic, context.vocabulary()), letters(only(Letter::rmwInverse)));
      } else {
        term = toKat(*axiom.expr, context.vocabulary());
        if (axiom.kind == model::AxiomKind::acyclic) term = plus(term);
      }
      context.prepare({term});
      const bool cycle = !empty || atomic != nullptr;
      const InclusionResult result =
          cycle ? context.forbidden(term, limits_.words) : context.included(term, never(), limits_.words);
      settle(answer, context, result, cycle, fails);
    } catch (const CatError& error) {
      answer.reasons.push_back(firstLine(error.what()));
    } catch (const std::length_error& error) {
      answer.reasons.push_back(error.what());
    }
    return term;
  }

  // ---- From a search to an answer

  void settle(Answer& answer, const ClaimContext& context, const InclusionResult& result, bool cycle,
              const std::function<std::optional<std::string>(const Graph&)>& fails) {
    answer.visited += result.visited;
    for (const std::string& text : context.unusedAssumptions()) {
      answer.warnings.push_back(fmt::format("the assumption `{}` was not used", text));
    }
    if (result.included) {
      answer.verdict = Verdict::proved;
      if (result.vacuous) answer.warnings.push_back("vacuous: the left side is empty in every execution that is considered");
      for (const std::string& text : context.unusable()) answer.warnings.push_back(text);
      return;
    }
    for (const GuardedWord& word : result.missing) {
      if (refute(answer, context, word, cycle, fails)) return;
      for (const GuardedWord& longer : withReads(word, context.atoms())) {
        if (refute(answer, context, longer, cycle, fails)) return;
      }
    }
    answer.verdict = Verdict::undecided;
    answer.reasons = context.unusable();
    if (result.exhausted) answer.reasons.push_back(fmt::format("the search stopped after {} pairs of states", result.visited));
    if (!result.missing.empty()) {
      answer.reasons.push_back(fmt::format("no rule covers {}, and the claim holds in the graphs tried that contain it",
                                           context.wordText(result.missing.front(), cycle)));
    }
  }

  // co in a word may stand for rf ; rb (Theory::leftCycles), and the read may be what matters: the word with a seq_cst read in
  // place of each co.
  static std::vector<GuardedWord> withReads(const GuardedWord& word, const Atoms& atoms) {
    const Mask reads = atoms.mask(cellsOfClasses(ClassSet{1} << eventClass(EventKind::read, Order::seq_cst, false)));
    std::vector<GuardedWord> result;
    for (std::size_t i = 0; i < word.letters.size() && reads != 0; ++i) {
      if (word.letters[i] != Letter::coe) continue;
      GuardedWord longer = word;
      const auto place = static_cast<std::ptrdiff_t>(i) + 1;
      longer.letters[i] = Letter::rfe;
      longer.letters.insert(longer.letters.begin() + place, Letter::rbe);
      longer.atoms.insert(longer.atoms.begin() + place, static_cast<unsigned>(std::countr_zero(reads)));
      result.push_back(std::move(longer));
    }
    return result;
  }

  bool refute(Answer& answer, const ClaimContext& context, const GuardedWord& word, bool cycle,
              const std::function<std::optional<std::string>(const Graph&)>& fails) {
    const auto take = [&](const Graph& graph) {
      const auto fitted = context.fit(graph);
      if (!fitted) return false;
      const auto what = fails(*fitted);
      if (!what) return false;
      answer.verdict = Verdict::refuted;
      answer.counterexample = Counterexample{context.wordText(word, cycle), *what, *fitted};
      return true;
    };
    return realise(context.sourceWord(word), context.atoms(), static_cast<unsigned>(query_.relations.size()), {limits_.graphs}, take);
  }

  const QueryFile& query_;
  const Claim& claim_;
  const ProverLimits& limits_;
};

}  // namespace

Answer decide(const QueryFile& query, const Claim& claim, const ProverLimits& limits) {
  return Decision(query, claim, limits).run();
}

}  // namespace heddle::prove
