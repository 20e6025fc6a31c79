#include "prove/time_limit.h"

#include <fmt/format.h>

#include <ctime>

namespace heddle::prove {

namespace {

thread_local double limit = 0;  // seconds; 0: none
thread_local double end = 0;
thread_local unsigned calls = 0;

double processorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

TimeLimit::TimeLimit(double seconds) : outer_(limit == 0 && seconds > 0) {
  if (!outer_) return;
  limit = seconds;
  end = processorSeconds() + seconds;
}

TimeLimit::~TimeLimit() {
  if (outer_) limit = 0;
}

void TimeLimit::check() {
  constexpr unsigned kCallsBetweenLooks = 64;  // looking at the clock is a system call
  if (limit == 0 || ++calls % kCallsBetweenLooks != 0) return;
  if (processorSeconds() > end) throw OutOfTime(fmt::format("out of time after {} s", limit));
}

}  // namespace heddle::prove
