// `heddle litmus`.
#pragma once

#include "cli/options.h"

namespace heddle::cli {

// Returns the exit code.
int runLitmusCommand(const Options& options);

}  // namespace heddle::cli
