// Confirmations: a compare-exchange right after a load of the same location, which expects what the load has found.
//
// That is how lock-free code changes a word: load it, compute a new value, exchange; and start again if another thread was faster.
// A round that fails has changed nothing, and the loop goes round only if it fails: the thread stops there (native/loops), and the
// execution is blocked. Awamoche (M. Kokologiannakis, I. Marmanis and V. Vafeiadis, CAV 2023) explores no such executions. Its
// abstract says so; what follows is our own way to come near that.
//
//     s   loads x, from the write w
//     c   the thread's very next event: exchanges x, and expects what s has found
//
// 1. c comes right after s, before all other threads (nextConfirming). So if s reads the last write, c succeeds the first time that
//    it is added. Which thread is next is a function of the graph, as it has to be.
// 2. No write u revisits c so that it fails. u would be co-after w, and not maximal, as it has revisited a read. Whoever deletes or
//    revisits s, or what is older than s and does not go without it, has u in its prefix then; but s is not maximally added as
//    seen from there. So s stays for good, and the thread with it.
// 3. If s was added reading an older write, or was revisited by one that was not the last, it stays for good likewise. c may still
//    succeed, and revisit the reads of those that were faster. But it does not fail.
// 4. A weak c that fails although the value is right is no maximal addition, so it stays as well; here it does not even matter what
//    comes before it. If that blocks its thread the option is left out.
//
// So in what is left out the thread is stuck for good, with a stale value. What the others do there they do as well where the
// round is not there, and the thread begins it when all others have done what they do. So no error of theirs is lost, and it
// is no hang either, since the thread has not read the last value. What the round does itself may be an error, too: if
// it has accessed plain memory, before c or after it, the thread goes on as if there was nothing to be left out (mattersInItself).
//
// The value may come back. In an execution c may read another write than s, of the same value, and succeed. Each step to
// there may be one that is left out. Take the first such c, by porf, and take it out together with s and what depends on it:
// what is left is explored; and so is what follows if the thread now loads the later write, z, and exchanges its
// value, the last one of the location. There is a confirmation that has read z, and an older write has the same value. If
// that is found the exploration starts again, and leaves nothing out for that value of the location (ValueComesBack).
//
// What it costs: before each step threads that are about to read are asked whether they are about to confirm. Programs
// without a compare-exchange pay for a test.

#include <algorithm>

#include "explore/explorer.h"
#include "program/lock.h"

namespace heddle::explore {

// Would the operation confirm what the thread's last event has loaded?
bool Explorer::confirms(const Operation& operation, EventId last, ThreadId thread) const {
  if (operation.kind != OperationKind::cas || operation.isAttempt() || triesLock(operation)) return false;
  if (last == kNone || graph_[last].thread != thread || !graph_[last].isRead()) return false;
  const Operation& load = graph_.operation(last);
  return load.kind == OperationKind::load && load.order != Order::plain && load.address == operation.address &&
         load.size == operation.size && operation.expects(graph_[last].value);
}

// A thread that is about to confirm, or -1.
int Explorer::nextConfirming() {
  for (const ThreadId thread : threadsIn(ThreadState::reading)) {
    if (confirms(pending_[thread], graph_.last(thread), thread) && !isAwaiting(thread)) return thread;
  }
  return -1;
}

// Is nothing left out for the value that the event has read?
bool Explorer::isKnownToComeBack(EventId read) const {
  const Event& event = graph_[read];
  const RecurringValue found{graph_.bytesOf(event.location), event.value};
  return std::ranges::find(options_.recurring, found) != options_.recurring.end();
}

// Does it matter in itself who reads the write (redone_stores.cpp, zero_net_effect.cpp, heddle_local)?
bool Explorer::isLookedAt(EventId write) const {
  if (isInitial(write)) return false;
  const Operation& operation = graph_.operation(write);
  return operation.isRedone || operation.mayBeRepeated || operation.isGuard || operation.isLocal || operation.isAttempt();
}

// Is it a compare-exchange that has failed to confirm, and whose thread would be stuck for good?
bool Explorer::failsToConfirm(EventId read) const {
  if (!confirms_) return false;
  const Event& event = graph_[read];
  const Operation& operation = graph_.operation(read);
  if (event.rmw || operation.mattersInItself || !confirms(operation, event.poPrev, event.thread)) return false;
  const EventId loaded = graph_[event.poPrev].rf;
  if (loaded == event.rf || isLookedAt(loaded) || isLookedAt(event.rf)) return false;
  return !isKnownToComeBack(event.poPrev);
}

// Is the load there for good, because a later write is among what precedes it?
bool Explorer::isFixed(EventId load) const {
  const EventId source = graph_[load].rf;
  for (EventId later = graph_[source].coNext; later != kNone; later = graph_[later].coNext) {
    if (later < load || (source > load && graph_.inPrefix(graph_.porf(source), later))) return true;
  }
  return false;
}

// The read blocks its thread. Is that so for good, though it has read the last write, or fails of its own accord?
bool Explorer::isFruitless(EventId read) const {
  return confirms_ && (graph_[read].nonMaximal || (failsToConfirm(read) && isFixed(graph_[read].poPrev)));
}

// A compare-exchange succeeds, or will if its write revisits what is in its way.
void Explorer::noteConfirmed(EventId read) {
  const Event& event = graph_[read];
  const Operation& operation = graph_.operation(read);
  if (operation.mattersInItself || !confirms(operation, event.poPrev, event.thread)) return;
  if (std::ranges::find(confirmed_, event.location) == confirmed_.end()) confirmed_.push_back(event.location);
  hasConfirmed_ = true;
}

// A full graph. Is there a confirmation of a value that an older write has, too?
void Explorer::checkConfirmed() const {
  for (const LocationId location : confirmed_) {
    for (EventId write = graph_.location(location).coTail; !isInitial(write); write = graph_[write].coPrev) {
      if (!graph_[write].rmw) continue;
      const EventId read = graph_[write].poPrev;
      const Event& event = graph_[read];
      const Operation& operation = graph_.operation(read);
      if (operation.mattersInItself || !confirms(operation, event.poPrev, event.thread) || isKnownToComeBack(read)) continue;
      for (EventId older = event.rf; !isInitial(older);) {
        older = graph_[older].coPrev;
        if (graph_[older].value == event.value) throw ValueComesBack({graph_.bytesOf(location), event.value});
      }
    }
  }
}

}  // namespace heddle::explore
