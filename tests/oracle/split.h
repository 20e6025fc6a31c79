// Explorations in parts: cut at random moments, the parts explored in a random order, each by an explorer of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "explore/explorer.h"

namespace heddle::oracle {

// Explores all parts with `explorePart`, which explores one with `options` (these get an attendant that cuts), adds
// what it finds to `keys`, and says whether there is a data race. Afterwards the keys are in the order of the parts in the
// tree, which should be that of an exploration as a whole.
bool exploreInParts(std::uint64_t seed, explore::ExploreOptions& options, std::vector<std::string>& keys,
                    const std::function<bool(const explore::Subtree&)>& explorePart);

}  // namespace heddle::oracle
