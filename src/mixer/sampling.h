// The tree of an exploration of whichever mode, node by node, for an attendant that ends the exploration afterwards
// (explore/exploration.h).
#pragma once

#include "explore/exploration.h"

namespace heddle {

// Goes to the node, shows the nodes right below, and says whether its graph is full.
bool expand(Divisible& exploration, const Node& node, const NodeVisitor& child);

// Shows the observer the full graph that the node is, and says whether it has seen enough.
bool report(Divisible& exploration, const Node& node);

}  // namespace heddle
