#include "trace/formats/from_json.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace heddle::trace {

namespace {

using nlohmann::json;

std::string text(const json& object, const char* field) {
  const auto found = object.find(field);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

unsigned number(const json& object, const char* field) {
  const auto found = object.find(field);
  return found != object.end() && found->is_number_unsigned() ? found->get<unsigned>() : 0;
}

Kind kindOfWord(const std::string& word) {
#define HEDDLE_KIND(kind, itsWord) \
  if (word == (itsWord)) return Kind::kind;
  HEDDLE_TRACE_KINDS(HEDDLE_KIND)
#undef HEDDLE_KIND
  return Kind::none;
}

Place place(const json& object) {
  return {text(object, "file"), text(object, "function"), number(object, "line"), number(object, "column"),
          text(object, "text")};
}

std::vector<Event::Part> parts(const json& object, const char* field) {
  std::vector<Event::Part> result;
  if (!object.contains(field) || !object.at(field).is_array()) return result;
  for (const json& part : object.at(field)) result.push_back({text(part, "bytes"), number(part, "event")});
  return result;
}

Event event(const json& object) {
  Event event;
  event.thread = static_cast<ThreadId>(number(object, "thread"));
  event.number = number(object, "number");
  event.kind = kindOfWord(text(object, "kind"));
  event.order = text(object, "order");
  event.location = text(object, "location");
  event.value = text(object, "value");
  event.oldValue = text(object, "oldValue");
  event.partner = static_cast<ThreadId>(number(object, "partner"));
  event.reads = object.contains("from");
  event.writes = object.contains("coAfter");
  event.from = number(object, "from");
  event.coAfter = number(object, "coAfter");
  event.fromParts = parts(object, "from");
  event.coAfterParts = parts(object, "coAfter");
  if (object.contains("persisted")) event.fate = object.at("persisted").get<bool>() ? Fate::persisted : Fate::lost;
  event.success = object.value("success", true);
  event.spurious = object.value("spurious", false);
  event.relevant = object.value("relevant", true);
  event.involved = object.value("involved", false);
  event.place = place(object);
  return event;
}

Site site(const json& object) {
  Site site;
  site.thread = static_cast<ThreadId>(number(object, "thread"));
  site.at = place(object);
  site.called = text(object, "called");
  for (const json& caller : object.value("callers", json::array())) site.callers.push_back(place(caller));
  site.thin = object.value("thin", false) && !site.callers.empty();
  return site;
}

}  // namespace

Execution executionFromJson(const json& object) {
  Execution execution;
  for (const json& name : object.value("threads", json::array())) execution.threads.push_back(name);
  for (const json& step : object.value("trace", json::array())) execution.events.push_back(event(step));
  const json error = object.value("error", json());
  if (!error.is_object()) return execution;
  Error shown;
  shown.kind = shown.title = text(error, "kind");
  shown.message = text(error, "message");
  shown.site = site(error);
  for (const json& related : error.value("related", json::array()))
    shown.related.push_back({text(related, "what"), site(related), 0});
  execution.error = std::move(shown);
  return execution;
}

}  // namespace heddle::trace
