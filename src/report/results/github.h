// Results as commands of a GitHub workflow: a line that the service turns into an annotation of the source.
#pragma once

#include <span>
#include <string>

#include "report/results/result.h"

namespace heddle::report {

std::string github(std::span<const Result> results, const std::string& version);

}  // namespace heddle::report
