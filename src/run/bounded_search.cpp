#include "run/bounded_search.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::run {
namespace {

constexpr std::uint64_t kRounds[] = {2, 4};
constexpr std::uint64_t kExecutions = 10'000;  // of each search, at most,
constexpr double kSeconds = 10;                // and so long

// Not if the user has said how far to go, or would see the program's output twice.
bool isWorthwhile(const CheckOptions& options) {
  const parallel::Control& control = options.control;
  return options.build.unroll == 0 && options.maxExecutions == 0 && !options.showOutput && control.samples == 0 &&
         !control.estimates && !control.resume;
}

CheckOptions boundedOptions(const CheckOptions& options, std::uint64_t rounds, double seconds) {
  CheckOptions bounded = options;
  bounded.build.unroll = rounds;
  bounded.maxExecutions = kExecutions;
  bounded.control.seconds = seconds;
  bounded.control.checkpointFile.clear();
  // Whoever replays the execution needs the same program.
  std::vector<std::string>& command = bounded.control.about.command;
  if (!command.empty()) command.insert(command.begin() + 1, {"--unroll", std::to_string(rounds)});
  return bounded;
}

}  // namespace

bool mayBeSearchedBounded(const CheckOptions& options, const runtime::ProgramInfo& info) {
  const auto mayGoOn = [](const runtime::Loop& loop) {
    return loop.kind != runtime::LoopKind::effectFree && loop.kind != runtime::LoopKind::finite;
  };
  return isWorthwhile(options) && std::ranges::any_of(info.loops, mayGoOn);
}

std::optional<CheckOptions> searchBounded(const CheckOptions& options, const Checker& check, CheckResult& result) {
  if (!result.tooLarge || result.hasError() || !isWorthwhile(options)) return std::nullopt;
  double total = result.totalSeconds;
  std::string known;
  for (const std::uint64_t rounds : kRounds) {
    const double budget = options.control.seconds;
    if (budget != 0 && total >= budget) break;
    CheckOptions bounded = boundedOptions(options, rounds, budget == 0 ? kSeconds : std::min(kSeconds, budget - total));
    CheckResult found = check(bounded);
    total += found.totalSeconds;
    if (found.hasError() && !found.isUnsupported) {
      found.warnings.push_back(
          fmt::format("without a bound the exploration does not end: {}. The error was found with --unroll {}",
                      result.incompleteReason, rounds));
      found.totalSeconds = total;
      result = std::move(found);
      return bounded;
    }
    if (found.tooLarge || found.executions + found.blocked == 0) break;  // the bound does not help
    const std::uint64_t explored = found.executions + found.blocked;
    known = fmt::format("with --unroll {} there is no error in {}", rounds,
                        explored == 1 ? "one execution" : fmt::format("{} executions", explored));
  }
  if (!known.empty()) result.advice.push_back(known);
  result.totalSeconds = total;
  return std::nullopt;
}

}  // namespace heddle::run
