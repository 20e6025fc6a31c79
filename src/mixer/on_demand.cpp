#include "mixer/on_demand.h"

#include <fmt/format.h>

namespace heddle {

Statistics exploreOnDemand(Program& program, const model::CompiledModel& model, const ExploreOptions& options,
                           AnySizeObserver& observer) {
  std::string why;
  try {
    Explorer explorer(program, model, options, observer);
    observer.begin(explorer);
    return explorer.run();
  } catch (const MixedSizes& mixed) {
    if (!model.mixedSizes) {
      throw ProgramError(
          fmt::format("mixed-size accesses: {}; the model {} does not say what that means (sc, tso, ra, "
                      "ra-msa and rc11 do, and so does a model with the statement `mixed-sizes`)",
                      mixed.what(), model.name));
    }
    why = mixed.what();
  }
  MixedExplorer explorer(program, model, options, observer);
  observer.beginMixed(explorer, why);
  return explorer.run();
}

}  // namespace heddle
