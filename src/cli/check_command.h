// `heddle check`.
#pragma once

#include "cli/options.h"

namespace heddle::cli {

// Returns the exit code.
int runCheckCommand(const Options& options);

}  // namespace heddle::cli
