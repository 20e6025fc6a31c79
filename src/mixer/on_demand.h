// Mixed sizes on demand: a program is explored as if it had none, until it shows that it has.
//
// Programs whose atomic accesses never overlap in part, nearly all of them, pay nothing for what is in this folder. At
// the first overlap the ordinary exploration ends (MixedSizes), and whoever runs it (run/mode.h) explores the program from
// the start with Mixer; only that exploration counts.
#pragma once

#include "explore/any_explorer.h"
#include "graph/graph.h"
#include "model/compile.h"

namespace heddle::mixer {

// Where an exploration was when it was stopped.
struct StopPoint {
  explore::Subtree here;
  bool early = false;  // by StopHere: in the middle of something
};

// What is taken for granted, so that the program can be explored in the simplest way.
struct Assumed {
  bool oneSize = true;          // no two accesses overlap in part
  bool noLoadBuffering = true;  // under models with dependencies: po | rf has no cycle
  bool noTransactions = true;
};

// Explores a part of the tree. Throws MixedSizes or LoadBuffering if something was wrongly assumed. Executions with mixed sizes
// are told apart by rf and co, whatever `options` say. `stop`: if it is not complete.
explore::Statistics explorePart(Program& program, const model::CompiledModel& model, const explore::ExploreOptions& options,
                                explore::Observer& observer, Assumed assumed, const explore::Subtree& part, StopPoint& stop);

// Throws LimitError if the exploration of transactions has no place for the model, or for what is asked for.
void requireTransactions(const model::CompiledModel& model, const explore::ExploreOptions& options,
                         const explore::Transactions& transaction);

// Throws ProgramError if the model does not say what mixed sizes mean.
void requireMixedSizes(const model::CompiledModel& model, const MixedSizes& mixed);

}  // namespace heddle::mixer
