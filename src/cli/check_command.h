// `heddle check`.
#pragma once

#include "cli/options.h"
#include "parallel/checkpoint.h"

namespace heddle::cli {

// Returns the exit code. `resumed`: a checkpoint to go on from, or none.
int runCheckCommand(const Options& options, const parallel::Checkpoint* resumed = nullptr);

}  // namespace heddle::cli
