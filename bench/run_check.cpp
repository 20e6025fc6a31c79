#include "bench/run_check.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace heddle::bench {

namespace {

using nlohmann::json;

std::string outputOf(const std::string& command) {
  std::string text;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), n);
  pclose(pipe);
  return text;
}

}  // namespace

CheckRun runCheck(const std::string& source, const std::string& options, const std::string& flags) {
  const std::string command = fmt::format("'{}' check --json --progress off {} '{}'{}{}", HEDDLE_EXECUTABLE, options,
                                          source, flags.empty() ? "" : " -- ", flags);
  const json result = json::parse(outputOf(command), nullptr, false);
  if (result.is_discarded()) throw std::runtime_error("no JSON from " + command);
  CheckRun run{.verdict = result.at("verdict"),
               .message = {},
               .executions = result.at("executions"),
               .blocked = result.at("blocked"),
               .seconds = result.at("seconds"),
               .totalSeconds = result.at("totalSeconds"),
               .peakBytes = result.at("peakBytes")};
  if (const auto error = result.find("error"); error != result.end() && error->is_object()) {
    run.message = error->at("message");
  } else if (const auto reason = result.find("incomplete"); reason != result.end() && reason->is_string()) {
    run.message = *reason;
  }
  return run;
}

CheckRun bestCheck(const std::string& source, const std::string& options, const std::string& flags, unsigned runs) {
  CheckRun best = runCheck(source, options, flags);
  for (unsigned i = 1; i < runs; ++i) {
    CheckRun again = runCheck(source, options, flags);
    if (again.seconds < best.seconds) best = std::move(again);
  }
  return best;
}

}  // namespace heddle::bench
