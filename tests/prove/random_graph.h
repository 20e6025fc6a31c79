// Random small execution graphs and random queries: the brute force that the prover is tested against.
#pragma once

#include <random>
#include <string>

#include "prove/graph.h"

namespace heddle::prove::testing {

using Random = std::mt19937;

// Two to five events besides the initial writes, in up to three threads, on up to two locations; well formed, and else
// arbitrary: most violate coherence.
Graph randomGraph(Random& random);

// A relation as text, over all base relations and operators that the prover accepts.
std::string randomRelation(Random& random, unsigned depth);

// A few axioms as the body of a `model`.
std::string randomModel(Random& random);

}  // namespace heddle::prove::testing
