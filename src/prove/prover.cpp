#include "prove/prover.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <ctime>
#include <functional>
#include <set>
#include <stdexcept>

#include "model/cat.h"
#include "prove/claim_context.h"
#include "prove/mapping.h"
#include "prove/realise.h"
#include "prove/sample.h"
#include "prove/time_limit.h"
#include "util/page.h"

namespace heddle::prove {

namespace {

using model::CatError;

std::string unused(const std::string& assumption) { return fmt::format("`{}` was not needed", assumption); }

class Decision {
 public:
  Decision(const QueryFile& query, const Claim& claim, const ProverLimits& limits)
      : query_(query), claim_(claim), limits_(limits) {}

  Answer run() {
    Answer answer = decideClaim();
    if (answer.verdict == Verdict::refuted || !unused_) return answer;
    for (const std::string& text : *unused_) answer.warnings.push_back(unused(text));
    return answer;
  }

 private:
  Answer decideClaim() {
    switch (claim_.kind) {
      case ClaimKind::inclusion: return inclusion(claim_.left, claim_.right, "left");
      case ClaimKind::equality:
        return both(inclusion(claim_.left, claim_.right, "left"),
                    [&] { return inclusion(claim_.right, claim_.left, "right"); });
      case ClaimKind::irreflexive: return irreflexive(false);
      case ClaimKind::acyclic: return irreflexive(true);
      case ClaimKind::stronger: return stronger(claim_.leftModel, claim_.rightModel);
      case ClaimKind::equivalent:
        return both(stronger(claim_.leftModel, claim_.rightModel),
                    [&] { return stronger(claim_.rightModel, claim_.leftModel); });
    }
    return {};
  }

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

  // `side`: where the first one stands in the claim.
  Answer inclusion(const model::ExprPtr& left, const model::ExprPtr& right, const char* side) {
    ClaimContext context(query_, claim_, limits_);
    Answer answer;
    if (left->type == model::ExprType::set) return setInclusion(left, right, side);
    try {
      const KatPtr small = toKat(*left, context.vocabulary());
      const KatPtr large = toKat(*right, context.vocabulary());
      context.prepare({small, large});
      const InclusionResult result = context.included(small, large, limits_.words);
      // What is claimed to be empty is no surprise.
      const bool surprising = left->kind != model::ExprKind::empty && right->kind != model::ExprKind::empty;
      if (result.included && surprising) warnIfEmpty(answer, context, small);
      settle(answer, context, result, false, [&](const Graph& graph) -> std::optional<std::string> {
        const Relation a = evaluate(*left, graph, context.sourceView());
        const Relation b = evaluate(*right, graph, context.sourceView());
        for (unsigned e = 0; e < graph.size(); ++e) {
          for (unsigned f = 0; f < graph.size(); ++f) {
            if (a.has(e, f) && !b.has(e, f)) return fmt::format("e{} -> e{} is a pair of the {} side only", e, f, side);
          }
        }
        return std::nullopt;
      });
    } catch (const CatError& error) {
      answer.reasons.push_back(util::firstLine(error.what()));
    } catch (const std::length_error& error) {
      answer.reasons.push_back(error.what());
    }
    return answer;
  }

  Answer setInclusion(const model::ExprPtr& left, const model::ExprPtr& right, const char* side) {
    // [S] <= [T] is the same claim.
    const auto bracket = [](const model::ExprPtr& set) {
      return std::make_shared<const model::Expr>(
          model::Expr{model::ExprKind::bracket, model::ExprType::relation, "", 0, {set}, set->position});
    };
    return inclusion(bracket(left), bracket(right), side);
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
    if (answer.verdict == Verdict::undecided && query_.relations.empty() && query_.sets.empty()) {
      sample(answer, leftName, rightName);
    }
    if (right.axioms.empty()) {
      answer.warnings.push_back(fmt::format("model {} has no axiom: it allows everything", rightName));
    }
    // Of a declared relation little is known, and one graph says nothing about the others.
    if (answer.verdict == Verdict::proved && query_.relations.empty() && forbidsEverything(left)) {
      answer.warnings.push_back(fmt::format("vacuous: model {} forbids even an execution of one load and one store", leftName));
    }
    return answer;
  }

  // The words that no rule covers may be the wrong ones to build graphs of; random executions have another chance.
  void sample(Answer& answer, const std::string& leftName, const std::string& rightName) {
    constexpr std::clock_t kLongest = 2 * CLOCKS_PER_SEC;
    const model::Model& left = query_.models.at(leftName);
    const ClaimContext context(query_, claim_, limits_);
    std::string broken;  // an axiom of the right model
    const auto contradicts = [&](const Graph& source) {
      const auto graph = context.fit(source);
      if (!graph) return false;
      const auto& axioms = query_.models.at(rightName).axioms;
      const auto fails = std::find_if(axioms.begin(), axioms.end(), [&](const model::Axiom& a) {
        const bool meant =
            rightName != claim_.rightModel || std::count(claim_.without.begin(), claim_.without.end(), a.name) == 0;
        return meant && !holds(a, *graph, context.sourceView());
      });
      if (fails == axioms.end()) return false;
      broken = fails->name;
      return std::all_of(left.axioms.begin(), left.axioms.end(),
                         [&](const model::Axiom& a) { return holds(a, *graph, context.machineView()); });
    };
    SampledExecutions executions(1);
    const std::clock_t start = std::clock();
    for (unsigned i = 0; i < limits_.samples && std::clock() - start < kLongest; ++i) {
      const Graph found = executions.next();
      if (!contradicts(found)) continue;
      const Graph small = shrunk(found, contradicts);
      contradicts(small);  // for the name of the axiom
      answer.verdict = Verdict::refuted;
      answer.reasons.clear();
      answer.counterexample = Counterexample{
          "a random execution", fmt::format("axiom {} of {} fails here, and every axiom on the left holds", broken, rightName),
          inThreadOrder(*context.fit(small))};
      return;
    }
  }

