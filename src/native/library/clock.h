// Time, as a thread sees it.
//
// A clock that depended on the schedule would not be deterministic, so each thread has its own (heddle_time). It moves on by
// a step with each look at it, and the steps grow, so that a loop up to a deadline ends soon; it moves on by as much as the
// thread sleeps; and it never shows less than another has shown before, in happens-before. All clocks of the program
// (steady, system, ...) are this one.
//
// How often the thread has looked is plain memory: a loop that looks does not come back to the same state. One that only
// sleeps until something happens does.
//
// A timed wait that times out has seen its deadline pass; one that does not has not, and the clock respects that, as
// libstdc++ decides by looking at the clock.
#pragma once

#include <stdint.h>
#include <time.h>

namespace heddle::library {

struct Clock {
  uint64_t looks;
  uint64_t ceiling;  // the next look is before this time; 0 for none
};

extern __thread Clock threadClock;

uint64_t lookAtClock();  // nanoseconds of the calendar
bool isTime(const timespec& time);
void sleepUntil(const timespec& deadline);
void sleepFor(const timespec& duration);
void tellClock(const timespec& deadline, bool passed);
int timeOut(const timespec* deadline);  // a wait up to there has been in vain: ETIMEDOUT, or EINVAL

}  // namespace heddle::library
