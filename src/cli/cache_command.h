// `heddle cache`.
#pragma once

#include "cli/options.h"

namespace heddle::cli {

// Returns the exit code.
int runCacheCommand(const Options& options);

}  // namespace heddle::cli
