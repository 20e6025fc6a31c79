// Why an execution is possible, and what would forbid it, in words and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "trace/execution.h"
#include "util/page.h"

namespace heddle::trace {

// Below the execution; empty if nothing is known.
std::string whyText(const Execution& execution, const util::Page& page);

// Adds "why".
void addWhy(const Execution& execution, nlohmann::ordered_json& object);

}  // namespace heddle::trace
