// Why a step of a native thread is given up, and with it the exploration.
//
// On the fiber an exception must not pass through the program's frames. So whoever gives up notes the reason there and pauses
// the thread for good (RunningThread::willGiveUp, giveUp); RunningThread::run throws the reason in the explorer.
#pragma once

#include <stdexcept>
#include <variant>

#include "explore/subtree.h"
#include "explore/symmetry.h"
#include "graph/graph.h"
#include "memory/memory.h"

namespace heddle::runtime {

// The program starts more threads than it was given room for: start again with more.
class TooManyThreads : public std::runtime_error {
 public:
  TooManyThreads() : std::runtime_error("the program starts many threads") {}
};

// More threads come to a barrier than meet there: start again with an order of their arrivals (library/pthread_barrier.cpp).
class CrowdedBarrier : public std::runtime_error {
 public:
  CrowdedBarrier() : std::runtime_error("more threads come to a barrier than meet there") {}
};

// Who is in a critical section of RCU may wait for what comes after a grace period: start again with grace periods that may never
// end (critical_sections.h). Thrown by who looks at complete executions.
class GracePeriodAwaited : public std::runtime_error {
 public:
  GracePeriodAwaited() : std::runtime_error("a critical section may wait for what comes after a grace period") {}
};

// Plain accesses race, where races are no errors: start again with accesses to these bytes as events.
class RaceFound : public std::runtime_error {
 public:
  RaceFound(memory::Range bytes, memory::Range around)
      : std::runtime_error("plain accesses race"), raced(bytes), object(around) {}

  const memory::Range raced, object;
};

// std::monostate: the step is not given up.
using ReasonToGiveUp =
    std::variant<std::monostate, explore::StopHere, RaceFound, TooManyThreads, CrowdedBarrier, explore::ToldApart, LimitError>;

}  // namespace heddle::runtime
