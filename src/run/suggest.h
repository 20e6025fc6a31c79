// --suggest: stronger memory orders with which a program verifies, found by exploring it again.
//
// Each failing execution says which changes would forbid it (why/remedies.h). The smallest change that forbids all that have been seen is
// made in the program, by the place in the source where an order is written, and the program is explored again. If it fails, that is one more
// execution to forbid; if it does not, the change is the answer. An execution that no order forbids ends the search.
#pragma once

#include <functional>
#include <vector>

#include "run/check_program.h"

namespace heddle::run {

using Checker = std::function<CheckResult(const CheckOptions&)>;

// `result`: of the program as it is. Its explanation gets the suggestion.
void suggestChanges(const CheckOptions& options, const Checker& check, CheckResult& result);

// For the compiler.
std::vector<native::OrderChange> changesOf(const std::vector<trace::Change>& changes);

}  // namespace heddle::run
