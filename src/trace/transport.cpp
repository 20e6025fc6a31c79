#include "trace/transport.h"

#include <nlohmann/json.hpp>

namespace heddle::trace {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Place, file, function, line, column, text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Event::Part, bytes, number)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Event, thread, index, number, kind, order, location, value, oldValue, partner, from, coAfter,
                                   fromParts, coAfterParts, reads, writes, oddity, oddBy, fate, success, spurious, relevant,
                                   involved, place)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Site, thread, at, called, callers, thin, outer)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Error::Related, what, site, index)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Error, kind, title, message, site, related)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Change, kind, file, line, column, what, from, to)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Remedy, changes, axiom)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Why::CycleStep, event, link)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Why::ModelVerdict, model, verdict)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Why::Wait, thread, what, holder, hasHolder, reason)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Why::Suggestion, found, changes, text, explorations)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Why, isInterleaving, isRace, noOrderHelps, model, cycle, models, remedies, remediesSearched,
                                   searchCutShort, waits, waitsInCycle, suggestion)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Coherence, location, writes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Relation, name, pairs)

void to_json(nlohmann::json& json, const Execution& execution) {
  json = {{"title", execution.title},   {"state", execution.state},         {"threads", execution.threads},
          {"events", execution.events}, {"coherence", execution.coherence}, {"relations", execution.relations}};
  if (execution.error) json["error"] = *execution.error;
  if (execution.why) json["why"] = *execution.why;
}

void from_json(const nlohmann::json& json, Execution& execution) {
  json.at("title").get_to(execution.title);
  json.at("state").get_to(execution.state);
  json.at("threads").get_to(execution.threads);
  json.at("events").get_to(execution.events);
  json.at("coherence").get_to(execution.coherence);
  json.at("relations").get_to(execution.relations);
  execution.error.reset();
  if (json.contains("error")) execution.error = json["error"].get<Error>();
  execution.why.reset();
  if (json.contains("why")) execution.why = json["why"].get<Why>();
}

}  // namespace heddle::trace
