// Which loop has made an execution too large, and what to do about it.
//
// The thread with the most events is looked at: the line that has made most of them is in the loop, if it is in one. A
// loop that ends goes round often because one around it does, so it is that one that is named.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "graph/execution_view.h"
#include "runtime/error.h"
#include "runtime/native_program.h"

namespace heddle::runtime {

struct LargeLoop {
  std::string what;                 // for people; empty: there seems to be none
  std::vector<std::string> advice;  // a line each
};

class LargeLoopFinder {
 public:
  LargeLoopFinder(const ExecutionView& graph, const NativeProgram& program) : graph_(graph), program_(program) {}

  LargeLoop find() {
    countEvents();
    if (often_ < kOften) return {};
    const std::vector<Loop>& loops = program_.info().loops;
    const std::uint32_t loop = loopOf(place_);
    LargeLoop found;
    if (spurious_ >= often_ / 3)
      found.advice.push_back("leave out spurious failures of weak compare-exchanges with --no-spurious");
    if (loop == kNoLoop) {
      found.what = fmt::format("{} was at {} {} times", threadName(thread_), program_.sourceText(place_), often_);
      found.advice.push_back(
          fmt::format("if that is in a function that a loop calls, cut such loops with --unroll {}", kRounds));
      return found;
    }
    const std::string where = program_.sourceText(loops[loop].source);
    found.what = fmt::format("{} went round the loop at {} {} times", threadName(thread_), where, roundsOf(loops[loop]));
    found.advice.push_back(
        loops[loop].kind == LoopKind::finite
            ? fmt::format("the loop ends, but after too many rounds: cut it with --unroll-loop {}={}", where, kRounds)
            : fmt::format("cut the loop with --unroll {}, or --unroll-loop {}={}", kRounds, where, kRounds));
    return found;
  }

 private:
  static constexpr std::size_t kOften = 1000;  // fewer events at one place say nothing
  static constexpr unsigned kRounds = 8;       // a bound to begin with

  void countEvents() {
    for (unsigned t = 0; t < graph_.threads(); ++t) {
      const EventId last = graph_.last(static_cast<ThreadId>(t));
      if (eventsOf(static_cast<ThreadId>(t)) > eventsOf(thread_)) thread_ = graph_[last].thread;
    }
    for (EventId id = graph_.last(thread_); id != kNone && graph_[id].thread == thread_; id = graph_[id].poPrev) {
      const Operation& operation = graph_.operation(id);
      const std::size_t count = ++counts_[operation.source];
      if (count > often_) often_ = count, place_ = operation.source;
      const auto& event = graph_[id];
      spurious_ += operation.mayFailSpuriously && event.isRead() && !event.rmw && operation.expects(event.value);
    }
  }

  unsigned eventsOf(ThreadId thread) const {
    const EventId last = graph_.last(thread);
    return last == kNone || graph_[last].thread != thread ? 0 : graph_[last].index;
  }

  // Inner loops come after those that they are in.
  std::uint32_t loopOf(std::uint32_t place) const {
    const std::vector<Loop>& loops = program_.info().loops;
    const auto inner = std::find_if(loops.rbegin(), loops.rend(), [&](const Loop& loop) {
      return std::ranges::find(loop.places, place) != loop.places.end();
    });
    if (inner == loops.rend()) return kNoLoop;
    const auto innermost = static_cast<std::uint32_t>(loops.rend() - inner - 1);
    std::uint32_t loop = innermost;
    while (loop != kNoLoop && loops[loop].kind == LoopKind::finite) loop = loops[loop].parent;
    return loop != kNoLoop ? loop : innermost;
  }

  // As often as something in it, but in no inner loop, was done; if there is nothing, as often as can be told.
  std::size_t roundsOf(const Loop& loop) const {
    std::size_t rounds = 0;
    for (const std::uint32_t place : loop.places) {
      if (const auto found = counts_.find(place); found != counts_.end()) rounds = std::max(rounds, found->second);
    }
    return rounds != 0 ? rounds : often_;
  }

  const ExecutionView& graph_;
  const NativeProgram& program_;
  ThreadId thread_ = 0;
  std::map<std::uint32_t, std::size_t> counts_;  // events of the thread, by place
  std::uint32_t place_ = 0;                      // where most of them are
  std::size_t often_ = 0, spurious_ = 0;
};

}  // namespace heddle::runtime
