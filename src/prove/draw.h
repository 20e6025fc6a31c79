// Execution graphs for people: as text, a thread a column, and for Graphviz.
//
// The place of a write in the coherence order of its location serves as its value, so a read shows at a glance what it
// reads from. `relations` are the names of the declared relations of a query.
#pragma once

#include <string>
#include <vector>

#include "prove/graph.h"

namespace heddle::prove {

//     thread 0         thread 1
//     e0: W rlx x = 1  e2: W rlx y = 1
//     e1: R rlx y = 0  e3: R rlx x = 0
//     rf: init y -> e1, init x -> e3
std::string describe(const Graph& graph, const std::vector<std::string>& relations = {});

std::string dot(const Graph& graph, const std::vector<std::string>& relations = {});

}  // namespace heddle::prove
