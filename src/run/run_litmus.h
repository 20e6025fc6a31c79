// Runs a litmus test under a model and gathers the outcome.
//
// Under the rf equivalence a graph stands for all of its coherence orders, so where the final value of a location
// matters each graph is asked for every state that some order ends in: it counts as positive if the proposition holds in
// some of them and as negative if it does not in some.
#pragma once

#include "parallel/run.h"
#include "run/outcome.h"

namespace heddle::run {

// With hundreds of states nobody looks at each.
constexpr std::size_t kMostStatesShown = 200;

struct LitmusOptions {
  explore::Equivalence equivalence = explore::Equivalence::co;
  bool spurious = true;
  bool weakIsolation = false;       // ExploreOptions::weakIsolation
  std::uint32_t stale = 0;          // how often a thread may read an overwritten write; 0: any number of times
  std::uint64_t maxExecutions = 0;  // complete and blocked ones; 0 is no limit
  bool witness = false;             // keep the first execution that answers the test's question
  bool eachState = false;           // and the first of each final state, of the first kMostStatesShown
  parallel::Control control;        // one worker if there is such a limit: which executions come first is then fixed
};

// Throws LitmusError and ProgramError for a program that cannot be run. Running out of memory, or into a limit of the
// engine, ends in an outcome that is incomplete.
Outcome runLitmus(const litmus::Test& test, const model::CompiledModel& model, const LitmusOptions& options);

}  // namespace heddle::run
