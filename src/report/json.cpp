#include "report/json.h"

#include <nlohmann/json.hpp>

#include "report/estimate_json.h"
#include "trace/formats/formats.h"

namespace heddle::report {

namespace {

using nlohmann::ordered_json;

ordered_json accessJson(const trace::Execution& race, ThreadId thread) {
  const trace::Event& access = involvedEvent(race, thread);
  return {{"thread", race.threads[thread]},       {"line", access.place.line},
          {"access", trace::wordOf(access.kind)}, {"order", access.order.empty() ? "plain" : access.order},
          {"location", access.location},          {"statement", access.place.text}};
}

ordered_json reportJson(const Report& report) {
  const litmus::Test& test = *report.test;
  const Outcome& outcome = report.outcome;
  ordered_json json = {
      {"name", test.name},
      {"file", test.file},
      {"model", report.model},
      {"equivalence", name(report.equivalence)},
      {"verdict", name(verdict(test, outcome))},
      {"observation", observationText(outcome)},
      {"race", hasRace(outcome)},
      {"complete", outcome.complete()},
      {"condition", test.conditionText},
      {"states", outcome.states},
      {"positive", outcome.positive},
      {"negative", outcome.negative},
      {"executions", outcome.executions},
      {"blocked", outcome.blocked},
      {"seconds", outcome.seconds},
  };
  if (!report.modelFile.empty()) json["modelFile"] = report.modelFile;
  if (report.assumed) json["requirementsAssumed"] = true;
  if (!outcome.mixedSizes.empty()) json["mixedSizes"] = outcome.mixedSizes;
  if (!outcome.flags.empty()) json["flags"] = outcome.flags;
  if (outcome.staleReads != 0) json["staleReads"] = outcome.staleReads;
  if (!outcome.complete()) json[outcome.cut == Cut::sample ? "sampled" : "incomplete"] = outcome.cutReason;
  addEstimate(json, outcome.estimate);
  if (outcome.race) {
    const trace::Error& race = *outcome.race->error;
    json["raceDetail"] = {{"first", accessJson(*outcome.race, race.related[0].site.thread)},
                          {"second", accessJson(*outcome.race, race.site.thread)}};
  }
  if (outcome.error) {
    const trace::Error& error = *outcome.error->error;
    json["failed"] = outcome.failed;
    json["error"] = error.message;
    json["errorDetail"] = {
        {"thread", outcome.error->threads[error.site.thread]}, {"line", error.site.at.line}, {"statement", error.site.at.text}};
    trace::addToObject(*outcome.error, json["errorDetail"]);
  }
  if (verdict(test, outcome) == Verdict::no && outcome.witness) {
    json["witness"] = {{"state", outcome.witness->title}};
    trace::addToObject(*outcome.witness, json["witness"]);
  }
  if (!report.differences.empty()) json["unexpected"] = report.differences;
  return json;
}

}  // namespace

std::string jsonText(const std::vector<Report>& reports, const std::vector<BadFile>& bad, const std::string& error) {
  ordered_json tests = ordered_json::array();
  for (const Report& report : reports) tests.push_back(reportJson(report));
  for (const BadFile& file : bad) {
    tests.push_back({{"name", nullptr}, {"file", file.file}, {"error", file.message}});
  }
  ordered_json all = {{"tests", std::move(tests)}};
  if (!error.empty()) all["error"] = error;
  // Source text may hold any bytes; what is not UTF-8 is replaced rather than refused.
  return all.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace heddle::report
