// A check as JSON: one object. docs/manual.md lists the fields.
#pragma once

#include <string>

#include "report/check_report.h"

namespace heddle::report {

std::string checkJson(const CheckReport& report);

// For input that cannot be checked: the same object, with nothing explored and an error of kind "bad-input".
std::string badInputJson(const CheckReport& report, const std::string& message);

}  // namespace heddle::report
