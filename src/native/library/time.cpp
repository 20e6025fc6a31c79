// Clocks and sleeping (clock.h). Sleeping and yielding do nothing: every schedule is explored anyway.

#include <errno.h>
#include <sched.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <chrono>

#include "clock.h"
#include "primitives.h"

namespace heddle::library {

namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kStart = 1'700'000'000 * kSecond;  // a day in November 2023
constexpr uint64_t kFirstStep = 1'000;
constexpr uint64_t kLongestStep = 64 * kSecond;

uint64_t nanoseconds(const timespec& time) {
  return static_cast<uint64_t>(time.tv_sec) * kSecond + static_cast<uint64_t>(time.tv_nsec);
}

timespec look() {
  const uint64_t now = lookAtClock();
  return {static_cast<time_t>(now / kSecond), static_cast<long>(now % kSecond)};
}

}  // namespace

__thread Clock threadClock = {kStart, 0, 0};

uint64_t lookAtClock() {
  heddle_note(kNotedClock);
  Clock& clock = threadClock;
  clock.step = clock.step == 0 ? kFirstStep : clock.step < kLongestStep ? 2 * clock.step : clock.step;
  uint64_t next = clock.now + clock.step;
  if (clock.now < clock.ceiling && next >= clock.ceiling) next = clock.ceiling - 1;
  clock.ceiling = 0;
  return clock.now = next;
}

void tellClock(const timespec& deadline, bool passed) {
  heddle_note(kNotedClock);
  const uint64_t time = nanoseconds(deadline);
  if (passed && threadClock.now < time) threadClock.now = time;
  threadClock.ceiling = passed ? 0 : time;
}

}  // namespace heddle::library

using heddle::library::look;
using heddle::library::lookAtClock;

extern "C" {

int sched_yield(void) { return 0; }
unsigned sleep(unsigned) { return 0; }
int usleep(useconds_t) { return 0; }
int nanosleep(const timespec*, timespec*) { return 0; }
int clock_nanosleep(clockid_t, int, const timespec*, timespec*) { return 0; }

clock_t clock(void) { return static_cast<clock_t>((lookAtClock() - heddle::library::kStart) / 1'000); }

time_t time(time_t* result) {
  const time_t now = look().tv_sec;
  if (result) *result = now;
  return now;
}

int clock_gettime(clockid_t, timespec* result) {
  *result = look();
  return 0;
}

int clock_getres(clockid_t, timespec* result) {
  if (result) *result = {0, 1};
  return 0;
}

int timespec_get(timespec* result, int base) {
  *result = look();
  return base;
}

int gettimeofday(timeval* result, void*) {
  const timespec now = look();
  *result = {now.tv_sec, now.tv_nsec / 1'000};
  return 0;
}

}  // extern "C"

namespace std::chrono {

inline namespace _V2 {

system_clock::time_point system_clock::now() noexcept {
  return time_point(nanoseconds(static_cast<nanoseconds::rep>(lookAtClock())));
}

steady_clock::time_point steady_clock::now() noexcept {
  return time_point(nanoseconds(static_cast<nanoseconds::rep>(lookAtClock())));
}

}  // namespace _V2

}  // namespace std::chrono
