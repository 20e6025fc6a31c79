// Time, as a thread sees it.
//
// A clock that depended on the schedule would not be deterministic, so each thread has its own: it moves on by a step
// with each look at it, and the steps grow, so that a loop up to a deadline ends soon. Threads inherit the clock of
// their creator, and a join takes over the later one. All clocks of the program (steady, system, ...) are this one.
// Sleeping does not move it, as a loop that sleeps until something happens would otherwise never come back to the same
// state.
//
// A timed wait that times out has seen its deadline pass; one that does not has not, and the clock respects that, as
// libstdc++ decides by looking at the clock.
#pragma once

#include <stdint.h>
#include <time.h>

namespace heddle::library {

struct Clock {
  uint64_t now;      // nanoseconds
  uint64_t step;     // of the last look
  uint64_t ceiling;  // the next look is before this one; 0 for none
};

extern __thread Clock threadClock;

uint64_t lookAtClock();
void tellClock(const timespec& deadline, bool passed);

}  // namespace heddle::library
