#include "report/results/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "report/results/rules.h"
#include "trace/formats/describe.h"
#include "util/fingerprint.h"
#include "util/page.h"

namespace heddle::report {

namespace {

using nlohmann::ordered_json;

// A path as a reference (RFC 3986): relative to the root of the sources if it is relative.
std::string uri(const std::string& path) {
  std::string text = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte < 0x80 && (std::isalnum(byte) != 0 || std::string_view("/._-~").find(c) != std::string_view::npos);
    text += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return text;
}

ordered_json message(const std::string& text) { return {{"text", text}}; }

ordered_json location(const trace::Place& place, const std::string& what = "") {
  ordered_json json = ordered_json::object();
  if (!place.file.empty()) {
    json["physicalLocation"] = {{"artifactLocation", {{"uri", uri(place.file)}}}};
    if (place.line > 0) {
      ordered_json region = {{"startLine", place.line}};
      if (place.column > 0) region["startColumn"] = place.column;
      if (!place.text.empty()) region["snippet"] = message(place.text);
      json["physicalLocation"]["region"] = std::move(region);
    }
  }
  if (!place.function.empty()) json["logicalLocations"] = {{{"fullyQualifiedName", place.function}, {"kind", "function"}}};
  if (!what.empty()) json["message"] = message(what);
  return json;
}

// What a thread did, each event with its number in the whole execution.
ordered_json threadFlow(const trace::Execution& execution, ThreadId thread) {
  ordered_json flow = {{"id", trace::threadName(execution, thread)}, {"locations", ordered_json::array()}};
  for (const trace::Event& event : execution.events) {
    if (event.thread != thread) continue;
    std::string what = trace::actionText(event);
    if (event.reads) what += event.from == 0 ? ", initial value" : fmt::format(", from event {}", event.from);
    if (trace::isThreadEvent(event)) what += ' ' + trace::threadName(execution, event.partner);
    flow["locations"].push_back({{"location", location(event.place, fmt::format("event {}: {}", event.number, what))},
                                 {"executionOrder", event.number},
                                 {"importance", event.involved   ? "essential"
                                                : event.relevant ? "important"
                                                                 : "unimportant"}});
  }
  const trace::Error& error = *execution.error;
  if (error.site.thread == thread) {
    flow["locations"].push_back({{"location", location(error.site.best(), trace::errorLine(error))},
                                 {"executionOrder", execution.events.size() + 1},
                                 {"importance", "essential"}});
  }
  return flow;
}

ordered_json codeFlow(const trace::Execution& execution) {
  ordered_json flows = ordered_json::array();
  for (ThreadId thread = 0; thread < execution.threads.size(); ++thread) {
    ordered_json flow = threadFlow(execution, thread);
    if (!flow["locations"].empty()) flows.push_back(std::move(flow));
  }
  return {{"message", message("The execution that leads there")}, {"threadFlows", std::move(flows)}};
}

// The same for the same mistake, wherever its lines are.
std::string identity(const Result& result) {
  std::string text = result.command + '\n' + result.kind + '\n' + result.file + '\n';
  if (!result.execution.error) return util::fingerprint(text + result.name);
  const trace::Error& error = *result.execution.error;
  const auto add = [&](const trace::Place& place) { text += place.file + '\n' + place.function + '\n' + place.text + '\n'; };
  add(error.site.best());
  for (const trace::Error::Related& related : error.related) add(related.site.best());
  return util::fingerprint(text);
}

ordered_json resultJson(const Result& result, std::size_t rule) {
  const auto& error = result.execution.error;
  const trace::Place whole{.file = result.file, .function = "", .line = result.line, .column = 0, .text = ""};
  const bool hasPlace = error && !error->site.best().file.empty();
  ordered_json json = {{"ruleId", result.kind},
                       {"ruleIndex", rule},
                       {"level", "error"},
                       {"message", message(fmt::format("{} ({})", result.message, result.name))},
                       {"locations", {location(hasPlace ? error->site.best() : whole)}},
                       {"partialFingerprints", {{"heddle/v1", identity(result)}}}};
  if (!error) return json;
  for (const trace::Error::Related& related : error->related) {
    ordered_json place = location(related.site.best(), related.what);
    place["id"] = json["relatedLocations"].size();
    json["relatedLocations"].push_back(std::move(place));
  }
  if (ordered_json flow = codeFlow(result.execution); !flow["threadFlows"].empty()) json["codeFlows"] = {std::move(flow)};
  return json;
}

ordered_json ruleJson(const std::string& kind) {
  return {{"id", kind},
          {"shortDescription", message(ruleTitle(kind))},
          {"help", message(ruleHelp(kind))},
          {"defaultConfiguration", {{"level", "error"}}}};
}

ordered_json notification(const Result& result) {
  const trace::Place whole{.file = result.file, .function = "", .line = result.line, .column = 0, .text = ""};
  return {{"level", "error"},
          {"message", message(fmt::format("{}: {}", result.name, result.message))},
          {"locations", {location(whole)}}};
}

}  // namespace

std::string sarif(std::span<const Result> results, const std::string& version) {
  ordered_json rules = ordered_json::array(), found = ordered_json::array(), notifications = ordered_json::array();
  std::map<std::string, std::size_t> ruleNumbers;
  for (const Result& result : results) {
    if (result.status == Result::Status::undecided) notifications.push_back(notification(result));
    if (result.status != Result::Status::failed) continue;
    const auto [rule, isNew] = ruleNumbers.emplace(result.kind, ruleNumbers.size());
    if (isNew) rules.push_back(ruleJson(result.kind));
    found.push_back(resultJson(result, rule->second));
  }
  ordered_json invocation = {{"executionSuccessful", notifications.empty()}};
  if (!notifications.empty()) invocation["toolExecutionNotifications"] = std::move(notifications);
  const ordered_json driver = {{"name", "Heddle"}, {"version", version}, {"rules", std::move(rules)}};
  const ordered_json run = {{"tool", {{"driver", driver}}},
                            {"invocations", {std::move(invocation)}},
                            {"columnKind", "utf16CodeUnits"},
                            {"results", std::move(found)}};
  const ordered_json log = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", {run}}};
  // Source text may hold any bytes; what is not UTF-8 is replaced rather than refused.
  return log.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace heddle::report
