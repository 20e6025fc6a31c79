// Random queries: what the prover says is compared with what small graphs say.
//
// `proved` is wrong if one of the graphs contradicts it. `refuted` is wrong if the graph that comes with it does not, by an
// evaluation of the claim here; so the two sides have only the evaluator in common, which graph_test.cpp tests by itself.
#include <gtest/gtest.h>

#include "prove/draw.h"
#include "prove/prover.h"
#include "prove/random_graph.h"

namespace heddle::prove::testing {
namespace {

constexpr unsigned kShards = 8;
constexpr unsigned kInclusions = 2000;  // of each shard
constexpr unsigned kAssumed = 450;
constexpr unsigned kModels = 150;
constexpr unsigned kGraphs = 250;
const ProverLimits kLimits{.pairs = 1500, .words = 2, .graphs = 60};

const View kView = View::plain({}, {});

bool contained(const Relation& a, const Relation& b) {
  for (unsigned e = 0; e < a.size(); ++e) {
    if ((a.row(e) & ~b.row(e)) != 0) return false;
  }
  return true;
}

bool assumptionHolds(const AssumeStatement& s, const Graph& graph) {
  const Relation left = evaluate(*s.left, graph, kView);
  if (s.kind == AssumeKind::irreflexive) return left.isIrreflexive();
  if (s.kind == AssumeKind::acyclic) return left.plus().isIrreflexive();
  return contained(left, evaluate(*s.right, graph, kView));
}

bool claimHolds(const QueryFile& query, const Claim& claim, const Graph& graph) {
  for (const AssumeStatement& s : query.assumptions) {
    if (!assumptionHolds(s, graph)) return true;
  }
  const auto consistent = [&](const std::string& name) {
    const auto& axioms = query.models.at(name).axioms;
    return std::all_of(axioms.begin(), axioms.end(), [&](const auto& a) { return holds(a, graph, kView); });
  };
  switch (claim.kind) {
    case ClaimKind::inclusion: return contained(evaluate(*claim.left, graph, kView), evaluate(*claim.right, graph, kView));
    case ClaimKind::irreflexive: return evaluate(*claim.left, graph, kView).isIrreflexive();
    case ClaimKind::stronger: return !consistent(claim.leftModel) || consistent(claim.rightModel);
    default: return true;
  }
}

struct Count {
  unsigned proved = 0;
  unsigned refuted = 0;
  unsigned undecided = 0;
};

void check(const std::string& text, const std::vector<Graph>& graphs, Count& count) {
  const QueryFile query = parseQuery(text, "random.prove");
  for (const Claim& claim : query.claims) {
    const Answer answer = decide(query, claim, kLimits);
    if (answer.verdict == Verdict::proved) {
      ++count.proved;
      for (const Graph& graph : graphs) ASSERT_TRUE(claimHolds(query, claim, graph)) << text << describe(graph);
    } else if (answer.verdict == Verdict::refuted) {
      ++count.refuted;
      ASSERT_FALSE(claimHolds(query, claim, answer.counterexample->graph)) << text << describe(answer.counterexample->graph);
    } else {
      ++count.undecided;
      ASSERT_FALSE(answer.reasons.empty()) << text;
    }
  }
}

class RandomQueries : public ::testing::TestWithParam<unsigned> {
 protected:
  RandomQueries() : random_(GetParam() * 7919 + 1) {
    for (unsigned i = 0; i < kGraphs; ++i) graphs_.push_back(randomGraph(random_));
  }
  std::string relation(unsigned depth) { return randomRelation(random_, depth); }

  Random random_;
  std::vector<Graph> graphs_;
  Count count_;
};

// Pairs that are related more often than two random ones: one side is made from the other.
TEST_P(RandomQueries, Inclusions) {
  for (unsigned i = 0; i < kInclusions && !HasFatalFailure(); ++i) {
    const std::string a = relation(1 + i % 3);
    const std::string b = i % 2 == 0 ? relation(2) : i % 4 == 1 ? "(" + a + " | " + relation(1) + ")" : "(" + relation(1) + " ; " + a + ")?";
    check(i % 3 == 0 ? "assert " + b + " <= " + a + "\n" : "assert " + a + " <= " + b + "\n", graphs_, count_);
  }
  EXPECT_GT(count_.proved, kInclusions / 10);
  EXPECT_GT(count_.refuted, kInclusions / 10);
}

TEST_P(RandomQueries, Assumptions) {
  for (unsigned i = 0; i < kAssumed && !HasFatalFailure(); ++i) {
    std::string text;
    switch (i % 5) {
      case 0: text = "assume " + relation(1) + " <= " + relation(0) + "\n"; break;
      case 1: text = "assume " + relation(1) + " <= (" + relation(0) + " ; " + relation(0) + ")\n"; break;
      case 2: text = "assume " + relation(1) + " <= 0\n"; break;
      case 3: text = "assume irreflexive " + relation(2) + "\nassume acyclic po-loc | rf | co | rb\n"; break;
      default: text = "assume " + relation(1) + " <= (" + relation(0) + " | " + relation(0) + ")\n"; break;
    }
    if (i % 2 == 0) {
      text += "assert irreflexive " + relation(2) + "\n";
    } else {
      text += "assert " + relation(2) + " <= " + relation(2) + "\n";
    }
    check(text, graphs_, count_);
  }
  EXPECT_GT(count_.proved, 0U);
  EXPECT_GT(count_.refuted, 0U);
}

TEST_P(RandomQueries, Models) {
  for (unsigned i = 0; i < kModels && !HasFatalFailure(); ++i) {
    check("model a\n" + randomModel(random_) + "end\nmodel b\n" + randomModel(random_) + "end\nassert a stronger b\n", graphs_, count_);
  }
  EXPECT_GT(count_.proved, kModels / 50);
  EXPECT_GT(count_.refuted, kModels / 10);
}

INSTANTIATE_TEST_SUITE_P(Shards, RandomQueries, ::testing::Range(0U, kShards));

}  // namespace
}  // namespace heddle::prove::testing
