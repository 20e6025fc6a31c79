// Results in SARIF 2.1.0 (OASIS), the format of static analysis tools. What has failed is a result; what could not be decided is a
// notification. The execution of an error is a code flow, with a thread flow for each thread.
#pragma once

#include <span>
#include <string>

#include "report/results/result.h"

namespace heddle::report {

std::string sarif(std::span<const Result> results, const std::string& version);

}  // namespace heddle::report