  // A relaxed load and a relaxed store in two threads, of two locations: as good as nothing happens.
  bool forbidsEverything(const model::Model& model) const {
    Graph graph;
    const auto add = [&](unsigned eventClass, int thread, int location) {
      graph.events.push_back({cellOf(eventClass, false, 0), thread, location});
    };
    add(eventClass(EventKind::read, Order::relaxed, false), 0, 0);
    add(eventClass(EventKind::write, Order::relaxed, false), 1, 1);
    add(kInitialWriteClass, -1, 0);
    add(kInitialWriteClass, -1, 1);
    for (Relation* r : {&graph.po, &graph.rf, &graph.co, &graph.rmw, &graph.addr, &graph.data, &graph.ctrl}) {
      *r = Relation(graph.size());
    }
    graph.rf.add(2, 0);
    graph.co.add(3, 1);
    const View view = View::plain(query_.sets, {});
    return !std::all_of(model.axioms.begin(), model.axioms.end(), [&](const model::Axiom& a) { return holds(a, graph, view); });
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
      const bool cycle = !empty || atomic != nullptr;
      if (cycle && context.supposes(term)) {  // the same axiom
        answer.verdict = Verdict::proved;
        return term;
      }
      context.prepare({term});
      const InclusionResult result =
          cycle ? context.forbidden(term, limits_.words) : context.included(term, never(), limits_.words);
      if (result.included && owner.empty()) warnIfEmpty(answer, context, term);
      settle(answer, context, result, cycle, fails);
    } catch (const CatError& error) {
      answer.reasons.push_back(util::firstLine(error.what()));
    } catch (const std::length_error& error) {
      answer.reasons.push_back(error.what());
    } catch (const OutOfTime& error) {
      answer.reasons.push_back(error.what());
    }
    return term;
  }

  static void warnIfEmpty(Answer& answer, ClaimContext& context, const KatPtr& term) {
    if (!context.included(term, never(), 1).included) return;
    answer.warnings.emplace_back("vacuous: the left side is empty in every execution that is considered");
  }

  // ---- From a search to an answer

  void settle(Answer& answer, const ClaimContext& context, const InclusionResult& result, bool cycle,
              const std::function<std::optional<std::string>(const Graph&)>& fails) {
    answer.visited += result.visited;
    noteUnused(context.unusedAssumptions());
    if (result.included) {
      answer.verdict = Verdict::proved;
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

  // An assumption is used if one of the parts of the claim uses it.
  void noteUnused(const std::vector<std::string>& texts) {
    std::set<std::string> here(texts.begin(), texts.end());
    if (unused_) std::erase_if(here, [&](const std::string& text) { return unused_->count(text) == 0; });
    unused_ = std::move(here);
  }

  // co in a word may stand for rf ; rb (Theory::leftCycles), and the read may be what matters: the word with a seq_cst
  // read in place of each co.
  static std::vector<GuardedWord> withReads(const GuardedWord& word, const Atoms& atoms) {
    const Mask reads = atoms.mask(cellsOfClasses(ClassSet::of(eventClass(EventKind::read, Order::seq_cst, false))));
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
    const auto takeFitted = [&](const Graph& graph, unsigned choice) {
      auto fitted = context.fit(graph, choice);
      if (!fitted) return false;
      fitted = inThreadOrder(*fitted);
      const auto what = fails(*fitted);
      if (!what) return false;
      answer.verdict = Verdict::refuted;
      answer.counterexample = Counterexample{context.wordText(word, cycle), *what, *fitted};
      return true;
    };
    constexpr unsigned kChoices = 3;
    const unsigned choices = query_.relations.empty() ? 1 : kChoices;
    const auto take = [&](const Graph& graph) {
      for (unsigned choice = 0; choice < choices; ++choice) {
        if (takeFitted(graph, choice)) return true;
      }
      return false;
    };
    return realise(context.sourceWord(word), context.atoms(), static_cast<unsigned>(query_.relations.size()), {limits_.graphs},
                   take);
  }

  const QueryFile& query_;
  const Claim& claim_;
  const ProverLimits& limits_;
  std::optional<std::set<std::string>> unused_;
};

}  // namespace

namespace {

// An assumption without which the claim is proved all the same.
void findUnneeded(const QueryFile& query, const Claim& claim, const ProverLimits& limits, Answer& answer) {
  if (answer.verdict != Verdict::proved || answer.visited > limits.pairsToRepeat) return;
  for (std::size_t i = 0; i < claim.assumptions; ++i) {
    QueryFile fewer = query;
    fewer.assumptions.erase(fewer.assumptions.begin() + static_cast<std::ptrdiff_t>(i));
    Claim same = claim;
    --same.assumptions;
    const std::string warning = unused(query.assumptions[i].text);
    if (std::count(answer.warnings.begin(), answer.warnings.end(), warning) > 0) continue;
    if (Decision(fewer, same, limits).run().verdict == Verdict::proved) answer.warnings.push_back(warning);
  }
}

}  // namespace

Answer decide(const QueryFile& query, const Claim& claim, const ProverLimits& limits) {
  const TimeLimit limit(limits.seconds);
  Answer answer;
  try {
    answer = Decision(query, claim, limits).run();
    findUnneeded(query, claim, limits, answer);
  } catch (const OutOfTime& error) {
    if (answer.verdict == Verdict::undecided) answer.reasons.emplace_back(error.what());
  }
  return answer;
}

}  // namespace heddle::prove
