// Random programs with crashes through the explorers and through the oracle.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "oracle/persist_oracle.h"

namespace heddle::oracle {

enum class PersistWay {
  whole,          // an exploration as a whole
  parts,          // in parts, which are cut at random
  mixed,          // by the explorer for mixed sizes
  withoutFutile,  // as a whole, without reads that block their thread for good though there is something newer to read
};

// One key for each execution, in the order in which they are found.
std::vector<std::string> exploredPersistKeys(const PersistTest& test, PersistModel model, PersistWay way, std::uint64_t seed);

// What is different about the program of a seed, for people; nothing if all is well.
std::optional<std::string> comparePersistency(std::uint64_t seed, std::size_t& executions);

}  // namespace heddle::oracle
