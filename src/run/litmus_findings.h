// What was found in a part of the exploration of a litmus test.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "parallel/task.h"
#include "run/outcome.h"
#include "run/state_set.h"

namespace heddle::run {

struct LitmusFindings final : parallel::Findings {
  explicit LitmusFindings(std::size_t observables) : states(observables) {}

  std::uint64_t executionCount = 0, blockedCount = 0;
  std::uint64_t failed = 0, positive = 0, negative = 0;
  std::uint64_t staleReads = 0;  // that --stale has left out
  StateSet states;
  std::optional<trace::Execution> race, error, witness;  // the first of each; see Outcome
  std::vector<trace::Execution> ofStates;

  std::uint64_t executions() const override { return executionCount; }
  std::uint64_t blocked() const override { return blockedCount; }
  void add(const Findings& later) override;
  std::string toText() const override;
  static LitmusFindings parse(const std::string& text, std::size_t observables);

  void describe(const litmus::Test& test, Outcome& outcome) const;
};

}  // namespace heddle::run
