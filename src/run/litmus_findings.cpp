#include "run/litmus_findings.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "trace/transport.h"

namespace heddle::run {

using nlohmann::json;

namespace {

void put(json& all, const char* name, const std::optional<trace::Execution>& execution) {
  if (execution) all[name] = *execution;
}

void take(const json& all, const char* name, std::optional<trace::Execution>& execution) {
  if (all.contains(name)) execution = all[name].get<trace::Execution>();
}

}  // namespace

void LitmusFindings::add(const Findings& later) {
  const auto& other = static_cast<const LitmusFindings&>(later);
  executionCount += other.executionCount;
  blockedCount += other.blockedCount;
  failed += other.failed;
  positive += other.positive;
  negative += other.negative;
  staleReads += other.staleReads;
  for (std::size_t i = 0; i < other.states.size(); ++i) states.insert(other.states[i]);
  if (!race) race = other.race;
  if (!error) error = other.error;
  if (!witness) witness = other.witness;
  for (const trace::Execution& execution : other.ofStates) {
    if (std::ranges::find(ofStates, execution.state, &trace::Execution::state) == ofStates.end()) ofStates.push_back(execution);
  }
}

std::string LitmusFindings::toText() const {
  json values = json::array();
  for (std::size_t i = 0; i < states.size(); ++i) {
    for (std::size_t k = 0; k < states.width(); ++k) values.push_back(states[i][k]);
  }
  json all = {{"counts", {executionCount, blockedCount, failed, positive, negative, staleReads}},
              {"stateCount", states.size()},
              {"states", std::move(values)}};
  put(all, "race", race);
  put(all, "error", error);
  put(all, "witness", witness);
  if (!ofStates.empty()) all["ofStates"] = ofStates;
  return all.dump(-1, ' ', false, json::error_handler_t::replace);
}

LitmusFindings LitmusFindings::parse(const std::string& text, std::size_t observables) {
  const json all = json::parse(text);
  LitmusFindings findings(observables);
  const json& counts = all.at("counts");
  findings.executionCount = counts.at(0);
  findings.blockedCount = counts.at(1);
  findings.failed = counts.at(2);
  findings.positive = counts.at(3);
  findings.negative = counts.at(4);
  findings.staleReads = counts.at(5);
  const std::vector<std::int64_t> values = all.at("states");
  const std::size_t count = all.at("stateCount");
  if (values.size() != count * observables) throw std::invalid_argument("states of another test");
  for (std::size_t i = 0; i < count; ++i) findings.states.insert(values.data() + i * observables);
  take(all, "race", findings.race);
  take(all, "error", findings.error);
  take(all, "witness", findings.witness);
  if (all.contains("ofStates")) findings.ofStates = all["ofStates"].get<std::vector<trace::Execution>>();
  return findings;
}

void LitmusFindings::describe(const litmus::Test& test, Outcome& outcome) const {
  outcome.executions = executionCount;
  outcome.blocked = blockedCount;
  outcome.failed = failed;
  outcome.positive = positive;
  outcome.negative = negative;
  outcome.staleReads = staleReads;
  outcome.race = race;
  outcome.error = error;
  outcome.witness = witness;
  outcome.ofStates = ofStates;
  std::vector<std::size_t> order(states.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t width = states.width();
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::lexicographical_compare(states[a], states[a] + width, states[b], states[b] + width);
  });
  for (const std::size_t i : order) outcome.states.push_back(test.stateText(states[i]));
}

}  // namespace heddle::run
