#include "trace/formats/html.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "trace/edges.h"
#include "trace/formats/describe.h"
#include "trace/formats/json.h"
#include "trace/formats/page.h"
#include "util/read_file.h"

namespace heddle::trace {

namespace {

using nlohmann::ordered_json;

// A page is read in a browser, which has to show all of it.
constexpr std::size_t kLargestSource = std::size_t{1} << 20;

// Of every thread that an event or the error names.
std::vector<std::string> threadNames(const Execution& execution) {
  std::size_t count = execution.threads.size();
  for (const Event& event : execution.events) count = std::max<std::size_t>(count, event.thread + 1U);
  if (execution.error) {
    count = std::max<std::size_t>(count, execution.error->site.thread + 1U);
    for (const Error::Related& related : execution.error->related)
      count = std::max<std::size_t>(count, related.site.thread + 1U);
  }
  std::vector<std::string> names;
  for (std::size_t thread = 0; thread < count; ++thread) names.push_back(threadName(execution, static_cast<ThreadId>(thread)));
  return names;
}

class PageData {
 public:
  explicit PageData(std::span<const Execution> executions) {
    data_ = {{"title", executions.empty() ? "no execution to show" : executions.front().title},
             {"executions", ordered_json::array()},
             {"sources", ordered_json::object()}};
    for (const Execution& execution : executions) add(execution);
  }

  // `<` is written as an escape, so that nothing in a string ends the element that the data are in.
  std::string text() const {
    std::string text;
    for (const char c : data_.dump(-1, ' ', false, ordered_json::error_handler_t::replace)) {
      if (c == '<') {
        text += "\\u003c";
      } else {
        text += c;
      }
    }
    return text;
  }

 private:
  void add(const Execution& execution) {
    ordered_json json = {
        {"title", execution.title}, {"subject", execution.subject}, {"model", execution.model}, {"state", execution.state}};
    addTrace(execution, json);
    json["threads"] = threadNames(execution);
    for (std::size_t i = 0; i < execution.events.size(); ++i) {
      const Event& event = execution.events[i];
      std::string action = actionText(event);
      if (isThreadEvent(event)) action += ' ' + threadName(execution, event.partner);
      json["trace"][i]["action"] = action;
      addSource(event.place.file);
    }
    if (execution.error) {
      json["error"] = errorJson(*execution.error);
      json["errorLine"] = errorLine(*execution.error);
      addNextEvents(execution, json["error"]["related"]);
      addSource(execution.error->site);
      for (const Error::Related& related : execution.error->related) addSource(related.site);
    }
    json["edges"] = ordered_json::array();
    for (const Edge& edge : edgesOf(execution)) {
      json["edges"].push_back({{"kind", nameOf(edge.kind)}, {"from", edge.from}, {"to", edge.to}});
      if (!edge.name.empty()) json["edges"].back()["name"] = edge.name;
    }
    data_["executions"].push_back(std::move(json));
  }

  // Where on the page what is no event stands: before this event of its thread; 0 if after all, or if that is not known.
  static void addNextEvents(const Execution& execution, ordered_json& related) {
    for (std::size_t i = 0; i < related.size(); ++i) {
      const Error::Related& place = execution.error->related[i];
      unsigned next = 0;
      for (const Event& event : execution.events) {
        if (event.thread != place.site.thread || event.index < place.index || place.index == 0) continue;
        if (next == 0 || event.number < next) next = event.number;
      }
      related[i]["before"] = next;
    }
  }

  void addSource(const Site& site) {
    addSource(site.at.file);
    for (const Place& caller : site.callers) addSource(caller.file);
  }

  void addSource(const std::string& file) {
    if (file.empty() || !tried_.insert(file).second) return;
    if (const auto text = util::readFile(file); text && text->size() <= kLargestSource) data_["sources"][file] = *text;
  }

  ordered_json data_;
  std::set<std::string> tried_;  // the files that were looked for
};

}  // namespace

std::string html(std::span<const Execution> executions) {
  return kPageBeforeData + PageData(executions).text() + kPageAfterData;
}

}  // namespace heddle::trace
