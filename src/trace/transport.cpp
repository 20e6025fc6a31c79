#include "trace/transport.h"

#include <nlohmann/json.hpp>

namespace heddle::trace {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Place, file, function, line, column, text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Event::Part, bytes, number)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Event, thread, index, number, kind, order, location, value, oldValue, partner, from, coAfter,
                                   fromParts, coAfterParts, reads, writes, success, spurious, relevant, involved, place)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Site, thread, at, called, callers, thin)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Error::Related, what, site, index)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Error, kind, title, message, site, related)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Coherence, location, writes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Relation, name, pairs)

void to_json(nlohmann::json& json, const Execution& execution) {
  json = {{"title", execution.title},
          {"threads", execution.threads},
          {"events", execution.events},
          {"coherence", execution.coherence},
          {"relations", execution.relations}};
  if (execution.error) json["error"] = *execution.error;
}

void from_json(const nlohmann::json& json, Execution& execution) {
  json.at("title").get_to(execution.title);
  json.at("threads").get_to(execution.threads);
  json.at("events").get_to(execution.events);
  json.at("coherence").get_to(execution.coherence);
  json.at("relations").get_to(execution.relations);
  execution.error.reset();
  if (json.contains("error")) execution.error = json["error"].get<Error>();
}

}  // namespace heddle::trace
