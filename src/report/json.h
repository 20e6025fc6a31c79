// Outcomes as JSON: one object, {"tests": [...]}, with an entry for each test and model, and one with a null name
// for each file that could not be run. docs/manual.md lists the fields.
#pragma once

#include <string>
#include <vector>

#include "report/text.h"

namespace heddle::report {

struct BadFile {
  std::string file, message;
};

// `error`: why nothing could be run at all; empty if something was.
std::string jsonText(const std::vector<Report>& reports, const std::vector<BadFile>& bad, const std::string& error);

}  // namespace heddle::report
