// Locks: read-modify-writes that wait for their turn instead of failing.
//
// Taking a lock reads the unlock before it (or the initial state) and writes "locked". A thread whose lock is held is
// not available: its event is added when the lock is free, and then reads the last unlock, the maximal way. So mere
// contention gives no blocked execution, and N threads that take a lock once give N! executions.
//
// A mutex may also be taken by a compare-exchange of "free" for "locked" (trylock). That one is like any other: it does
// not wait, may read any state, and fails where it reads "locked". Whichever way a mutex is taken, only the thread that
// has taken it writes it next, when it unlocks. So its writes are a chain, in which each turn reads the end of the one
// before, and rf alone decides their order.
//
// The other turns come from overtaking. When a lock or compare-exchange is added it may also read an older unlock,
// whose turn another one took; as for any pair of conflicting read-modify-writes, that graph lives for one step, in
// which the new one may revisit the other. If the other is a compare-exchange, it now reads "locked" and fails. If it
// is a lock, it has to wait for the new one: it would read an unlock that is not there yet. So unlike a revisited read
// it is deleted too, and its thread waits; it comes back when the lock is free again. What overtook counts as not
// maximally added from then on, just like a write that has revisited a read.
//
// A thread may wait for a lock that is never released. Its lock is not in the graph, but it may have come before the
// holder's; so when nothing else can happen each waiting lock is added for one step to overtake.
//
// Some locks have more states than these two (program/lock.h): how many read, who waits at a condition variable, the
// count of a semaphore, that somebody polls in vain (zero_net_effect.cpp). All their updates are read-modify-writes,
// so they are chains as well. Whether a lock has to wait depends on the state then: one whose turn is taken may still
// go on after that, and is revisited like any read-modify-write, or it may not, and is deleted to wait.
//
// A lock may have parts, which a writer takes one after the other and of which a reader takes one. A writer that has
// taken some of them does not have the lock, and should not keep a reader out that has to be in before the writer can
// go on. Where it does so for ever the graph is passed over: in another one the reader comes first. And a lock may be
// of no interest unless it is taken (a thread that wakes up by itself, though it has been signalled); it is added as
// soon as it can be.

#include "program/lock.h"

#include <algorithm>
#include <limits>

#include "explore/explorer.h"

namespace heddle::explore {

bool Explorer::isFree(ThreadId locking) {
  const Operation& operation = pending_[locking];
  const LocationId location = graph_.locate(operation.address, operation.size, program_);
  return canTake(operation, graph_[graph_.location(location).coTail].value);
}

// Unlocking what another thread holds, or nobody, is undefined; a mutex whose holder is this thread was written by it
// last.
void Explorer::checkHeld(ThreadId unlocking, LocationId location) const {
  const Event& last = graph_[graph_.location(location).coTail];
  if (last.cls != kInitialWriteClass && (last.value & kHeld) != 0 && last.thread == unlocking) return;
  refuseUnlock(unlocking);
}

// Is it only a look, if there is nobody to be woken? A lock that writes in any case comes after what has overtaken it.
bool Explorer::mayOnlyLook(const Operation& lock) {
  return lock.kind == OperationKind::lock && (lock.lock == LockOp::wakeOne || lock.lock == LockOp::wakeAll);
}

// The write that has overtaken this read, of a lock or of an await, which has come back since, or kNone. It has to read what is later:
// that is what the graph is about. If an older read has been revisited meanwhile this one would have been deleted then, had it been
// there, and added anew: that ends the restriction.
EventId Explorer::overtakerOf(EventId read) const {
  const Event& event = graph_[read];
  EventId oldest = std::numeric_limits<EventId>::max();
  for (std::size_t depth = trail_.size(); depth > 0; --depth) {
    const ChoicePoint& frame = trail_[depth - 1];
    if (frame.kind != ChoiceKind::revisit) continue;
    const Event& revisited = graph_[frame.cursor];
    const bool same =
        revisited.thread == event.thread && revisited.poPrev == event.poPrev && revisited.location == event.location;
    if (savedRevisits_[frame.saved].overtaken && same && frame.cursor < oldest) return frame.event;
    oldest = std::min(oldest, frame.cursor);
  }
  return kNone;
}

// The graph is full and some threads wait for locks: lets the next of them try to overtake.
bool Explorer::nextStuck() {
  ChoicePoint& frame = trail_.back();
  for (const ThreadId thread : threadsIn(ThreadState::locking)) {
    if (thread < frame.cursor) continue;
    frame.cursor = thread + 1u;
    consistency_.settle(graph_);
    return addRead(thread);
  }
  trail_.pop_back();
  return false;
}

// Does a thread wait for something that is of no interest if it does not come, or, if it matters that threads are
// stuck, a reader for a writer that does not have all parts of the lock?
bool Explorer::isPassedOver(bool stuck) {
  for (const ThreadId thread : threadsIn(ThreadState::locking)) {
    const Operation& operation = pending_[thread];
    if (operation.orNever) return true;
    if (!stuck || operation.whole() == 0 || operation.lock != LockOp::read) continue;
    const LocationId location = graph_.locate(operation.address, operation.size, program_);
    const Operation& next = pending_[graph_[graph_.location(location).coTail].thread];
    if (next.kind == OperationKind::lock && next.whole() == operation.whole() && next.part() != 0) return true;
  }
  return false;
}

}  // namespace heddle::explore
