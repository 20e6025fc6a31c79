// An execution graph as text, for messages of failed tests.
#pragma once

#include <string>
#include <vector>

#include "prove/execution.h"
#include "trace/formats/formats.h"

namespace heddle::prove {

inline std::string shown(const Graph& graph, const std::vector<std::string>& relations = {}) {
  return trace::onPage(executionOf(graph, relations), {});
}

}  // namespace heddle::prove
