// What a run of a native program finds besides errors: for the report, and of all executions of a part of the exploration.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "program/thread_set.h"
#include "runtime/error.h"

namespace heddle::runtime {

struct Findings {
  std::vector<Warning> warnings;
  std::set<std::uint32_t> boundHits;            // loops that were cut (ProgramInfo::loops), and places of waits (kWakeups)
  ThreadSet detached;                           // threads that some execution has detached
  std::map<ThreadId, std::string> threadNames;  // that the program has given last

  void warn(std::string message, std::uint32_t source) {
    const Warning warning{.message = std::move(message), .source = source};
    if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(warning);
  }
};

}  // namespace heddle::runtime
