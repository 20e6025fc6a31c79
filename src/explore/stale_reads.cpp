// Bounded memory liveness: a thread does not read an overwritten write again and again (--stale N, --fair).
//
// A loop that waits for another thread, and writes in every round, can read the old value for ever, although the new one has
// long been written. No model forbids that; an implementation makes new values visible "in a finite period of time". So
// CDSChecker bounds how often a thread may read from the same write while a later one is there (Norris and Demsky, TOPLAS
// 2016, section 10). Here:
//
//   The rule. A load of thread t is not made to read from the write w if t has read w N times before, without writing itself
//   (as a compare-exchange that fails does), and w is not last in co when the load is added. That option is left out, and the
//   observer is told. The last write in co can always be read.
//
// By coherence the loads of w by t come in a row among all accesses of t to the location: whoever has seen a later write does
// not go back. So it is enough to count them. They count together wherever they are in the code, because it is the memory
// that is to make progress, not an instruction. A read-modify-write that succeeds reads what comes right before its own
// write, which is never old news, and is neither counted nor left out.
//
// What can be lost. Let r be the load of an option that is left out, reading w, with w' after w in co. Suppose it were
// explored. Then r is in every execution below, reads w there, and so do the N loads of w before it:
//   - A revisit deletes or changes only what was added maximally (revisit.cpp). As long as w' is there, r is not: w' was
//     added before it, and comes after what it reads.
//   - w' may go without r, if a write v with r in its porf-prefix revisits a read that is older than w'. From then on v is not
//     maximal. So whoever revisits a read that was added before v has v in its prefix, and r as well, which then stays.
//   - What precedes r in porf was added before r. To change any of it is to delete r.
// So an execution is lost only if a thread reads the same write more than N times: all others are explored, once each, since
// nothing is added to the tree. An execution with such reads is not lost either unless, with everything the same that the
// read in question depends on, some other thread could have overwritten the write by then.
//
// It would be nice to lose only executions in which the write is overwritten in the end. But those in which it is not may be
// found only by way of a graph in which it is: w' is there, t reads w many times and writes something, and that makes another
// thread take a way on which it does not write w'. Whoever wants to see these must go on reading w, for all one knows for ever.
//
// The rule alone is not enough for a loop to end: w' has to come. A thread that has read the last write of a location N times,
// and is about to look at it again, lets all others go first; among several such threads the one that has looked least often
// is next. That is a function of the graph, as it has to be. If nobody else can go on, the thread reads the last write as often
// as it likes: nobody is going to overwrite it, unless the thread itself does something first.
//
// Fairness (--fair). A thread that yields says that it can do nothing of use until others have done something. CHESS (Musuvathi
// et al., PLDI 2008) gives the others priority until they have. Whether others have gone on is not a question that a graph
// answers; whether the thread has noticed is. So a yield counts as having looked often enough: a load does not read w, unless
// that is last in co, if t has read or written w, has not touched the location since, and has yielded after that. Which thread
// is next follows in the same way. The argument above does not depend on what has kept r from being explored. Lost are
// executions in which a thread reads, after a yield, what it had seen at that location before the yield.

#include <algorithm>
#include <limits>

#include "explore/explorer.h"

namespace heddle::explore {

// How often has the thread read the write, without writing itself? `except`: a read that does not count, or kNone.
unsigned Explorer::timesRead(EventId write, ThreadId thread, EventId except) const {
  unsigned times = 0;
  for (EventId r = graph_[write].firstReader; r != kNone; r = graph_[r].readerNext) {
    times += r != except && graph_[r].thread == thread && !graph_[r].rmw;
  }
  return times;
}

// Has the thread seen the write when it last accessed the location, and yielded since? It is at this operation, after
// `previous`, which is not its own if there is none.
bool Explorer::hasYieldedSince(EventId write, LocationId location, ThreadId thread, const Operation& operation,
                               EventId previous) const {
  bool yielded = operation.afterYield;
  for (EventId id = previous; id != kNone && graph_[id].thread == thread; id = graph_[id].poPrev) {
    const Event& event = graph_[id];
    if ((event.isRead() || event.isWrite()) && event.location == location) {
      return yielded && (id == write || (event.isRead() && event.rf == write));
    }
    yielded |= graph_.operation(id).afterYield;
  }
  return false;
}

// Has the read, which does not read the last write in co, seen what it reads often enough? If so that is put on record.
bool Explorer::isTooStale(EventId read) {
  const Event& event = graph_[read];
  const Operation& operation = graph_.operation(read);
  if (operation.kind == OperationKind::lock) return false;
  if (state_[event.thread] == ThreadState::blocked) return false;  // a thread that has stopped reads no more
  const bool tooOften = options_.stale != 0 && timesRead(event.rf, event.thread, read) >= options_.stale;
  const bool unfair = options_.fair && hasYieldedSince(event.rf, event.location, event.thread, operation, event.poPrev);
  if (!tooOften && !unfair) return false;
  staleReads_.push_back(operation.source);
  return true;
}

// Which of these readers is next: the first that has not seen the last write often enough, or else the one that has read it
// least often. -1: all of them are known to be blocked by it.
int Explorer::leastStale(const ThreadSet& readers) {
  int next = -1;
  unsigned least = std::numeric_limits<unsigned>::max();
  for (const ThreadId thread : readers) {
    if (isAwaiting(thread)) continue;
    const unsigned times = timesInVain(thread);
    if (times == 0) return thread;
    if (times < least) {
      least = times;
      next = thread;
    }
  }
  return next;
}

// If the thread is about to load what it has seen often enough, although it is the last write: how often it has read it, but
// at least once. Otherwise 0.
unsigned Explorer::timesInVain(ThreadId thread) const {
  const Operation& operation = pending_[thread];
  if (operation.kind != OperationKind::load && operation.kind != OperationKind::cas) return 0;
  const LocationId location = graph_.findLocation(operation.address, operation.size);
  if (location == 0) return 0;
  const EventId last = graph_.location(location).coTail;
  const unsigned times = timesRead(last, thread, kNone);
  if (options_.stale != 0 && times >= options_.stale) return times;
  const bool yielded = options_.fair && hasYieldedSince(last, location, thread, operation, graph_.last(thread));
  return yielded ? std::max(times, 1u) : 0;
}

}  // namespace heddle::explore
