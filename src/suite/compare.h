// How a run of heddle went, and in what it differs from what was expected.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "suite/cases.h"
#include "util/child_process.h"

namespace heddle::suite {

// Of a test with HEDDLE_OUTCOMES.
struct SeenOutcome {
  std::string names, values, grade, note;
  std::uint64_t executions = 0;
};

struct Comparison {
  std::string verdict;  // "verified", "data-race", ...; empty if it said nothing
  std::uint64_t executions = 0, blocked = 0;
  double seconds = 0;                    // by heddle's own clock
  std::vector<std::string> differences;  // from what was expected, a line each; empty: it is as expected
  std::vector<SeenOutcome> outcomes;
  std::vector<std::string> warnings;
  std::string message;       // of a program that cannot be checked: what the compiler says, or heddle
  bool isUndecided = false;  // it was cut short or could not be run, which nobody expected
};

Comparison compare(const Case& tested, const util::Finished& finished);

}  // namespace heddle::suite
