// `heddle check`.
#pragma once

#include <optional>
#include <string>

#include "cli/options.h"
#include "native/pipeline.h"
#include "parallel/checkpoint.h"
#include "run/check_program.h"

namespace heddle::cli {

// Returns the exit code. `resumed`: a checkpoint to go on from, or none.
// `cluster`: the machines that explore, if there are several.
int runCheckCommand(const Options& options, const parallel::Checkpoint* resumed = nullptr,
                    parallel::Cluster* cluster = nullptr);

// For several runs that share a program (test_group.h). What the program has to be built with; throws InputError of models.h or of
// native/pipeline.h.
native::BuildOptions buildOptionsOf(const Options& options);
// The rest of the command, with the program that was built so, which is gone afterwards.
int runBuiltCheck(const Options& options, std::optional<run::BuiltProgram>& program);
// The same for a program that cannot be built, and why.
int reportUnbuilt(const Options& options, const std::string& why);

}  // namespace heddle::cli
