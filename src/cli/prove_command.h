// `heddle prove`: claims about memory models.
#pragma once

#include "cli/options.h"

namespace heddle::cli {

int runProveCommand(const Options& options);

}  // namespace heddle::cli
