// What no step down the tree takes away: events that were not added maximally, and what precedes them.
#pragma once

#include <vector>

#include "explore/observer.h"
#include "graph/graph.h"

namespace heddle::explore {

// A revisit deletes only what was added maximally (revisit.cpp). An event that was not so is final, and so is its porf-prefix: that
// it is there, what its reads read, and how its writes are ordered. `final`: the prefix of all of them.
void findFinalEvents(const Graph& graph, Equivalence equivalence, std::vector<Lane>& final);

}  // namespace heddle::explore
