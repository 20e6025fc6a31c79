// `heddle test`: finds the tests in files and folders (suite/cases.h), runs several at once, each as a process of its own, and says
// which are not as expected.
#pragma once

#include "cli/options.h"

namespace heddle::cli {

int runTestCommand(const Options& options);

}  // namespace heddle::cli
