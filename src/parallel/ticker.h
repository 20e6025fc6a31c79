// Sets a flag now and then, so that a loop that must not look at the clock has only a flag to look at.
//
// An interval timer of the process and its signal (SIGALRM): nothing runs until it is time. There is one at a time.
#pragma once

#include <atomic>

namespace heddle::parallel {

class Ticker {
 public:
  // For the first time after so many seconds, then every so many. 0: never.
  Ticker(std::atomic<bool>& flag, double first, double interval);
  ~Ticker();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  bool on_;
};

}  // namespace heddle::parallel
