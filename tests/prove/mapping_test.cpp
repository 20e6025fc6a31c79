// Random compilation schemes between random models: none is proved that a random execution shows to be wrong.
#include <gtest/gtest.h>

#include "prove/random_graph.h"

namespace heddle::prove::testing {
namespace {

constexpr unsigned kShards = 2;
constexpr unsigned kQueries = 20;  // of each shard
constexpr unsigned kGraphs = 1500;
const ProverLimits kLimits{.pairs = 300, .words = 2, .graphs = 60, .pairsToRepeat = 0, .seconds = 0.2, .samples = 0};

unsigned below(Random& random, unsigned n) { return static_cast<unsigned>(random() % n); }

std::string randomMapping(Random& random) {
  static const char* const kRows[] = {
      "  R & SC -> F & SC ; R\n",
      "  R & SC -> R ; F & ACQ_REL\n",
      "  R & RMW & SC -> F & SC ; R\n",
      "  W & RMW -> W ; F & SC\n",
      "  W & RMW & (REL | ACQ_REL | SC) -> F & ACQ_REL ; W ; F & SC\n",
      "  W & SC -> W & SC ; F & SC\n",
      "  W & SC -> F & SC ; W\n",
      "  W & REL -> F & ACQ_REL ; W & RLX\n",
      "  W -> F & SC ; W\n",
      "  R & ACQ -> R ; F & ACQ_REL\n",
      "  R -> R & ACQ\n",
      "  F -> skip\n",
      "  F & SC -> F & SC\n",
      "  F & ACQ -> F & SC\n",
  };
  std::string text = "mapping scheme\n";
  const unsigned rows = 1 + below(random, 4);
  for (unsigned i = 0; i < rows; ++i) text += kRows[below(random, std::size(kRows))];
  return text + "end\n";
}

// Axioms whose verdict depends on fences and orders; the machine's model always has coherence.
std::string randomAxioms(Random& random, bool machine) {
  static const char* const kAxioms[] = {
      "  acyclic rfe | coe | rbe | po ; [F & SC] ; po\n",
      "  acyclic [R] ; po | po ; [W] | rfe | co | rb | po ; [F & SC] ; po\n",
      "  acyclic [SC] ; (po | (po ; (rf | co | rb)+ ; po)) ; [SC]\n",
      "  acyclic [F & SC] ; po ; (rf | co | rb)+ ; po ; [F & SC]\n",
      "  acyclic [R & ACQ] ; po | po ; [W & REL] | rfe | po ; [F & (ACQ_REL | SC)] ; po\n",
      "  acyclic po | rf | co | rb\n",
      "  acyclic po | rf\n",
      "  empty rmw & (rb ; co)\n",
      "  irreflexive rbe ; (po ; [F] ; po | po ; [RMW] ; po?)\n",
      "  acyclic rfe | rbe | coe | po ; [RMW] | [RMW] ; po\n",
      "  acyclic [R | F & SC | W & RMW] ; po | po ; [W | F & SC] | rfe | co | rb\n",
      "  acyclic [SC] ; (po | ((po | rfe)+ & loc) | co | rb) ; [SC]\n",
      "  irreflexive (po | rfe)+ ; (rf | co | rb)+\n",
      "  irreflexive co ; ((po | rf)+ & loc)\n",
      "  irreflexive [F & SC] ; po ; ((po | rfe)+ & loc) ; rbe ; po\n",
  };
  std::string text = machine ? "  irreflexive po ; (rf | co | rb)+\n" : "";
  const unsigned count = 1 + below(random, 2);
  for (unsigned i = 0; i < count; ++i) text += kAxioms[below(random, std::size(kAxioms))];
  return text;
}

class RandomMappings : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomMappings, NeverProvedWrongly) {
  Random random(GetParam() * 31 + 5);
  std::vector<Graph> graphs;
  for (unsigned i = 0; i < kGraphs; ++i) graphs.push_back(randomGraph(random));
  Count count;
  for (unsigned i = 0; i < kQueries && !HasFatalFailure(); ++i) {
    check("model machine\n" + randomAxioms(random, true) + "end\nmodel language\n" + randomAxioms(random, false) + "end\n" +
              randomMapping(random) + "assert machine stronger language by scheme\n",
          graphs, kLimits, count);
  }
  EXPECT_GT(count.proved, 0U) << count.refuted << " refuted, " << count.undecided << " undecided";
}

INSTANTIATE_TEST_SUITE_P(Shards, RandomMappings, ::testing::Range(0U, kShards));

}  // namespace
}  // namespace heddle::prove::testing
