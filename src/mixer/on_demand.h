// Mixed sizes on demand: a program is explored as if it had none, until it shows that it has.
//
// Programs whose atomic accesses never overlap in part, nearly all of them, pay nothing for what is in this folder. At
// the first overlap the ordinary exploration ends and the program is explored from the start with Mixer; only that
// exploration counts.
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
  // All that was seen is void. `why`: which accesses overlap, for people.
  virtual void beginMixed(MixedExplorer&, const std::string& why) = 0;
};

// Explores the program. Throws ProgramError if it has mixed sizes and the model does not say what they mean. The mixed
// exploration tells executions apart by rf and co, whatever `options` say.
Statistics exploreOnDemand(Program& program, const model::CompiledModel& model, const ExploreOptions& options,
                           AnySizeObserver& observer);

}  // namespace heddle
