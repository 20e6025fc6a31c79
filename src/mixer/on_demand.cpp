#include "mixer/on_demand.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "causal/causal_explorer.h"
#include "explore/explorer.h"
#include "mixer/mixed_explorer.h"
#include "mixer/transaction_explorer.h"
#include "model/library.h"

namespace heddle::mixer {

namespace {

// The halves of a read-modify-write of two instructions need not come together, and some instructions read without a register
// for it. Only src/causal has a place for these. A program may do so only where dependencies are asked for.
bool hasSpecialReads(Program& program) {
  program.trackDependencies();
  return std::ranges::any_of(program.operations(),
                             [](const Operation& operation) { return operation.isExclusive || operation.hidesRead; });
}

void refuseExclusives(const Program& program, const model::CompiledModel& model) {
  for (const Operation& operation : program.operations()) {
    if (!operation.isExclusive) continue;
    throw ProgramError(fmt::format("{}: load-exclusive and store-exclusive are not supported under {}, but under models with "
                                   "dependencies: armv8, power, riscv, imm",
                                   program.sourceText(operation.source), model.name));
  }
}

}  // namespace

explore::Statistics explorePart(Program& program, const model::CompiledModel& model, const explore::ExploreOptions& options,
                                explore::Observer& observer, Assumed assumed, const explore::Subtree& part, StopPoint& stop) {
  std::unique_ptr<explore::AnyExplorer> explorer;
  if (!model.hasDependencies) refuseExclusives(program, model);
  const bool simple = !model.hasDependencies || (assumed.noLoadBuffering && model.pathsInThread && !hasSpecialReads(program));
  if (!assumed.noTransactions) {
    explorer = std::make_unique<TransactionExplorer>(program, model, options, observer);
  } else if (!simple) {
    explorer = std::make_unique<causal::CausalExplorer>(program, model, options, observer);
  } else if (!assumed.oneSize) {
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
  observer.end(*explorer);
  return statistics;
}

void requireTransactions(const model::CompiledModel& model, const explore::ExploreOptions& options,
                         const explore::Transactions& transaction) {
  const auto refuse = [&](std::string_view what) {
    throw LimitError(fmt::format("{}; transactions are not supported yet {}", transaction.what(), what));
  };
  if (model.hasDependencies)
    refuse(fmt::format("under {}, as it has dependencies: choose sc, tso, ra, rc11 or rc20", model.name));
  if (!model.source || model.evaluated) refuse(fmt::format("under {}", model.name));
  if (options.judgesRaces) refuse("under lkmm");
  if (options.boundsLoads()) refuse(options.stale != 0 ? "with --stale" : "with --fair");
  if (options.recovery != nullptr) refuse("with --persistency");
}

void requireMixedSizes(const model::CompiledModel& model, const MixedSizes& mixed) {
  if (model.mixedSizes) return;
  std::vector<std::string_view> others;
  for (const model::BuiltinModel& other : model::builtinModels()) {
    if (model::compiledModel(other.name).mixedSizes) others.push_back(other.name);
  }
  const std::string_view last = others.back();
  others.pop_back();
  throw ProgramError(
      fmt::format("mixed-size accesses: {}; the model {} does not say what that means ({} and {} do, and so does "
                  "a model with the statement `mixed-sizes`)",
                  mixed.what(), model.name, fmt::join(others, ", "), last));
}

}  // namespace heddle::mixer
