#include "trace/formats/json.h"

#include <nlohmann/json.hpp>

#include "trace/formats/describe.h"
#include "trace/formats/why.h"

namespace heddle::trace {

namespace {

using nlohmann::ordered_json;

ordered_json orNull(const std::string& text) { return text.empty() ? ordered_json(nullptr) : ordered_json(text); }

ordered_json orNull(unsigned number) { return number == 0 ? ordered_json(nullptr) : ordered_json(number); }

ordered_json partsJson(const std::vector<Event::Part>& parts) {
  ordered_json json = ordered_json::array();
  for (const Event::Part& part : parts) json.push_back({{"bytes", part.bytes}, {"event", part.number}});
  return json;
}

ordered_json eventJson(const Event& event) {
  ordered_json json = {{"number", event.number}, {"thread", event.thread}, {"kind", wordOf(event.kind)}};
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
  if (event.oddity != Oddity::none) {
    static constexpr const char* kWords[] = {"", "stale", "early", "overtaken"};
    json["unexplained"] = {{"how", kWords[static_cast<unsigned>(event.oddity)]}, {"event", event.oddBy}};
  }
  if (event.fate == Fate::persisted || event.fate == Fate::lost) json["persisted"] = event.fate == Fate::persisted;
  if (!event.success) json["success"] = false;
  if (event.spurious) json["spurious"] = true;
  json["relevant"] = event.relevant;
  if (event.involved) json["involved"] = true;
  json["file"] = orNull(event.place.file);
  json["line"] = orNull(event.place.line);
  json["column"] = orNull(event.place.column);
  json["function"] = orNull(event.place.function);
  json["text"] = orNull(event.place.text);
  return json;
}

// Where it happened, and by which calls.
void addSite(ordered_json& json, const Site& site) {
  json["file"] = orNull(site.at.file);
  json["line"] = orNull(site.at.line);
  json["thread"] = site.thread;
  json["function"] = orNull(site.at.function);
  json["text"] = orNull(site.at.text);
  if (!site.called.empty()) json["called"] = site.called;
  if (site.thin) json["thin"] = true;  // the last caller says more
  const auto addCallers = [&](const char* name, const std::vector<Place>& callers) {
    for (const Place& caller : callers) {
      json[name].push_back({{"file", orNull(caller.file)},
                            {"line", orNull(caller.line)},
                            {"function", orNull(caller.function)},
                            {"text", orNull(caller.text)}});
    }
  };
  addCallers("callers", site.callers);
  addCallers("outerCallers", site.outer);
}

}  // namespace

void addTrace(const Execution& execution, ordered_json& object) {
  object["threads"] = execution.threads;
  object["trace"] = ordered_json::array();
  for (const Event& event : execution.events) object["trace"].push_back(eventJson(event));
  addWhy(execution, object);
}

ordered_json errorJson(const Error& error) {
  ordered_json json = {{"kind", error.kind}, {"message", error.message.empty() ? error.title : error.message}};
  addSite(json, error.site);
  json["related"] = ordered_json::array();
  for (const Error::Related& related : error.related) {
    ordered_json place = {{"what", related.what}};
    addSite(place, related.site);
    json["related"].push_back(std::move(place));
  }
  return json;
}

}  // namespace heddle::trace
