// How the program ends. docs/manual.md explains these to people.
#pragma once

namespace heddle::cli {

enum ExitCode : int {
  kNoError = 0,
  kErrorFound = 1,     // a failed assertion, a race, a broken claim, or an expectation that is not met
  kBadInput = 2,       // the command line, a file or a model cannot be used
  kIncomplete = 3,     // out of time or memory, at a limit, or interrupted
  kInternalError = 4,  // a bug
};

}  // namespace heddle::cli
