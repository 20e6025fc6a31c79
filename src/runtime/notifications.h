// Threads that wait for an atomic to change, and notifications of that (std::atomic::wait, notify_one, notify_all).
//
// A thread that waits looks once (overlay/bits/atomic_wait.h): it goes on if it sees another value than the one it waits
// with, and stops for ever if it does not. In between it may have slept. So that one can tell who sleeps for ever,
// notifications are events, and if there is a notify_one in the program the ends of waits are, too.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "graph/execution_view.h"
#include "program/operation.h"

namespace heddle::runtime {

// Who is woken by what, in a full graph.
class Notifications {
 public:
  explicit Notifications(const ExecutionView& graph) : graph_(graph) {}

  // A thread has stopped at this read, the value of which has changed since. Can it have gone to sleep before, and not be
  // woken? Some writes are no changes.
  template <class IsIdle>
  bool sleepsForEver(EventId read, Address address, IsIdle isIdle) {
    const std::vector<EventId> changes = graph_.writesAfter(read);
    return std::ranges::all_of(changes, [&](EventId change) { return isIdle(change) || isUnnoticed(read, change, address); });
  }

  // If a change comes before the read in porf, the thread would have noticed it when it went to sleep. A notification after
  // the change finds the thread asleep; a notify_one may wake another one that sleeps as well.
  bool isUnnoticed(EventId read, EventId change, Address address) {
    if (graph_.inPrefix(graph_.porf(read), change)) return false;
    for (EventId id = graph_.newest(); id != kNone; id = graph_[id].orderPrev) {
      const Operation& operation = graph_.operation(id);
      if (operation.kind != OperationKind::notify || operation.address != address) continue;
      if (!graph_.inPrefix(graph_.porf(id), change)) continue;
      if (!operation.wakesOne || !wakesAnother(id, read)) return false;
    }
    return true;
  }

  // What the thread has not been told of; kNone if that is not one write.
  EventId firstChange(EventId read) const {
    const std::vector<EventId> changes = graph_.writesAfter(read);
    return graph_.hasMixedSizes() || changes.empty() ? kNone : changes.front();
  }

 private:
  bool knowsAny(const Lane* clock, const std::vector<EventId>& writes) const {
    return std::ranges::any_of(writes, [&](EventId write) { return graph_.inPrefix(clock, write); });
  }

  // Can the notify_one have woken a thread that has gone to sleep with the same value in place of the one that has stopped at
  // the read? A thread is woken by one notification only.
  bool wakesAnother(EventId notify, EventId read) {
    if (woken_.contains(notify)) return true;
    const std::vector<EventId> changes = graph_.writesAfter(read);
    for (EventId end = graph_.newest(); end != kNone; end = graph_[end].orderPrev) {
      const Operation& operation = graph_.operation(end);
      if (operation.kind != OperationKind::stopWaiting || operation.address != graph_.operation(notify).address) continue;
      if (operation.waitedWith() != graph_[read].value || !canHaveSlept(end, notify, changes)) continue;
      const bool taken = std::ranges::any_of(woken_, [&](const auto& pair) { return pair.second == end; });
      if (taken) continue;
      woken_[notify] = end;
      return true;
    }
    return false;
  }

  // From before the changes until it was notified of them.
  bool canHaveSlept(EventId end, EventId notify, const std::vector<EventId>& changes) const {
    const EventId look = graph_[end].poPrev;
    const EventId before = graph_[look].poPrev;
    if (graph_.inPrefix(graph_.porf(notify), end) || !seesOneOf(look, changes)) return false;
    if (before != kNone && (graph_.inPrefix(graph_.porf(before), notify) || knowsAny(graph_.porf(before), changes)))
      return false;
    return !knowsAny(graph_.porf(notify), graph_.writesAfter(look));
  }

  bool seesOneOf(EventId read, const std::vector<EventId>& writes) const {
    return std::ranges::any_of(graph_.sourcesOf(read), [&](const BytesFrom& source) {
      return std::ranges::find(writes, source.write) != writes.end();
    });
  }

  const ExecutionView& graph_;
  std::map<EventId, EventId> woken_;  // by each notify_one, the end of which wait
};

}  // namespace heddle::runtime
