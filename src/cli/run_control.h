// How an exploration is to be run, from what the command line says.
#pragma once

#include "cli/options.h"
#include "parallel/run.h"

namespace heddle::cli {

parallel::Control runControl(const Options& options);

}  // namespace heddle::cli
