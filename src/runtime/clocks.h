// Time, as the threads of the program see it.
//
// Each thread has a clock, which library models move (library/clock.h). What it shows is part of the thread's state
// (Context::time), so it goes back with the thread, but it is no plain memory: to sleep changes nothing that a loop could
// come back from. No clock ever shows less than another one has shown before, in happens-before. For that the time at each
// event is kept, and a thread that looks at its clock looks at the last event of each other thread that happens before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "program/operation.h"
#include "runtime/paused_thread.h"
#include "runtime/running_thread.h"

namespace heddle::runtime {

class Clocks {
 public:
  Clocks(std::span<const PausedThread> threads, RunningThread& running) : threads_(threads), running_(running) {}

  // The running thread is about to go on after its last event.
  void noteEvent() {
    if (used_) noteTime();
  }
  bool areUsed() const { return used_; }
  // Nanoseconds since the program has begun, as the running thread's clock shows them.
  std::uint64_t time() const;
  void set(std::uint64_t time) {
    used_ = true;
    running_.ownContext().time = time;
  }

 private:
  // Under models with dependencies the graph is shown anew whenever a thread runs, so an event has another id each time.
  std::size_t numberOf(EventId id) const;
  void noteTime();
  std::uint64_t timeBefore() const;

  std::span<const PausedThread> threads_;
  RunningThread& running_;
  bool used_ = false;                 // by any thread, in any execution
  std::vector<std::uint64_t> times_;  // what the clocks have shown at the events
};

}  // namespace heddle::runtime
