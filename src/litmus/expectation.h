// Expectations: what a test says about itself, in comments of its own.
//
//     //! rc20: Sometimes, executions 4, no race
//     //! sc: Never, executions 3
//     //! sc state 0:r0=0; 1:r0=1;
//
// A line `//! MODEL: item, item, ...` takes the items Never, Sometimes or Always (how often the condition's formula
// holds, as the simulators report it), `executions N`, `executions-rf N`, `blocked N`, `states N`, `race`, `no race`
// and `error`. A line `//! MODEL state ...` is one final state; the states given for a model are all there are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "litmus/source.h"

namespace heddle::litmus {

enum class Observation : std::uint8_t { never, sometimes, always };

struct Expectation {
  std::string model;
  std::optional<Observation> observation;
  std::optional<std::uint64_t> executions;    // consistent complete executions
  std::optional<std::uint64_t> executionsRf;  // the same, up to reads-from
  std::optional<std::uint64_t> blocked;
  std::optional<std::uint64_t> states;
  std::optional<bool> race;
  bool error = false;                   // some execution fails an assertion
  std::vector<std::string> stateLines;  // as Test::stateText writes them, once a Test holds them
  unsigned line = 0;                    // the first that names the model
};

// A `state` line whose names and values the test has yet to check.
struct StateLine {
  std::size_t expectation = 0;  // index
  std::size_t offset = 0;
  std::string text;
};

struct Expectations {
  std::vector<Expectation> models;  // one for each model, in order of first mention
  std::vector<StateLine> states;
};

Expectations parseExpectations(const SourceFile& file);

}  // namespace heddle::litmus
