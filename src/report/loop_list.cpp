#include "report/loop_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/check_report.h"
#include "report/check_text.h"
#include "trace/formats/describe.h"

namespace heddle::report {

namespace {

using native::ListedLoop;
using nlohmann::ordered_json;
using runtime::LoopKind;
using trace::placeText;
using util::printable;

const char* name(LoopKind kind) {
  switch (kind) {
    case LoopKind::effectFree: return "effect-free";
    case LoopKind::dynamic: return "dynamic";
    case LoopKind::zeroNetEffect: return "zero-net-effect";
    case LoopKind::marked: return "marked";
    case LoopKind::finite: return "finite";
    case LoopKind::unbounded: return "unbounded";
  }
  return "";
}

// Loops that are cut are not unbounded; whether a spin loop is ever cut is a matter of the execution.
std::string treatment(const ListedLoop& loop) {
  std::string text = isSpin(loop.kind) ? fmt::format("spin: {}", name(loop.kind)) : name(loop.kind);
  if (loop.rounds != 0) text += ", at most " + counted(loop.rounds, "round");
  if (loop.bound != 0) {
    const std::string bounded = fmt::format("bounded by {}", grouped(loop.bound));
    text = loop.kind == LoopKind::unbounded ? bounded : text + ", " + bounded;
  }
  return loop.why.empty() ? text : text + "; " + loop.why;
}

}  // namespace

std::string loopsText(const std::vector<ListedLoop>& loops) {
  if (loops.empty()) return "no loops\n";
  std::size_t places = 0, functions = 0;
  for (const ListedLoop& loop : loops) {
    places = std::max(places, placeText(loop.file, loop.line).size());
    functions = std::max(functions, printable(loop.function).size());
  }
  std::string text;
  for (const ListedLoop& loop : loops) {
    text += fmt::format("{:<{}}  {:<{}}  {}\n", placeText(loop.file, loop.line), places, printable(loop.function), functions,
                        treatment(loop));
  }
  return text;
}

std::string loopsJson(const std::vector<std::string>& files, const std::vector<ListedLoop>& loops) {
  ordered_json json = {{"files", files}, {"loops", ordered_json::array()}};
  const auto orNull = [](std::uint64_t number) { return number == 0 ? ordered_json(nullptr) : ordered_json(number); };
  for (const ListedLoop& loop : loops) {
    json["loops"].push_back({{"file", loop.file},
                             {"line", loop.line},
                             {"column", loop.column},
                             {"function", loop.function},
                             {"spin", isSpin(loop.kind)},
                             {"treatment", name(loop.kind)},
                             {"rounds", orNull(loop.rounds)},
                             {"bound", orNull(loop.bound)},
                             {"why", loop.why.empty() ? ordered_json(nullptr) : ordered_json(loop.why)}});
  }
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace heddle::report
