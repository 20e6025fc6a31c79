// A check of a native program, as every way to print it starts from it: text, JSON, and graphs.
#pragma once

#include <string>
#include <vector>

#include "run/check_program.h"

namespace heddle::report {

using CheckVerdict = run::CheckResult::Verdict;

struct CheckReport {
  std::vector<std::string> files;
  std::string model;          // its name
  std::string modelFile;      // of a model that is not built in
  std::string persistency;    // empty: crashes were not explored
  bool dependencies = false;  // the model has them, so the verdict is about those of the source
  bool assumed = false;       // what the exploration needs of the model was assumed, not established
  explore::Equivalence equivalence = explore::Equivalence::co;
  bool symmetry = false;
  run::CheckResult result;
};

const char* name(CheckVerdict verdict);  // "verified", ...

// The execution of the error, or, if there is none, a title that says so.
trace::Execution shownExecution(const CheckReport& report);

}  // namespace heddle::report
