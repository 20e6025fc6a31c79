#include "report/check_json.h"

#include <nlohmann/json.hpp>

#include "report/estimate_json.h"
#include "report/outcome.h"

namespace heddle::report {

namespace {

using native::CheckResult;
using native::TraceEvent;
using nlohmann::ordered_json;

ordered_json orNull(const std::string& text) {
  return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

ordered_json orNull(unsigned number) {
  return number == 0 ? ordered_json(nullptr) : ordered_json(number);
}

ordered_json partsJson(const std::vector<TraceEvent::Part>& parts) {
  ordered_json json = ordered_json::array();
  for (const TraceEvent::Part& part : parts) json.push_back({{"bytes", part.bytes}, {"event", part.number}});
  return json;
}

ordered_json eventJson(const TraceEvent& event) {
  ordered_json json = {{"number", event.number}, {"thread", event.thread}, {"kind", event.kind}};
  if (!event.order.empty()) json["order"] = event.order;
  if (!event.location.empty()) json["location"] = event.location;
  if (!event.value.empty()) json["value"] = event.value;
  if (!event.oldValue.empty()) json["oldValue"] = event.oldValue;
  if (isThreadEvent(event)) json["partner"] = event.partner;
  if (!event.fromParts.empty()) {
    json["from"] = partsJson(event.fromParts);
  } else if (event.reads) {
    json["from"] = event.from;
  }
  if (!event.coAfterParts.empty()) {
    json["coAfter"] = partsJson(event.coAfterParts);
  } else if (event.writes) {
    json["coAfter"] = event.coAfter;
  }
  if (!event.success) json["success"] = false;
  if (event.spurious) json["spurious"] = true;
  json["relevant"] = event.relevant;
  if (event.involved) json["involved"] = true;
  json["file"] = orNull(event.file);
  json["line"] = orNull(event.line);
  json["column"] = orNull(event.column);
  json["function"] = orNull(event.function);
  json["text"] = orNull(event.text);
  return json;
}

ordered_json errorJson(const CheckResult& result) {
  const auto addCalls = [](ordered_json& json, const std::string& called, const std::vector<native::Caller>& callers) {
    if (!called.empty()) json["called"] = called;
    for (const native::Caller& caller : callers) {
      json["callers"].push_back({{"file", orNull(caller.file)},
                                 {"line", orNull(caller.line)},
                                 {"function", orNull(caller.function)},
                                 {"text", orNull(caller.text)}});
    }
  };
  ordered_json related = ordered_json::array();
  for (const CheckResult::Related& place : result.related) {
    related.push_back({{"what", place.what},
                       {"file", orNull(place.file)},
                       {"line", orNull(place.line)},
                       {"thread", place.thread},
                       {"function", orNull(place.function)},
                       {"text", orNull(place.text)}});
    addCalls(related.back(), place.called, place.callers);
  }
  ordered_json json = {{"kind", native::name(result.error.kind)},
          {"message", result.error.message.empty() ? native::title(result.error.kind) : result.error.message},
          {"file", orNull(result.errorFile)},
          {"line", orNull(result.errorLine)},
          {"thread", result.error.thread},
          {"function", orNull(result.errorFunction)},
          {"text", orNull(result.errorText)}};
  addCalls(json, result.errorCalled, result.errorCallers);
  json["related"] = std::move(related);
  return json;
}

ordered_json toJson(const CheckReport& report) {
  const CheckResult& result = report.result;
  ordered_json json = {
      {"verdict", name(result.verdict)}, {"files", report.files},
      {"model", report.model},           {"equivalence", name(report.equivalence)},
      {"executions", result.executions}, {"blocked", result.blocked},
      {"seconds", result.seconds},       {"totalSeconds", result.totalSeconds},
      {"peakBytes", result.peakBytes},   {"error", result.hasError ? errorJson(result) : ordered_json(nullptr)},
      {"threads", result.threadNames}};
  json["trace"] = ordered_json::array();
  for (const TraceEvent& event : result.trace) json["trace"].push_back(eventJson(event));
  json["bounds"] = ordered_json::array();
  for (const native::BoundHit& bound : result.bounds) {
    json["bounds"].push_back({{"file", orNull(bound.file)}, {"line", orNull(bound.line)}, {"bound", bound.bound}});
    if (bound.wakeups) json["bounds"].back()["wakeups"] = true;
  }
  json["warnings"] = result.warnings;
  if (!result.mixedSizes.empty()) json["mixedSizes"] = result.mixedSizes;
  json["timing"] = ordered_json::array();
  for (const native::StepTime& timing : result.timing) {
    json["timing"].push_back({{"step", timing.step}, {"seconds", timing.seconds}});
  }
  json["output"] = result.output;
  if (result.verdict == CheckVerdict::incomplete) json["incomplete"] = result.incompleteReason;
  if (!result.advice.empty()) json["advice"] = result.advice;
  addEstimate(json, result.estimate);
  if (!report.modelFile.empty()) json["modelFile"] = report.modelFile;
  if (report.assumed) json["requirementsAssumed"] = true;
  return json;
}

std::string text(const ordered_json& json) {
  // Source text and output may hold any bytes; what is not UTF-8 is replaced rather than refused.
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string checkJson(const CheckReport& report) {
  return text(toJson(report));
}

std::string badInputJson(const CheckReport& report, const std::string& message) {
  ordered_json json = toJson(report);
  json["error"] = {
      {"kind", "bad-input"}, {"message", message}, {"file", nullptr}, {"line", nullptr}, {"thread", nullptr}};
  return text(json);
}

}  // namespace heddle::report
