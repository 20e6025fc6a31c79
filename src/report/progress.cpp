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

// A time that somebody may wait for, in words.
std::string timeText(double seconds) {
  constexpr double kMinute = 60, kHour = 3600, kDay = 86400, kYear = 365.25 * kDay;
  if (seconds < 100) return fmt::format("{:.1f} s", seconds);
  if (seconds < 100 * kMinute) return fmt::format("{:.0f} minutes", seconds / kMinute);
  if (seconds < 48 * kHour) return fmt::format("{:.0f} hours", seconds / kHour);
  if (seconds < kYear) return fmt::format("{:.0f} days", seconds / kDay);
  if (seconds < 1000 * kYear) return fmt::format("{} years", rounded(seconds / kYear));
  return "thousands of years";
}

// "2 to 5 hours"
std::string range(const std::string& low, const std::string& high) {
  if (low == high) return low;
  const std::size_t unit = low.find(' ');
  const bool sameUnit = unit != std::string::npos && high.ends_with(low.substr(unit));
  return fmt::format("{} to {}", sameUnit ? low.substr(0, unit) : low, high);
}

// The same of times; the lower end says nothing if more than that has been done already.
std::string timeRange(double low, double high) {
  return low < 0 ? "up to " + timeText(high) : range(timeText(low), timeText(high));
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
  const double ofThisRun = done - static_cast<double>(progress.earlier);
  const double rate = progress.seconds > 0 ? ofThisRun / progress.seconds : 0;
  std::string counts = fmt::format("{}, {} blocked, {}/s, {:.1f} s", counted(progress.executions, "execution"),
                                   grouped(progress.blocked), grouped(static_cast<std::uint64_t>(rate)), progress.seconds);
  const parallel::Estimate& estimate = progress.estimate;
  if (!estimate.isKnown() || rate <= 0) return counts;
  if (done > estimate.high) return "more than was estimated; " + counts;
  // What is most useful comes first: a narrow terminal cuts the end off.
  const double percent = std::min(99.0, 100 * done / std::max(estimate.executions, done));
  return fmt::format("{} left, {} done; {}", timeRange((estimate.low - done) / rate, (estimate.high - done) / rate),
                     percent < 1 ? "less than 1%" : fmt::format("about {:.0f}%", percent), counts);
}

std::string estimateText(const parallel::Estimate& estimate, std::uint64_t done, double seconds) {
  std::string text = fmt::format("{} executions (95%: {}), from {}", rounded(estimate.executions),
                                 range(rounded(estimate.low), rounded(estimate.high)), counted(estimate.sweeps, "sweep"));
  if (done == 0 || seconds <= 0) return text;
  const double explored = static_cast<double>(done), rate = explored / seconds;
  const double low = estimate.low < explored ? -1 : estimate.low / rate;
  return text + fmt::format("; {} at the speed of this run", timeRange(low, estimate.high / rate));
}

}  // namespace heddle::report
