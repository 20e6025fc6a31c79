#include "report/outcome.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::report {

using litmus::Observation;

const char* name(Observation observation) {
  switch (observation) {
    case Observation::never: return "Never";
    case Observation::sometimes: return "Sometimes";
    case Observation::always: return "Always";
  }
  return "?";
}

const char* observationText(const Outcome& outcome) {
  const Observation found = observation(outcome);
  const bool isKnown = outcome.complete() || outcome.cut == Cut::blocked || found == Observation::sometimes;
  if (isKnown) return name(found);
  return outcome.cut == Cut::sample ? "Sampled" : "Incomplete";
}

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok: return "ok";
    case Verdict::no: return "no";
    case Verdict::error: return "error";
    case Verdict::incomplete: return "incomplete";
    case Verdict::sampled: return "sampled";
  }
  return "?";
}

const char* name(explore::Equivalence equivalence) { return equivalence == explore::Equivalence::co ? "co" : "rf"; }

std::vector<std::string> differences(const litmus::Expectation& expected, const Outcome& outcome,
                                     explore::Equivalence equivalence) {
  std::vector<std::string> found;
  if (!outcome.complete() && outcome.cut != Cut::blocked) return found;
  const auto compare = [&](const char* what, const std::optional<std::uint64_t>& wanted, std::uint64_t got) {
    if (wanted && *wanted != got) found.push_back(fmt::format("{}: expected {}, found {}", what, *wanted, got));
  };
  if (expected.observation && *expected.observation != observation(outcome)) {
    found.push_back(fmt::format("observation: expected {}, found {}", name(*expected.observation), name(observation(outcome))));
  }
  if (equivalence == explore::Equivalence::co) {
    compare("executions", expected.executions, outcome.executions);
    // Up to reads-from there may be fewer blocked graphs, so the number is that of the finer equivalence.
    compare("blocked", expected.blocked, outcome.blocked);
  } else {
    compare("executions-rf", expected.executionsRf, outcome.executions);
    if (expected.blocked && (*expected.blocked == 0) != (outcome.blocked == 0)) {
      found.push_back(fmt::format("blocked: expected {} under co, found {} under rf", *expected.blocked, outcome.blocked));
    }
  }
  compare("states", expected.states, outcome.states.size());
  if (expected.race && *expected.race != hasRace(outcome)) {
    found.push_back(*expected.race ? "race: expected one, found none" : "race: expected none, found one");
  }
  if (expected.error != (outcome.failed > 0)) {
    found.push_back(expected.error ? "error: expected a failed assertion, found none"
                                   : "error: an assertion fails, which is not expected");
  }
  if (expected.stateLines.empty()) return found;
  std::vector<std::string> wanted = expected.stateLines, got = outcome.states;
  std::sort(wanted.begin(), wanted.end());
  std::sort(got.begin(), got.end());
  std::vector<std::string> missing, surplus;
  std::set_difference(wanted.begin(), wanted.end(), got.begin(), got.end(), std::back_inserter(missing));
  std::set_difference(got.begin(), got.end(), wanted.begin(), wanted.end(), std::back_inserter(surplus));
  for (const std::string& state : missing) found.push_back(fmt::format("state {} expected, not found", state));
  for (const std::string& state : surplus) found.push_back(fmt::format("state {} found, not expected", state));
  return found;
}

}  // namespace heddle::report
