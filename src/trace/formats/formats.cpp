#include "trace/formats/formats.h"

#include <nlohmann/json.hpp>

#include "trace/formats/dot.h"
#include "trace/formats/html.h"
#include "trace/formats/json.h"
#include "trace/formats/text.h"

namespace heddle::trace {

namespace {

constexpr Format kFormats[] = {
    {.name = "text", .help = "", .onPage = text, .inObject = nullptr, .inFile = nullptr},
    {.name = "json", .help = "", .onPage = nullptr, .inObject = addTrace, .inFile = nullptr},
    {.name = "dot", .help = "as a graph, in the language of Graphviz", .onPage = nullptr, .inObject = nullptr, .inFile = dot},
    {.name = "html",
     .help = "as a page for a browser, with the source, the memory at each step, and arrows",
     .onPage = nullptr,
     .inObject = nullptr,
     .inFile = html,
     .eachState = true},
};

}  // namespace

std::span<const Format> formats() { return kFormats; }

std::string onPage(const Execution& execution, const util::Page& page) {
  std::string text;
  for (const Format& format : formats()) {
    if (format.onPage != nullptr) text += format.onPage(execution, page);
  }
  return text;
}

void addToObject(const Execution& execution, nlohmann::ordered_json& object) {
  for (const Format& format : formats()) {
    if (format.inObject != nullptr) format.inObject(execution, object);
  }
}

}  // namespace heddle::trace
