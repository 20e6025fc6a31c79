// The results of checks and litmus tests, as those who collect results want them (results/result.h).
#pragma once

#include "report/check_report.h"
#include "report/json.h"
#include "report/results/result.h"
#include "report/text.h"

namespace heddle::report {

// `required`: the only verdict that is good enough; empty if any is that names no error.
Result resultOf(const CheckReport& report, const std::string& required);

// `failed`: a failed assertion, a race, a broken claim or a difference from what the test says about itself, unless it announces that.
Result resultOf(const Report& report, bool failed);

// Of a file that cannot be used.
Result resultOf(const std::string& command, const BadFile& bad);

// "the verdict is `bounded`, and `verified` is required"
std::string requirementText(const std::string& verdict, const std::string& required);

}  // namespace heddle::report
