// Executions on their way from one process to another, or to a checkpoint and back: as JSON that loses nothing. What --json
// prints is another thing (trace/formats/json.h).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "trace/execution.h"

namespace heddle::trace {

void to_json(nlohmann::json& json, const Execution& execution);
void from_json(const nlohmann::json& json, Execution& execution);

}  // namespace heddle::trace
