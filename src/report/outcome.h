// The outcome of a litmus test (run/outcome.h) in words, and against what the test says about itself.
#pragma once

#include <string>
#include <vector>

#include "run/outcome.h"

namespace heddle::report {

using run::Cut;
using run::Outcome;
using run::Verdict;

const char* name(litmus::Observation observation);  // "Never", ...
// What is said of an outcome: "Never" and "Always" only if all executions are known, or else "Incomplete" or "Sampled".
const char* observationText(const Outcome& outcome);
const char* name(Verdict verdict);                   // "ok", ...
const char* name(explore::Equivalence equivalence);  // "co", "rf"

// What differs from what the test says about itself; empty if nothing does. Of an exploration that was cut short
// nothing is compared.
std::vector<std::string> differences(const litmus::Expectation& expected, const Outcome& outcome,
                                     explore::Equivalence equivalence);

}  // namespace heddle::report
