#include "prove/insert_fence.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <optional>
#include <stdexcept>

#include "model/cat.h"
#include "model/regex.h"
#include "prove/claim_context.h"
#include "prove/mapping.h"
#include "prove/realise.h"
#include "prove/sample.h"
#include "prove/time_limit.h"

namespace heddle::prove {

namespace {

using model::Axiom;
using model::AxiomKind;
using model::Expr;
using model::ExprKind;
using model::ExprPtr;
using model::ExprType;

// ---- Expressions

ExprPtr make(ExprKind kind, ExprType type, std::vector<ExprPtr> args, const std::string& name = "") {
  return std::make_shared<const Expr>(Expr{kind, type, name, 0, std::move(args), {}});
}

ExprPtr withArguments(const Expr& expr, std::vector<ExprPtr> args) {
  Expr result = expr;
  result.args = std::move(args);
  return std::make_shared<const Expr>(std::move(result));
}

// [events] ; relation ; [events]
ExprPtr between(const ExprPtr& events, const ExprPtr& relation) {
  const ExprPtr end = make(ExprKind::bracket, ExprType::relation, {events});
  return make(ExprKind::sequence, ExprType::relation, {end, relation, end});
}

// The relation on these events alone. Only `po` and `ctrl` can relate a fence to anything.
ExprPtr onlyThrough(const ExprPtr& events, const ExprPtr& relation) {
  if (relation->type == ExprType::set) return relation;
  if (isBase(*relation, "po") || isBase(*relation, "ctrl")) return between(events, relation);
  std::vector<ExprPtr> args;
  for (const ExprPtr& arg : relation->args) args.push_back(onlyThrough(events, arg));
  return withArguments(*relation, std::move(args));
}

// A relation that has all pairs of this one and is, if possible, one whose words can be listed: nothing is subtracted,
// and of relations that are intersected the first is left. What filters by location or thread stays.
ExprPtr enlarged(const ExprPtr& relation) {
  if (relation->type == ExprType::set) return relation;
  if (relation->kind == ExprKind::subtract && !model::filterOf(*relation->args[1], true)) return enlarged(relation->args[0]);
  std::vector<ExprPtr> args;
  bool hasFirst = false;
  for (const ExprPtr& arg : relation->args) {
    if (relation->kind == ExprKind::intersect) {
      const bool filters = model::filterOf(*arg, false).has_value();
      if (hasFirst && !filters) continue;
      hasFirst |= !filters;
    }
    args.push_back(enlarged(arg));
  }
  return relation->kind == ExprKind::intersect && args.size() == 1 ? args[0] : withArguments(*relation, std::move(args));
}

// The set of the events of one order, as the language of models names it.
std::string setOf(Order order) {
  switch (order) {
    case Order::acquire: return "ACQ";
    case Order::release: return "REL";
    case Order::acq_rel: return "ACQ_REL";
    case Order::seq_cst: return "SC";
    default: throw std::invalid_argument("no fence has this order");
  }
}

class FenceInsertion {
 public:
  FenceInsertion(const model::Model& model, Order order, const ProverLimits& limits)
      : model_(model), order_(order), limits_(limits) {
    query_.sets = {"inserted"};
    std::vector<ExprPtr> sets;
    for (const std::string& name : {query_.sets[0], std::string("F"), setOf(order)}) {
      sets.push_back(make(ExprKind::base, ExprType::set, {}, name));
    }
    const ExprPtr fences = make(ExprKind::intersect, ExprType::set, std::move(sets));
    others_ = make(ExprKind::complement, ExprType::set, {fences});
    without_.inserted = false;
  }

  Answer run() {
    const TimeLimit limit(limits_.seconds);
    try {
      search();
    } catch (const OutOfTime& error) {
      answer_.reasons.emplace_back(error.what());
    }
    return answer_;
  }

 private:
  void search() {
    model::Model sure = model_;  // with the axioms only whose relations keep their pairs
    sure.axioms.clear();
    std::vector<const Axiom*> doubtful;
    for (const Axiom& axiom : model_.axioms) {
      if (keeps(*axiom.expr)) {
        sure.axioms.push_back(axiom);
      } else {
        doubtful.push_back(&axiom);
      }
    }
    if (doubtful.empty()) {
      answer_.verdict = Verdict::proved;
      return;
    }
    for (const Axiom* axiom : doubtful) {
      answer_.reasons.push_back(
          fmt::format("axiom {} may lose pairs by the fence, but no execution was found in which it matters", axiom->name));
    }
    for (const Axiom* axiom : doubtful) {
      if (refuteByWords(*axiom, sure)) return;
    }
    refuteByChance();
  }

  // ---- With the fence or without it

  // Is every pair of the relation without the fence one with the fence? A set is kept in any case: whether an event is a
  // member depends on nothing else. A recursion is kept if its body is when its variables are.
  bool keeps(const Expr& relation) {
    if (relation.type == ExprType::set) return true;
    switch (relation.kind) {
      case ExprKind::subtract: return keeps(*relation.args[0]) && !mayGain(*relation.args[1]);
      case ExprKind::complement: return !mayGain(*relation.args[0]);
      default: return std::all_of(relation.args.begin(), relation.args.end(), [&](const ExprPtr& arg) { return keeps(*arg); });
    }
  }

