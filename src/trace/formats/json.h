// An execution as JSON; docs/manual.md lists the fields.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "trace/execution.h"

namespace heddle::trace {

// Adds "threads", the names, "trace", the events, and "why" if that is known.
void addTrace(const Execution& execution, nlohmann::ordered_json& object);

nlohmann::ordered_json errorJson(const Error& error);

}  // namespace heddle::trace
