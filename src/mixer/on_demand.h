// Mixed sizes on demand: a program is explored as if it had none, until it shows that it has.
//
// Programs whose atomic accesses never overlap in part, nearly all of them, pay nothing for what is in this folder. At
// the first overlap the ordinary exploration ends (MixedSizes) and the program is explored from the start with Mixer;
// only that exploration counts.
#pragma once

#include <string>

#include "explore/explorer.h"
#include "mixer/mixed_explorer.h"

namespace heddle {

// Sees an exploration in whichever mode it is.
class AnySizeObserver : public Observer, public MixedObserver {
 public:
  using MixedObserver::blocked;
  using MixedObserver::error;
  using MixedObserver::execution;
  using MixedObserver::race;
  using Observer::blocked;
  using Observer::error;
  using Observer::execution;
  using Observer::race;

  virtual void begin(Explorer&) {}
  // `why`: which accesses overlap, for people.
  virtual void beginMixed(MixedExplorer&, const std::string& why) = 0;
  // A limit of the exploration is exceeded; the error is on its way.
  virtual void tooLarge(const Graph&, const LimitError&) {}
  virtual void tooLarge(const MixedGraph&, const LimitError&) {}
};

// Where an exploration was when it was stopped.
struct StopPoint {
  Subtree here;
  bool early = false;  // by StopHere: in the middle of something
};

// Explores a part of the tree, in one mode or the other: mixed if `mixed` says why. Throws MixedSizes if it has to be the
// other one, which tells executions apart by rf and co, whatever `options` say. `stop`: if it is not complete.
Statistics explorePart(Program& program, const model::CompiledModel& model, const ExploreOptions& options,
                       AnySizeObserver& observer, const std::string& mixed, const Subtree& part, StopPoint& stop);

// Throws ProgramError if the model does not say what mixed sizes mean.
void requireMixedSizes(const model::CompiledModel& model, const MixedSizes& mixed);

// Explores everything, in the mode that it takes. What an observer has seen when it is told to begin mixed is void.
Statistics exploreOnDemand(Program& program, const model::CompiledModel& model, const ExploreOptions& options,
                           AnySizeObserver& observer);

}  // namespace heddle
