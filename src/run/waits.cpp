#include "run/waits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "program/barrier.h"

namespace heddle::run {

namespace {

using Wait = trace::Why::Wait;

class Waits {
 public:
  Waits(const explore::AnyExplorer& explorer, const runtime::WaitingError& found, const SourceNames& names,
        const std::unordered_map<EventId, unsigned>& numbers)
      : graph_(explorer.execution()), explorer_(explorer), found_(found), names_(names), numbers_(numbers) {}

  std::vector<Wait> all() const {
    std::string first = found_.error.message;
    const std::string own = runtime::threadName(found_.error.thread) + ' ', end = " for ever";
    if (first.starts_with(own)) first.erase(0, own.size());
    if (first.ends_with(end)) first.erase(first.size() - end.size());
    std::vector<Wait> waits{of(found_.error.thread, first)};
    for (const runtime::ErrorAccess& other : found_.error.related) waits.push_back(of(other.thread, other.what));
    std::ranges::sort(waits, {}, &Wait::thread);
    return waits;
  }

 private:
  Wait of(ThreadId thread, const std::string& what) const {
    Wait wait{.thread = thread, .what = what, .holder = 0, .hasHolder = false, .reason = ""};
    const Operation& operation = explorer_.pending(thread);
    if (operation.kind == OperationKind::join) {
      wait.holder = operation.thread;
      wait.hasHolder = true;
    } else if (operation.kind == OperationKind::lock) {
      describeLock(operation, wait);
    } else if (operation.kind == OperationKind::depart) {
      describeBarrier(operation, wait);
    } else if (operation.kind == OperationKind::block) {
      describeReads(thread, wait);
    }
    return wait;
  }

  // How many have arrived in this round? Where some have left for good, only who makes the barrier knows.
  void describeBarrier(const Operation& operation, Wait& wait) const {
    Value arrived = 0;
    const Value expected = firstExpected(operation.barrier());
    for (EventId id = graph_.newest(); id != kNone; id = graph_[id].orderPrev) {
      const Operation& other = graph_.operation(id);
      if (other.kind != OperationKind::arrive || !isSameBarrier(other, operation)) continue;
      if (other.drops) return;
      arrived += other.weight();
    }
    if (expected == 0) return;
    if (operation.round() && arrived / expected == *operation.round() + 1) return;
    wait.reason = fmt::format("where {} of {} have arrived, and nobody is left who comes", arrived % expected, expected);
  }

  // Who has taken the lock last, and not given it back?
  void describeLock(const Operation& operation, Wait& wait) const {
    if (operation.lock == LockOp::down) {
      wait.reason = "whose count is 0, and nobody is left who raises it";
      return;
    }
    for (const CoherenceOrder& order : graph_.coherenceOf({operation.address, operation.size})) {
      if (order.writes.empty()) continue;
      const EventId write = order.writes.back();
      if (graph_.operation(write).kind == OperationKind::unlock) continue;
      wait.holder = graph_[write].thread;
      wait.hasHolder = true;
      const auto number = numbers_.find(write);
      const std::string since = number == numbers_.end() ? "" : fmt::format(" since event {}", number->second);
      wait.reason =
          fmt::format("which {} holds{}", wait.holder == wait.thread ? "it itself" : names_.thread(wait.holder), since);
      return;
    }
    describeCondition(wait);
  }

  // The thread sleeps at a condition variable: who has woken others there, and when?
  void describeCondition(Wait& wait) const {
    EventId sleeping = graph_.last(wait.thread);
    const auto isHere = [&](EventId id, LockOp how) {
      const Operation& operation = graph_.operation(id);
      return operation.kind == OperationKind::lock && operation.lock == how;
    };
    while (sleeping != kNone && graph_[sleeping].thread == wait.thread && !isHere(sleeping, LockOp::join)) {
      sleeping = graph_[sleeping].poPrev;
    }
    if (sleeping == kNone || graph_[sleeping].thread != wait.thread) return;
    wait.reason = "which nobody signals any more";
    std::set<unsigned> early;
    for (EventId id = graph_.newest(); id != kNone; id = graph_[id].orderPrev) {
      const bool wakes = isHere(id, LockOp::wakeOne) || isHere(id, LockOp::wakeAll);
      if (!wakes || graph_.operation(id).address != graph_.operation(sleeping).address) continue;
      const auto number = numbers_.find(id), own = numbers_.find(sleeping);
      if (number != numbers_.end() && own != numbers_.end() && number->second < own->second) early.insert(number->second);
    }
    if (!early.empty()) wait.reason += fmt::format("; event {} signalled it before the wait", fmt::join(early, ", "));
  }

  // The values that keep a loop going.
  void describeReads(ThreadId thread, Wait& wait) const {
    std::set<std::string> values;
    for (const EventId read : found_.involved) {
      if (graph_[read].thread != thread || !graph_[read].isRead()) continue;
      const Operation& operation = graph_.operation(read);
      values.insert(fmt::format("{} = {}", names_.location(operation.address, operation.size),
                                names_.value(operation, graph_[read].value)));
    }
    if (values.empty()) return;
    std::string text;
    for (const std::string& value : values) text += (text.empty() ? "" : ", ") + value;
    wait.reason = fmt::format("reads {} again and again, and nobody is left who writes another value", text);
    const std::vector<std::string> others = othersThan(thread);
    if (!others.empty()) {
      wait.reason = fmt::format("reads {} again and again; {}, who might write another value, {}, too", text,
                                fmt::join(others, " and "), others.size() == 1 ? "waits" : "wait");
    }
  }

  // Those that wait for something else than the end of a thread.
  std::vector<std::string> othersThan(ThreadId thread) const {
    std::set<ThreadId> waiting{found_.error.thread};
    for (const runtime::ErrorAccess& other : found_.error.related) waiting.insert(other.thread);
    std::vector<std::string> names;
    for (const ThreadId other : waiting) {
      if (other != thread && explorer_.pending(other).kind != OperationKind::join) names.push_back(names_.thread(other));
    }
    return names;
  }

  const ExecutionView& graph_;
  const explore::AnyExplorer& explorer_;
  const runtime::WaitingError& found_;
  const SourceNames& names_;
  const std::unordered_map<EventId, unsigned>& numbers_;
};

bool haveCycle(const std::vector<Wait>& waits) {
  return std::ranges::any_of(waits, [&](const Wait& start) {
    const Wait* at = &start;
    for (std::size_t i = 0; i < waits.size() && at->hasHolder; ++i) {
      const auto next = std::ranges::find(waits, at->holder, &Wait::thread);
      if (next == waits.end()) return false;
      at = &*next;
      if (at == &start) return true;
    }
    return false;
  });
}

}  // namespace

void describeWaits(const explore::AnyExplorer& explorer, const runtime::WaitingError& found, const SourceNames& names,
                   const std::unordered_map<EventId, unsigned>& numbers, trace::Why& why) {
  why.waits = Waits(explorer, found, names, numbers).all();
  why.waitsInCycle = haveCycle(why.waits);
}

}  // namespace heddle::run