  // Can there be a pair of events other than the fence that is in the relation only with the fence?
  bool mayGain(const Expr& relation) {
    if (relation.type == ExprType::set) return false;
    switch (relation.kind) {
      case ExprKind::base:
      case ExprKind::empty:
      case ExprKind::bracket:
      case ExprKind::domain:
      case ExprKind::range:
      case ExprKind::product: return false;
      case ExprKind::unite:
      case ExprKind::intersect:
      case ExprKind::inverse:
      case ExprKind::optional:
        return std::any_of(relation.args.begin(), relation.args.end(), [&](const ExprPtr& arg) { return mayGain(*arg); });
      case ExprKind::subtract: return mayGain(*relation.args[0]) || !keeps(*relation.args[1]);
      case ExprKind::complement: return !keeps(*relation.args[0]);
      case ExprKind::variable: return true;
      case ExprKind::sequence:
      case ExprKind::plus:
      case ExprKind::star:
      case ExprKind::recursion: return !passesWithout(relation);
    }
    return true;
  }

  // Is every word of the relation that passes through inserted fences one that need not? (Then one fence more makes no
  // difference to it, and so any number of them.)
  bool passesWithout(const Expr& relation) {
    const ExprPtr whole = std::make_shared<const Expr>(relation);
    const Claim claim{
        .kind = ClaimKind::inclusion, .left = between(others_, whole), .right = between(others_, onlyThrough(others_, whole))};
    return decide(query_, claim, limits_).verdict == Verdict::proved;
  }

  // ---- Counterexamples

  // The first axiom of the model that fails, or nullptr.
  const Axiom* broken(const Graph& graph, const View& view) const {
    const auto fails = std::find_if(model_.axioms.begin(), model_.axioms.end(),
                                    [&](const Axiom& axiom) { return !holds(axiom, graph, view); });
    return fails == model_.axioms.end() ? nullptr : &*fails;
  }

  bool onlyConsistentWithFence(const Graph& graph) const {
    return broken(graph, without_) != nullptr && broken(graph, with_) == nullptr;
  }

  // The graph with a fence right before event b. What a read controls includes all that comes later.
  Graph withFence(const Graph& graph, unsigned b) const {
    Graph result = insertBefore(graph, b, cellOf(eventClass(EventKind::fence, order_, false), true, 0));
    for (unsigned fence = 0; fence < result.size(); ++fence) {
      if (!isInserted(result.events[fence].cell)) continue;
      for (unsigned read = 0; read < result.size(); ++read) {
        if (result.ctrl.then(result.po).has(read, fence)) result.ctrl.add(read, fence);
      }
    }
    return result;
  }

  // The graph, which is not consistent, with a fence that makes it so.
  std::optional<Graph> madeConsistent(const Graph& graph) const {
    TimeLimit::check();
    if (broken(graph, with_) == nullptr || graph.size() == kMostEvents) return std::nullopt;
    for (unsigned b = 0; b < graph.size(); ++b) {
      if (graph.events[b].thread < 0) continue;
      if (Graph fenced = withFence(graph, b); onlyConsistentWithFence(fenced)) return fenced;
    }
    return std::nullopt;
  }

  void refute(const Graph& graph, const std::string& word) {
    const std::string what =
        fmt::format("axiom {} fails without the inserted fence, and every axiom holds with it", broken(graph, without_)->name);
    answer_.verdict = Verdict::refuted;
    answer_.reasons.clear();
    answer_.counterexample = Counterexample{word, what, inThreadOrder(graph)};
  }

  // Executions made of the words of an axiom that the others do not forbid.
  bool refuteByWords(const Axiom& axiom, const model::Model& others) {
    const QueryFile query;
    const Claim claim{.kind = ClaimKind::stronger};
    try {
      ClaimContext context(query, claim, limits_);
      context.suppose(others, model_.name);
      const KatPtr relation = toKat(*enlarged(axiom.expr), context.vocabulary());
      const KatPtr words = axiom.kind == AxiomKind::acyclic ? plus(relation) : relation;
      const bool cycles = axiom.kind != AxiomKind::empty;
      context.prepare({words});
      const InclusionResult result =
          cycles ? context.forbidden(words, limits_.words) : context.included(words, never(), limits_.words);
      return std::any_of(result.missing.begin(), result.missing.end(), [&](const GuardedWord& word) {
        const auto take = [&](const Graph& graph) {
          const auto fenced = madeConsistent(graph);
          if (fenced) refute(*fenced, context.wordText(word, cycles));
          return fenced.has_value();
        };
        return realise(word, context.atoms(), 0, {limits_.graphs}, take);
      });
    } catch (const model::CatError&) {
      return false;  // its words cannot be listed
    } catch (const std::length_error&) {
      return false;
    }
  }

  void refuteByChance() {
    constexpr std::clock_t kLongest = CLOCKS_PER_SEC;
    SampledExecutions executions(1);
    const std::clock_t start = std::clock();
    for (unsigned i = 0; i < limits_.samples && std::clock() - start < kLongest; ++i) {
      const auto fenced = madeConsistent(executions.next());
      if (!fenced) continue;
      refute(shrunk(*fenced, [&](const Graph& graph) { return onlyConsistentWithFence(graph); }), "a random execution");
      return;
    }
  }

  const model::Model& model_;
  const Order order_;
  const ProverLimits& limits_;
  QueryFile query_;  // has a set of inserted events
  ExprPtr others_;   // the events that are no inserted fence of this order
  View with_ = View::plain({}, {});
  View without_ = View::plain({}, {});
  Answer answer_;
};

}  // namespace

Answer mayInsertFence(const model::Model& model, Order order, const ProverLimits& limits) {
  return FenceInsertion(model, order, limits).run();
}

}  // namespace heddle::prove
