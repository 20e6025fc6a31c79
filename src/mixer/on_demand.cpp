#include "mixer/on_demand.h"

#include <fmt/format.h>

#include <memory>

#include "explore/explorer.h"
#include "mixer/mixed_explorer.h"

namespace heddle::mixer {

explore::Statistics explorePart(Program& program, const model::CompiledModel& model, const explore::ExploreOptions& options,
                                explore::Observer& observer, bool mixed, const explore::Subtree& part, StopPoint& stop) {
  std::unique_ptr<explore::AnyExplorer> explorer;
  if (mixed) {
    explorer = std::make_unique<MixedExplorer>(program, model, options, observer);
  } else {
    explorer = std::make_unique<explore::Explorer>(program, model, options, observer);
  }
  observer.begin(*explorer);
  explore::Statistics statistics;
  try {
    statistics = explorer->run(part);
  } catch (const explore::Stopped& stopped) {
    stop.early = true;
    stop.here = stopped.rest;
    return statistics;
  } catch (const LimitError& error) {
    observer.tooLarge(explorer->execution(), error);
    throw;
  }
  if (!statistics.complete) stop.here = explorer->here();
  return statistics;
}

void requireMixedSizes(const model::CompiledModel& model, const MixedSizes& mixed) {
  if (model.mixedSizes) return;
  throw ProgramError(fmt::format("mixed-size accesses: {}; the model {} does not say what that means (sc, tso, ra, "
                                 "ra-msa, rc20 and rc11 do, and so does a model with the statement `mixed-sizes`)",
                                 mixed.what(), model.name));
}

}  // namespace heddle::mixer
