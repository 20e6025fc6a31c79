// Random queries: what the prover says is compared with what small graphs say.
//
// `proved` is wrong if one of the graphs contradicts it. `refuted` is wrong if the graph that comes with it does not,
// by an evaluation of the claim in the tests; so the two sides have only the evaluator in common, and verdicts_test.cpp
// tests that one, on executions whose verdicts are known.
#include <gtest/gtest.h>

#include "prove/random_graph.h"

namespace heddle::prove::testing {
namespace {

constexpr unsigned kShards = 8;
constexpr unsigned kInclusions = 2000;  // of each shard
constexpr unsigned kAssumed = 450;
constexpr unsigned kModels = 50;
constexpr unsigned kGraphs = 250;
const ProverLimits kLimits{.pairs = 1500, .words = 2, .graphs = 60, .pairsToRepeat = 0, .seconds = 0.2, .samples = 0};

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
    const std::string b = i % 2 == 0   ? relation(2)
                          : i % 4 == 1 ? "(" + a + " | " + relation(1) + ")"
                                       : "(" + relation(1) + " ; " + a + ")?";
    check(i % 3 == 0 ? "assert " + b + " <= " + a + "\n" : "assert " + a + " <= " + b + "\n", graphs_, kLimits, count_);
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
    check(text, graphs_, kLimits, count_);
  }
  EXPECT_GT(count_.proved, 0U);
  EXPECT_GT(count_.refuted, 0U);
}

TEST_P(RandomQueries, Models) {
  for (unsigned i = 0; i < kModels && !HasFatalFailure(); ++i) {
    check("model a\n" + randomModel(random_) + "end\nmodel b\n" + randomModel(random_) + "end\nassert a stronger b\n", graphs_,
          kLimits, count_);
  }
  EXPECT_GT(count_.proved, kModels / 50);
  EXPECT_GT(count_.refuted, kModels / 10);
}

INSTANTIATE_TEST_SUITE_P(Shards, RandomQueries, ::testing::Range(0U, kShards));

}  // namespace
}  // namespace heddle::prove::testing
