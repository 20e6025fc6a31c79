#include "run/thread_names.h"

#include <fmt/format.h>

#include <set>

#include "runtime/error.h"

namespace heddle::run {

namespace {

// The outermost function of the program's own that a place is in.
std::string outermost(const runtime::ProgramInfo& info, std::uint32_t source) {
  std::string function;
  for (; source != 0 && source < info.sources.size(); source = info.sources[source].caller) {
    if (!info.sources[source].library) function = info.sources[source].function;
  }
  return function;
}

}  // namespace

std::string briefFunction(const std::string& function) {
  for (const char* const lambda : {"{lambda", "$_", "operator"}) {
    if (function.find(lambda) != std::string::npos) return "";
  }
  std::string text = function;
  const std::string anonymous = "(anonymous namespace)::";
  for (std::size_t at = 0; (at = text.find(anonymous)) != std::string::npos;) text.erase(at, anonymous.size());
  text = text.substr(0, text.find('('));
  std::string name;
  unsigned depth = 0;
  for (const char c : text) {
    if (c == '<') ++depth;
    if (depth == 0 && c == ' ') name.clear();  // what comes before it is the type of the result
    if (depth == 0 && c != ' ') name += c;
    if (c == '>' && depth > 0) --depth;
  }
  return name;
}

std::vector<std::string> threadNames(const ExecutionView& graph, const runtime::ProgramInfo& info) {
  std::vector<std::set<std::string>> functions(graph.threads());
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    const std::string function = outermost(info, graph.operation(id).source);
    if (!function.empty()) functions[graph[id].thread].insert(function);
  }
  std::vector<std::string> names;
  for (unsigned t = 0; t < graph.threads(); ++t) {
    std::string name = runtime::threadName(static_cast<ThreadId>(t));
    const std::string brief = t != 0 && functions[t].size() == 1 ? briefFunction(*functions[t].begin()) : "";
    names.push_back(brief.empty() ? name : fmt::format("{} ({})", name, brief));
  }
  return names;
}

}  // namespace heddle::run
