#include "mixer/on_demand.h"

#include <fmt/format.h>

namespace heddle {

Statistics explorePart(Program& program, const model::CompiledModel& model, const ExploreOptions& options,
                       AnySizeObserver& observer, bool mixed, const Subtree& part, StopPoint& stop) {
  const auto run = [&](auto& explorer) {
    Statistics statistics;
    try {
      statistics = explorer.run(part);
    } catch (const Stopped& stopped) {
      stop.early = true;
      stop.here = stopped.rest;
      return statistics;
    } catch (const LimitError& error) {
      observer.tooLarge(explorer.graph(), error);
      throw;
    }
    if (!statistics.complete) stop.here = explorer.here();
    return statistics;
  };
  if (mixed) {
    MixedExplorer explorer(program, model, options, observer);
    observer.beginMixed(explorer);
    return run(explorer);
  }
  Explorer explorer(program, model, options, observer);
  observer.begin(explorer);
  return run(explorer);
}

void requireMixedSizes(const model::CompiledModel& model, const MixedSizes& mixed) {
  if (model.mixedSizes) return;
  throw ProgramError(
      fmt::format("mixed-size accesses: {}; the model {} does not say what that means (sc, tso, ra, "
                  "ra-msa, rc20 and rc11 do, and so does a model with the statement `mixed-sizes`)",
                  mixed.what(), model.name));
}

}  // namespace heddle
