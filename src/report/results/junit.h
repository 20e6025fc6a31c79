// Results in the XML of JUnit, as Jenkins, GitLab and others read it: a test suite for each command and file, a test case for each result.
#pragma once

#include <span>
#include <string>

#include "report/results/result.h"

namespace heddle::report {

std::string junit(std::span<const Result> results, const std::string& version);

}  // namespace heddle::report
