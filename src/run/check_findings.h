// What was found in a part of the exploration of a program. Not its error, which is reported where it is seen.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "parallel/task.h"
#include "program/thread_set.h"
#include "runtime/error.h"

namespace heddle::run {

struct CheckFindings final : parallel::Findings {
  std::uint64_t executionCount = 0, blockedCount = 0;
  std::set<std::uint32_t> bounds;                     // loops that were cut
  std::map<std::uint32_t, std::uint64_t> staleReads;  // places of loads that --stale or --fair has left out, and how often
  // Waits that were not woken up again, as that changes nothing but for attempts at their mutexes; and the failed ones.
  std::set<std::pair<Address, std::uint32_t>> idleWaits;
  std::set<Address> failedAttempts;
  std::vector<runtime::Warning> warnings;  // each once at each place
  // Threads that were neither joined nor detached, with what to say about it; and those that were detached.
  std::map<ThreadId, std::string> unjoined;
  ThreadSet detached;
  std::map<std::string, std::uint64_t> outcomes;  // what executions told of them, and how many told it (test_outcomes.h)
  std::set<std::vector<ThreadId>> alike;          // threads of which one order was explored (explore/symmetry.cpp)
  bool endedWaiting = false;                      // in a blocked execution the program has ended, while threads waited

  std::uint64_t executions() const override { return executionCount; }
  std::uint64_t blocked() const override { return blockedCount; }
  void add(const Findings& later) override;
  std::string toText() const override;
  static CheckFindings parse(const std::string& text);
};

}  // namespace heddle::run
