// Clocks and sleeping (clock.h). To yield, or to sleep, does nothing else: every schedule is explored anyway, unless --fair
// leaves some out.

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
constexpr uint64_t kDoublings = 26;           // up to a minute
constexpr uint64_t kEnd = uint64_t{1} << 62;  // of time: in the year 2116

uint64_t earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }

uint64_t nanoseconds(const timespec& time) {
  if (time.tv_sec < 0) return 0;
  const uint64_t seconds = earlier(static_cast<uint64_t>(time.tv_sec), kEnd / kSecond);
  return seconds * kSecond + static_cast<uint64_t>(time.tv_nsec);
}

uint64_t now() { return kStart + heddle_time(); }
void setClock(uint64_t time) { heddle_set_time(earlier(time, kEnd) - kStart); }

timespec timeOf(uint64_t nanoseconds) {
  return {static_cast<time_t>(nanoseconds / kSecond), static_cast<long>(nanoseconds % kSecond)};
}

timespec look() { return timeOf(lookAtClock()); }

}  // namespace

__thread Clock threadClock;

uint64_t lookAtClock() {
  Clock& clock = threadClock;
  const uint64_t before = now();
  uint64_t time = before + (kFirstStep << earlier(clock.looks++, kDoublings));
  if (before < clock.ceiling && time >= clock.ceiling) time = clock.ceiling - 1;
  if (clock.ceiling != 0) clock.ceiling = 0;
  setClock(time);
  return time;
}

bool isTime(const timespec& time) { return time.tv_nsec >= 0 && static_cast<uint64_t>(time.tv_nsec) < kSecond; }

void sleepUntil(const timespec& deadline) {
  const uint64_t time = nanoseconds(deadline);
  if (now() < time) setClock(time);
}

void sleepFor(const timespec& duration) { setClock(now() + nanoseconds(duration)); }

void tellClock(const timespec& deadline, bool passed) {
  if (passed) sleepUntil(deadline);
  const uint64_t ceiling = passed ? 0 : nanoseconds(deadline);
  if (threadClock.ceiling != ceiling) threadClock.ceiling = ceiling;
}

int timeOut(const timespec* deadline) {
  if (!isTime(*deadline)) return EINVAL;
  sleepUntil(*deadline);
  return ETIMEDOUT;
}

}  // namespace heddle::library

using heddle::library::isTime;
using heddle::library::look;
using heddle::library::lookAtClock;
using heddle::library::sleepFor;
using heddle::library::sleepUntil;

extern "C" {

int sched_yield(void) {
  heddle_yield();
  return 0;
}

unsigned sleep(unsigned seconds) {
  heddle_yield();
  sleepFor({static_cast<time_t>(seconds), 0});
  return 0;
}

int usleep(useconds_t microseconds) {
  heddle_yield();
  sleepFor({static_cast<time_t>(microseconds / 1'000'000), static_cast<long>(microseconds % 1'000'000 * 1'000)});
  return 0;
}

// Nobody interrupts it.
int clock_nanosleep(clockid_t, int flags, const timespec* time, timespec*) {
  if (!isTime(*time)) return EINVAL;
  heddle_yield();
  if (flags & TIMER_ABSTIME) {
    sleepUntil(*time);
  } else {
    sleepFor(*time);
  }
  return 0;
}

int nanosleep(const timespec* duration, timespec* left) {
  const int error = duration->tv_sec < 0 ? EINVAL : clock_nanosleep(CLOCK_REALTIME, 0, duration, left);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

// For waits with a limit of time in headers (src/native/overlay): one has been in vain. Nanoseconds.
void heddle_time_has_passed(int64_t duration) {
  if (duration > 0) sleepFor(heddle::library::timeOf(static_cast<uint64_t>(duration)));
}
void heddle_time_has_come(int64_t deadline) {
  if (deadline > 0) sleepUntil(heddle::library::timeOf(static_cast<uint64_t>(deadline)));
}

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

// A processor of 1 GHz.
uint64_t heddle_cycles(void) { return lookAtClock() - heddle::library::kStart; }

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
