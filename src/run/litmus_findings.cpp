#include "run/litmus_findings.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

namespace heddle::run {

using nlohmann::json;

namespace {

json toJson(const Access& access) {
  return {access.thread, access.kind, access.order, access.location, access.statement, access.line};
}

Access accessOf(const json& json) {
  return {json.at(0), json.at(1), json.at(2), json.at(3), json.at(4), json.at(5)};
}

}  // namespace

void LitmusFindings::add(const Findings& later) {
  const auto& other = static_cast<const LitmusFindings&>(later);
  executionCount += other.executionCount;
  blockedCount += other.blockedCount;
  failed += other.failed;
  positive += other.positive;
  negative += other.negative;
  for (std::size_t i = 0; i < other.states.size(); ++i) states.insert(other.states[i]);
  if (!race) race = other.race;
  if (!error) error = other.error;
}

std::string LitmusFindings::toText() const {
  json values = json::array();
  for (std::size_t i = 0; i < states.size(); ++i) {
    for (std::size_t k = 0; k < states.width(); ++k) values.push_back(states[i][k]);
  }
  json all = {{"counts", {executionCount, blockedCount, failed, positive, negative}},
              {"stateCount", states.size()},
              {"states", std::move(values)}};
  if (race) all["race"] = {toJson(race->first), toJson(race->second)};
  if (error) all["error"] = {error->thread, error->message, error->statement, error->line, error->trace};
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
  const std::vector<std::int64_t> values = all.at("states");
  const std::size_t count = all.at("stateCount");
  if (values.size() != count * observables) throw std::invalid_argument("states of another test");
  for (std::size_t i = 0; i < count; ++i) findings.states.insert(values.data() + i * observables);
  if (all.contains("race")) findings.race = RaceReport{accessOf(all["race"].at(0)), accessOf(all["race"].at(1))};
  if (all.contains("error")) {
    const json& error = all["error"];
    findings.error = ErrorReport{error.at(0), error.at(1), error.at(2), error.at(3), error.at(4)};
  }
  return findings;
}

void LitmusFindings::describe(const litmus::Test& test, Outcome& outcome) const {
  outcome.executions = executionCount;
  outcome.blocked = blockedCount;
  outcome.failed = failed;
  outcome.positive = positive;
  outcome.negative = negative;
  outcome.race = race;
  outcome.error = error;
  std::vector<std::size_t> order(states.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t width = states.width();
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::lexicographical_compare(states[a], states[a] + width, states[b], states[b] + width);
  });
  for (const std::size_t i : order) outcome.states.push_back(test.stateText(states[i]));
}

}  // namespace heddle::run
