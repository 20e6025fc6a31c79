// A result for those who collect results, such as continuous integration: one thing that was tested, and how it went.
//
// `check` has one, `litmus` one for each test and model, `prove` one for each claim. Each is made from the command's own report and
// has all that the formats of results.h show.
#pragma once

#include <string>

#include "trace/execution.h"

namespace heddle::report {

struct Result {
  // `undecided`: neither, because the input cannot be used or the run was cut short.
  enum class Status : std::uint8_t { passed, failed, undecided };

  std::string command;  // "check"
  std::string name;     // "queue.cpp under rc20"
  std::string file;     // where the thing that was tested is
  unsigned line = 0;    // 0: the whole file
  Status status = Status::passed;
  std::string kind;     // of what is wrong, in one word: "data-race"; empty if nothing is
  std::string message;  // what is wrong, in one line; or the verdict
  std::string details;  // as on a page
  double seconds = 0;
  trace::Execution execution;  // with its error, if it has one
};

}  // namespace heddle::report
