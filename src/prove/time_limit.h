// A bound on the time of one decision.
//
// Inclusion of languages is PSPACE-complete, and saturation can feed itself, so there is always a query that takes
// longer than anyone waits. Every loop that can be long calls TimeLimit::check(); the decision that is under way then
// ends as not decided. One decision runs at a time in a thread, so the limit belongs to the thread and need not be
// handed through every function.
#pragma once

#include <stdexcept>

namespace heddle::prove {

class OutOfTime : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// While it lives, check() throws OutOfTime once so many seconds of processor time have passed. 0: no limit. Of two that
// are nested the outer one counts.
class TimeLimit {
 public:
  explicit TimeLimit(double seconds);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  static void check();

 private:
  bool outer_;
};

}  // namespace heddle::prove
