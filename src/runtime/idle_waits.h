// Waiting in vain: wake-ups after which a thread is where it was before.
//
// A thread that wakes up from a wait at a condition variable, finds that it has to wait on, and does so, has done nothing. So
// an execution in which it does not wake up is as good, and such wake-ups need not be explored; a loop around the wait
// asks (isIdle; library/pthread_cond.cpp, native/loops/wait_loops.h).
//
// That is true as long as nobody notices that the thread had its mutex for a moment. Who tries to take a mutex, and fails,
// does. So both are noted for the whole exploration, and whoever runs it looks whether they meet (src/run).
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <utility>

#include "memory/memory.h"
#include "runtime/running_thread.h"

namespace heddle::runtime {

// Does an event of a round that began with this event of its thread change nothing?
bool isIdleEvent(const ExecutionView& graph, EventId id, std::uint32_t began);

class IdleWaits {
 public:
  IdleWaits(const memory::Memory& memory, const RunningThread& running) : memory_(memory), running_(running) {}

  // Would the running thread be where it is if it had not woken up when it did? It began to wait with event number `began`,
  // and was done with waiting before event number `ended`. Its own variables (`own`) are for the loop to compare.
  bool isIdle(std::uint32_t began, std::uint32_t ended, std::span<const memory::Range> own);
  // Has the running thread changed nothing that others can see since its next event was this one; and, if that is asked,
  // no plain memory? Asked by loops that store to atomics, and by loops that call code of which nothing is known before it
  // runs (native/loops/loops.h). `start`: of memory, when the round began. The answer depends on what this thread has done, and not on what others have.
  bool isIdleRound(std::uint32_t began, bool plain, const memory::Memory::Moment& start) const;
  // The running thread has woken up in vain, and waits again with this mutex (0: any).
  void note(Address mutex) { waits_.emplace(mutex, running_.place(0)); }
  // It has tried to take a mutex, and failed.
  void noteFailedAttempt(Address mutex) {
    if (failedAttempts_.empty() || *failedAttempts_.rbegin() != mutex) failedAttempts_.insert(mutex);
  }

  // Of the whole exploration: the mutexes of idle waits with their places, and the mutexes of failed attempts.
  const std::set<std::pair<Address, std::uint32_t>>& waits() const { return waits_; }
  const std::set<Address>& failedAttempts() const { return failedAttempts_; }

 private:
  const memory::Memory& memory_;
  const RunningThread& running_;
  std::set<std::pair<Address, std::uint32_t>> waits_;
  std::set<Address> failedAttempts_;
};

}  // namespace heddle::runtime
