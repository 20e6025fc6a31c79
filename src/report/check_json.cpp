#include "report/check_json.h"

#include <nlohmann/json.hpp>

#include "report/estimate_json.h"
#include "report/outcome.h"
#include "trace/formats/formats.h"
#include "trace/formats/json.h"

namespace heddle::report {

namespace {

using nlohmann::ordered_json;
using run::CheckResult;

ordered_json orNull(const std::string& text) { return text.empty() ? ordered_json(nullptr) : ordered_json(text); }

ordered_json orNull(unsigned number) { return number == 0 ? ordered_json(nullptr) : ordered_json(number); }

ordered_json toJson(const CheckReport& report) {
  const CheckResult& result = report.result;
  ordered_json json = {{"verdict", name(result.verdict)}, {"files", report.files},
                       {"model", report.model},           {"equivalence", name(report.equivalence)},
                       {"executions", result.executions}, {"blocked", result.blocked},
                       {"seconds", result.seconds},       {"totalSeconds", result.totalSeconds},
                       {"peakBytes", result.peakBytes},   {"error", nullptr}};
  if (result.hasError()) json["error"] = trace::errorJson(*result.execution.error);
  trace::addToObject(result.execution, json);
  json["bounds"] = ordered_json::array();
  for (const run::BoundHit& bound : result.bounds) {
    json["bounds"].push_back({{"file", orNull(bound.file)}, {"line", orNull(bound.line)}, {"bound", bound.bound}});
    if (bound.bound == 0) json["bounds"].back()["bound"] = nullptr;
    if (bound.staleReads != 0) json["bounds"].back()["staleReads"] = bound.staleReads;
    if (bound.yields) json["bounds"].back()["yields"] = true;
    if (bound.wakeups) json["bounds"].back()["wakeups"] = true;
  }
  json["warnings"] = result.warnings;
  for (const run::TestOutcome& outcome : result.outcomes) {
    json["outcomes"].push_back({{"names", outcome.names},
                                {"values", outcome.values},
                                {"grade", outcome.grade},
                                {"note", orNull(outcome.note)},
                                {"executions", outcome.executions}});
  }
  if (!result.mixedSizes.empty()) json["mixedSizes"] = result.mixedSizes;
  if (report.symmetry) json["alike"] = result.alike;
  if (!result.noSymmetry.empty()) json["toldApart"] = result.noSymmetry;
  json["timing"] = ordered_json::array();
  for (const native::StepTime& timing : result.timing) {
    json["timing"].push_back({{"step", timing.step}, {"seconds", timing.seconds}});
  }
  json["output"] = result.output;
  if (!result.replay.empty()) json["replay"] = ordered_json::parse(result.replay);
  if (result.verdict == CheckVerdict::incomplete) json["incomplete"] = result.incompleteReason;
  if (!result.advice.empty()) json["advice"] = result.advice;
  addEstimate(json, result.estimate);
  if (!report.modelFile.empty()) json["modelFile"] = report.modelFile;
  if (!report.persistency.empty()) json["persistency"] = report.persistency;
  if (report.dependencies) json["dependencies"] = "source";
  if (report.assumed) json["requirementsAssumed"] = true;
  return json;
}

std::string text(const ordered_json& json) {
  // Source text and output may hold any bytes; what is not UTF-8 is replaced rather than refused.
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string checkJson(const CheckReport& report) { return text(toJson(report)); }

std::string badInputJson(const CheckReport& report, const std::string& message) {
  ordered_json json = toJson(report);
  json["error"] = {{"kind", "bad-input"}, {"message", message}, {"file", nullptr}, {"line", nullptr}, {"thread", nullptr}};
  return text(json);
}

}  // namespace heddle::report
