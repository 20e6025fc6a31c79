// Random small execution graphs and random queries: the brute force that the prover is tested against.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "prove/graph.h"
#include "prove/prover.h"

namespace heddle::prove::testing {

using Random = std::mt19937;

// Two to five events besides the initial writes, in up to three threads, on up to two locations; well formed, and else
// arbitrary: most violate coherence.
Graph randomGraph(Random& random);

// A relation as text, over all base relations and operators that the prover accepts.
std::string randomRelation(Random& random, unsigned depth);

// A few axioms as the body of a `model`.
std::string randomModel(Random& random);

// Does the claim hold in the graph? True if the graph is not one that the query's assumptions are about. With a mapping
// the graph is one of source events, and the fences are put in here.
bool claimHolds(const QueryFile& query, const Claim& claim, const Graph& graph);

struct Count {
  unsigned proved = 0;
  unsigned refuted = 0;
  unsigned undecided = 0;
};

// Decides the claims of a query file. Fails, as a test does, for a proof that one of the graphs contradicts and for a
// refutation whose graph does not contradict the claim.
void check(const std::string& text, const std::vector<Graph>& graphs, const ProverLimits& limits, Count& count);

}  // namespace heddle::prove::testing
