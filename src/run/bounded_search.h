// Errors of programs whose exploration does not end.
//
// A loop that goes round for ever and does not wait makes the first execution that comes to it too large. That is the end of the
// exploration, and of all the executions that would have come after it nothing is known. So the program is explored again with its
// loops cut after a few rounds, for a limited number of executions. An error that is found there is one of the program, as the
// thread that is cut is only blocked. If there is none, the run stays what it was, incomplete, and says how far this search came.
#pragma once

#include <optional>

#include "run/check_program.h"
#include "run/suggest.h"
#include "runtime/program_info.h"

namespace heddle::run {

// May the program have to be searched like this? Then it is compiled once more.
bool mayBeSearchedBounded(const CheckOptions& options, const runtime::ProgramInfo& info);

// `result`: of a run with these options, which may have become too large. If the search finds an error it becomes that of the search,
// and the options of that are returned.
std::optional<CheckOptions> searchBounded(const CheckOptions& options, const Checker& check, CheckResult& result);

}  // namespace heddle::run
