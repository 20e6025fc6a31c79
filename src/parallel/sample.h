// Spaces too large to finish: random executions, and an estimate of how many there are.
//
// Knuth ("Estimating the Efficiency of Backtrack Programs", 1975) goes down the tree at random: the product of the numbers of
// ways that he had is, on average, the number of leaves; but from one descent to the next it may differ by orders of
// magnitude. Chen ("Heuristic Sampling", 1992) goes down many ways at once. A sweep keeps a front of nodes, each standing for
// so many, which is its weight. It goes on from the shallowest one to all nodes right below, with its weight. When there are
// too many on a level two of them become one that stands for both: which one, is decided at random, in proportion to
// their weights. So the weights that full graphs are reached with add up, on average, to the number of executions, whichever
// nodes are merged; and the sum varies the less the more they are alike. Alike are nodes of a kind (explore/digest.h).
//
// An estimate is the mean of several sweeps, and its interval follows from how they differ; where a few rare ways lead to most
// executions it is too narrow, as any such interval must be. A sweep that merged nothing has seen everything.
//
// A random execution is one of a sweep's, taken in proportion to the weights, which is nearly, but not quite, as if each
// were as likely as any other.
#pragma once

#include <cstdint>
#include <functional>

#include "parallel/task.h"

namespace heddle::parallel {

struct Estimate {
  double executions = 0;     // blocked ones included
  double low = 0, high = 0;  // 95%
  std::uint64_t sweeps = 0;

  bool isKnown() const { return sweeps != 0; }
};

// Asked now and then: must it stop?
using MustStop = std::function<bool()>;

// So many random executions; fewer if the task has seen enough, or if it must stop. False: then there is an error.
bool sample(Task& task, std::uint64_t count, std::uint64_t seed, const MustStop& mustStop);

// Takes about so long, or so many sweeps. Not known if the first execution already ends the exploration. What the task has
// found is forgotten.
Estimate estimate(Task& task, std::uint64_t seed, double seconds, const MustStop& mustStop, std::uint64_t mostSweeps = 1000);

}  // namespace heddle::parallel
