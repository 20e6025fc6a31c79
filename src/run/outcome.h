// What running a litmus test under a model found.
//
// A plain value: the explorer is done when it exists, and every way to print it (text, tables, JSON, the comparison
// with a test's expectations) starts from here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explore/explorer.h"
#include "litmus/test.h"
#include "parallel/sample.h"
#include "trace/execution.h"

namespace heddle::run {

enum class Verdict : std::uint8_t {
  ok,          // the question has the answer that its quantifier asks for
  no,          // it has the other one
  error,       // an assertion failed
  incomplete,  // the exploration was cut short before the answer was certain
  sampled,     // some random executions do not answer it
};

// Why an exploration was cut short.
// `blocked`: it was not, but no execution ran to its end. `stale`: it was not, but --stale has left something out.
enum class Cut : std::uint8_t { none, interrupt, executions, limit, sample, blocked, stale };

struct Outcome {
  std::vector<std::string> states;  // sorted by the values of the observables
  std::uint64_t positive = 0;       // executions in which the proposition holds
  std::uint64_t negative = 0;       // and in which it does not
  std::uint64_t executions = 0;     // those in which an assertion fails included
  std::uint64_t blocked = 0;
  std::uint64_t staleReads = 0;  // loads that were left out because of --stale
  std::uint64_t failed = 0;      // executions in which an assertion fails; they have no final state
  // The first execution with a data race, with a failed assertion, and, if that was asked for, the first that answers the
  // test's question. Of a race the error says where the second access is, and the first one is related to it.
  std::optional<trace::Execution> race, error, witness;
  std::vector<trace::Execution> ofStates;  // if that was asked for: an execution for each final state
  std::vector<std::string> flags;          // that the model raises, such as "data-race"
  std::string mixedSizes;                  // which accesses overlap in part, if some do: the exploration was that of mixer/
  Cut cut = Cut::none;
  std::string cutReason;          // for people, when cut
  std::string checkpointProblem;  // why one could not be written
  parallel::Estimate estimate;    // of the number of executions, if that was asked for
  std::uint64_t earlier = 0;      // executions and blocked ones that a checkpoint brought along
  double seconds = 0;

  bool complete() const { return cut == Cut::none; }
};

litmus::Observation observation(const Outcome& outcome);
// Found by the exploration, or flagged by the model.
bool hasRace(const Outcome& outcome);
Verdict verdict(const litmus::Test& test, const Outcome& outcome);
// A failed assertion, a data race, or a claim (forall, ~exists) that does not hold.
bool hasError(const litmus::Test& test, const Outcome& outcome);

}  // namespace heddle::run
