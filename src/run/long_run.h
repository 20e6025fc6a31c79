// What would help a run of `heddle check` that was cut short by its time, its memory or an interrupt.
//
// The advice is about this program: --equivalence rf is worth a try only where threads write to the same location, -j only where cores
// are idle, and fewer threads only where there are several. For that the first execution is looked at.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/execution_view.h"
#include "run/check_program.h"

namespace heddle::run {

struct RunShape {
  unsigned threads = 0;              // that do something
  std::optional<Address> contended;  // a location that several threads write to, other than by read-modify-writes
};

RunShape shapeOf(const ExecutionView& graph);

// A line each, what would help most first. `contended`: the name of the location.
std::vector<std::string> adviceForLongRun(const CheckOptions& options, const RunShape& shape, const std::string& contended,
                                          const CheckResult& result);

}  // namespace heddle::run
