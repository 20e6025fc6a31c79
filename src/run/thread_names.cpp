#include "run/thread_names.h"

#include <fmt/format.h>

#include <set>

#include "runtime/error.h"
#include "runtime/places.h"

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

bool isLambda(const std::string& function) {
  return function.find("{lambda") != std::string::npos || function.find("$_") != std::string::npos;
}

}  // namespace

std::string briefFunction(const std::string& function) {
  if (isLambda(function) || function.find("operator") != std::string::npos) return "";
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

std::vector<std::string> threadNames(const ExecutionView& graph, const runtime::ProgramInfo& info,
                                     const std::map<ThreadId, std::string>& given) {
  std::vector<std::set<std::string>> functions(graph.threads());
  std::vector<std::uint32_t> starts(graph.threads());  // places
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    const Operation& operation = graph.operation(id);
    const std::string function = outermost(info, operation.source);
    if (!function.empty()) functions[graph[id].thread].insert(function);
    if (operation.kind == OperationKind::spawn) starts.at(operation.thread) = operation.source;
  }
  std::vector<std::string> names;
  for (unsigned t = 0; t < graph.threads(); ++t) {
    std::string name = runtime::threadName(static_cast<ThreadId>(t));
    std::string brief;
    if (const auto own = given.find(static_cast<ThreadId>(t)); own != given.end()) {
      brief = own->second;
    } else if (functions[t].size() == 1) {
      const std::uint32_t start = runtime::ownFrame(info, starts[t]);
      brief = briefFunction(*functions[t].begin());
      if (brief.empty() && isLambda(*functions[t].begin()) && start != 0) {
        brief = fmt::format("lambda, line {}", info.sources[start].line);
      }
    }
    names.push_back(t == 0 || brief.empty() ? name : fmt::format("{} ({})", name, brief));
  }
  return names;
}

}  // namespace heddle::run
