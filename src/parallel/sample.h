// Spaces too large to finish: random executions, and an estimate of how many there are.
//
// A descent takes a random way down the tree. The product of the numbers of ways that it had is, on average, the number of
// executions (Knuth, "Estimating the Efficiency of Backtrack Programs", 1975), but from one descent to the next it may
// differ by orders of magnitude. So the tree is cut into strata, the subtrees below its first choices; each is estimated by
// itself, and most descents go to those that vary most (Neyman 1934). The interval says how far off the estimate is likely
// to be; where a few rare ways lead to most executions it is too narrow, as any such interval must be.
#pragma once

#include <cstdint>

#include "parallel/task.h"

namespace heddle::parallel {

struct Estimate {
  double executions = 0;        // blocked ones included
  double low = 0, high = 0;     // 95%
  std::uint64_t descents = 0;

  bool isKnown() const { return descents != 0; }
};

// So many random executions; fewer if the task has seen enough. False: then there is an error.
bool sample(Task& task, std::uint64_t count, std::uint64_t seed);

// Takes at most so long and so many descents. Not known if the first execution already ends the exploration. What the task has found is
// forgotten.
Estimate estimate(Task& task, std::uint64_t seed, double seconds, std::uint64_t mostDescents = 200'000);

}  // namespace heddle::parallel
