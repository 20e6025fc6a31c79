// From a word to the execution graphs that contain it.
//
// A word that no rule covers is only a suspicion. Its events and steps are put into a graph: steps of program order and
// internal steps put events into one thread, external ones into different threads, communication into one location.
// What the word leaves open (the order within a thread, coherence, what the other reads read) is then chosen in every
// possible way, up to a bound, and each graph that is well formed is offered to the caller, who evaluates the claim in
// it.
#pragma once

#include <functional>

#include "prove/graph.h"
#include "prove/inclusion.h"

namespace heddle::prove {

struct RealiseLimits {
  std::size_t graphs = 4000;
};

// Offers graphs until one is taken; true then.
bool realise(const GuardedWord& word, const Atoms& atoms, unsigned declaredRelations, const RealiseLimits& limits,
             const std::function<bool(const Graph&)>& take);

}  // namespace heddle::prove
