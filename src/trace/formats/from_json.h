// An execution from its JSON (json.h): for those who run heddle as a program and want to show what it found.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "trace/execution.h"

namespace heddle::trace {

// What addTrace and errorJson have put into the object, as far as JSON has it. `title` of the error is its kind.
Execution executionFromJson(const nlohmann::json& object);

}  // namespace heddle::trace
