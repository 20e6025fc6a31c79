// What a claim means, evaluated in one graph, and the comparison of the prover's answers with that.
//
// The two sides have only the evaluator of expressions in common (src/prove/graph.h). What assumptions, models and
// mappings mean is written down here once more, from their definitions.
#include <gtest/gtest.h>

#include <algorithm>

#include "prove/mapping.h"
#include "prove/random_graph.h"
#include "prove/shown.h"

namespace heddle::prove::testing {

namespace {

bool contained(const Relation& a, const Relation& b) {
  for (unsigned e = 0; e < a.size(); ++e) {
    if ((a.row(e) & ~b.row(e)) != 0) return false;
  }
  return true;
}

bool isTotal(const Relation& order, std::uint64_t on) {
  if (!order.isIrreflexive() || !contained(order.then(order), order)) return false;
  for (unsigned a = 0; a < order.size(); ++a) {
    for (unsigned b = 0; b < order.size(); ++b) {
      const bool both = (on >> a & 1) != 0 && (on >> b & 1) != 0;
      if (order.has(a, b) && !both) return false;
      if (both && a != b && !order.has(a, b) && !order.has(b, a)) return false;
    }
  }
  return true;
}

bool assumptionHolds(const AssumeStatement& s, const Graph& graph, const View& view) {
  if (s.left->type == model::ExprType::set) {
    const std::uint64_t left = evaluateSet(*s.left, graph, view);
    const std::uint64_t right = evaluateSet(*s.right, graph, view);
    return s.kind == AssumeKind::equality ? left == right : (left & ~right) == 0;
  }
  const Relation left = evaluate(*s.left, graph, view);
  switch (s.kind) {
    case AssumeKind::inclusion: return contained(left, evaluate(*s.right, graph, view));
    case AssumeKind::equality: return left == evaluate(*s.right, graph, view);
    case AssumeKind::transitive: return contained(left.then(left), left);
    case AssumeKind::total: return isTotal(left, evaluateSet(*s.right, graph, view));
    case AssumeKind::irreflexive: return left.isIrreflexive();
    case AssumeKind::acyclic: return left.plus().isIrreflexive();
  }
  return false;
}

bool consistent(const model::Model& model, const Graph& graph, const View& view) {
  return std::all_of(model.axioms.begin(), model.axioms.end(),
                     [&](const model::Axiom& axiom) { return holds(axiom, graph, view); });
}

bool hasInserted(const Graph& graph) {
  return std::any_of(graph.events.begin(), graph.events.end(), [](const GraphEvent& e) { return isInserted(e.cell); });
}

}  // namespace

bool claimHolds(const QueryFile& query, const Claim& claim, const Graph& graph) {
  View source = View::plain(query.sets, query.relations);
  for (std::size_t i = 0; i < claim.assumptions; ++i) {
    if (!assumptionHolds(query.assumptions[i], graph, source)) return true;
  }
  View machine = source;
  Graph compiled = graph;
  if (!claim.mapping.empty()) {
    const CompiledMapping mapping = compileMapping(query.mappings.at(claim.mapping));
    if (!hasInserted(graph)) compiled = insertFences(graph, mapping);
    machine.classes = mapping.image;
    source.inserted = false;
  }
  switch (claim.kind) {
    case ClaimKind::inclusion:
      if (claim.left->type == model::ExprType::set) {
        return (evaluateSet(*claim.left, graph, source) & ~evaluateSet(*claim.right, graph, source)) == 0;
      }
      return contained(evaluate(*claim.left, graph, source), evaluate(*claim.right, graph, source));
    case ClaimKind::equality: return evaluate(*claim.left, graph, source) == evaluate(*claim.right, graph, source);
    case ClaimKind::irreflexive: return evaluate(*claim.left, graph, source).isIrreflexive();
    case ClaimKind::acyclic: return evaluate(*claim.left, graph, source).plus().isIrreflexive();
    case ClaimKind::stronger:
    case ClaimKind::equivalent: break;
  }
  const bool left = consistent(query.models.at(claim.leftModel), compiled, machine);
  const bool right = consistent(query.models.at(claim.rightModel), compiled, source);
  return claim.kind == ClaimKind::stronger ? !left || right : left == right;
}

void check(const std::string& text, const std::vector<Graph>& graphs, const ProverLimits& limits, Count& count) {
  const QueryFile query = parseQuery(text, "random.prove");
  for (const Claim& claim : query.claims) {
    const Answer answer = decide(query, claim, limits);
    if (answer.verdict == Verdict::proved) {
      ++count.proved;
      for (const Graph& graph : graphs) {
        ASSERT_TRUE(claimHolds(query, claim, graph)) << text << shown(graph, query.relations);
      }
    } else if (answer.verdict == Verdict::refuted) {
      ++count.refuted;
      const Graph& graph = answer.counterexample->graph;
      ASSERT_FALSE(claimHolds(query, claim, graph)) << text << shown(graph, query.relations);
    } else {
      ++count.undecided;
      ASSERT_FALSE(answer.reasons.empty()) << text;
    }
  }
}

}  // namespace heddle::prove::testing
