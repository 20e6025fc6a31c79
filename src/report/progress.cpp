#include "report/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::report {

namespace {

// Three digits say what an estimate knows.
std::string rounded(double number) {
  if (number < 1e15) {
    const double unit = number < 1000 ? 1 : std::pow(10, std::floor(std::log10(number)) - 2);
    return grouped(static_cast<std::uint64_t>(std::llround(number / unit) * std::llround(unit)));
  }
  return fmt::format("{:.2e}", number);
}

std::string timeText(double seconds) {
  if (seconds < 100) return fmt::format("{:.1f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 360000) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.3g} days", seconds / 86400);
}

std::string range(const std::string& low, const std::string& high) {
  return low == high ? low : fmt::format("{} to {}", low, high);
}

}  // namespace

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string counted(std::uint64_t number, const char* what) {
  return fmt::format("{} {}{}", grouped(number), what, number == 1 ? "" : "s");
}

std::string progressText(const parallel::Progress& progress) {
  const double done = static_cast<double>(progress.executions + progress.blocked);
  const double rate = progress.seconds > 0 ? done / progress.seconds : 0;
  std::string text = fmt::format("{}, {} blocked, {}/s, {:.1f} s", counted(progress.executions, "execution"),
                                 grouped(progress.blocked), grouped(static_cast<std::uint64_t>(rate)), progress.seconds);
  const parallel::Estimate& estimate = progress.estimate;
  if (!estimate.isKnown() || rate <= 0) return text;
  if (done > estimate.high) return text + ", more than was estimated";
  const auto percent = [&](double all) { return std::min(99.9, 100 * done / all); };
  return text +
         fmt::format(", {:.2g}% ({}), {} left", percent(estimate.executions),
                     range(fmt::format("{:.2g}%", percent(estimate.high)),
                           fmt::format("{:.2g}%", percent(std::max(estimate.low, done)))),
                     range(timeText(std::max(estimate.low - done, 0.0) / rate), timeText((estimate.high - done) / rate)));
}

std::string estimateText(const parallel::Estimate& estimate, std::uint64_t done, double seconds) {
  std::string text = fmt::format("{} executions (95%: {}), from {}", rounded(estimate.executions),
                                 range(rounded(estimate.low), rounded(estimate.high)), counted(estimate.sweeps, "sweep"));
  if (done == 0 || seconds <= 0) return text;
  const double rate = static_cast<double>(done) / seconds;
  return text +
         fmt::format("; {} at the speed of this run", range(timeText(estimate.low / rate), timeText(estimate.high / rate)));
}

}  // namespace heddle::report
