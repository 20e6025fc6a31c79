#include "run/check_findings.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace heddle::run {

using nlohmann::json;

void CheckFindings::add(const Findings& later) {
  const auto& other = static_cast<const CheckFindings&>(later);
  executionCount += other.executionCount;
  blockedCount += other.blockedCount;
  bounds.insert(other.bounds.begin(), other.bounds.end());
  for (const auto& [place, count] : other.staleReads) staleReads[place] += count;
  idleWaits.insert(other.idleWaits.begin(), other.idleWaits.end());
  failedAttempts.insert(other.failedAttempts.begin(), other.failedAttempts.end());
  for (const runtime::Warning& warning : other.warnings) {
    if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(warning);
  }
  for (const auto& [thread, text] : other.unjoined) {
    if (!detached.contains(thread)) unjoined.try_emplace(thread, text);
  }
  detached |= other.detached;
  for (const auto& [text, count] : other.outcomes) outcomes[text] += count;
  alike.insert(other.alike.begin(), other.alike.end());
  endedWaiting |= other.endedWaiting;
}

std::string CheckFindings::toText() const {
  json all = {{"counts", {executionCount, blockedCount}}, {"bounds", bounds}};
  all["stale"] = staleReads;
  all["idle"] = idleWaits;
  all["attempts"] = failedAttempts;
  all["warnings"] = json::array();
  for (const runtime::Warning& w : warnings) all["warnings"].push_back({w.source, w.message});
  all["ended"] = endedWaiting;
  if (!outcomes.empty()) all["outcomes"] = outcomes;
  if (!alike.empty()) all["alike"] = alike;
  all["detached"] = json::array();
  for (const ThreadId thread : detached) all["detached"].push_back(thread);
  all["unjoined"] = json::array();
  for (const auto& [thread, text] : unjoined) all["unjoined"].push_back({thread, text});
  return all.dump(-1, ' ', false, json::error_handler_t::replace);
}

CheckFindings CheckFindings::parse(const std::string& text) {
  const json all = json::parse(text);
  CheckFindings findings;
  findings.executionCount = all.at("counts").at(0);
  findings.blockedCount = all.at("counts").at(1);
  findings.bounds = all.at("bounds").get<std::set<std::uint32_t>>();
  findings.staleReads = all.at("stale").get<std::map<std::uint32_t, std::uint64_t>>();
  findings.idleWaits = all.at("idle").get<std::set<std::pair<Address, std::uint32_t>>>();
  findings.failedAttempts = all.at("attempts").get<std::set<Address>>();
  for (const json& thread : all.at("detached")) findings.detached.insert(thread.get<ThreadId>());
  for (const json& w : all.at("warnings")) {
    findings.warnings.push_back({.message = w.at(1), .source = w.at(0)});
  }
  findings.endedWaiting = all.at("ended");
  if (all.contains("outcomes")) findings.outcomes = all.at("outcomes").get<std::map<std::string, std::uint64_t>>();
  if (all.contains("alike")) findings.alike = all.at("alike").get<std::set<std::vector<ThreadId>>>();
  for (const json& u : all.at("unjoined")) findings.unjoined.emplace(u.at(0).get<ThreadId>(), u.at(1).get<std::string>());
  return findings;
}

}  // namespace heddle::run
