// Atomic stores in rounds of loops that are left out (native/loops/redone_stores.h).
//
// A thread that waits has executed one round in vain, and stopped. In the program it goes on, with rounds of the same kind, any
// of which may have atomic stores in it. When can these rounds be left out?
//
// Stores that the next round makes anew (Operation::isRedone). Take an execution of the program. If nobody reads such a store
// of a round in vain, the round can be taken out. If somebody does, take the first such read, by porf. The store is one
// that the reader is not ordered with, or the next one would hide it. Take out the rounds before, which nobody reads. What
// is left up to the read, which may now have to read another write, is the beginning of an execution that is explored,
// and in it the read is not ordered with a store of this kind, be it that of the round in vain or the one that came
// after it. So it is enough that in every execution that is explored every read of another thread is ordered with all
// stores to its location: before the thread comes to the store, or after what the thread has done next.
//
// Stores that write what the thread has written there before (Operation::mayBeRepeated). Who reads one could read the older
// write: the value is the same, nobody else has written in between, and no more is synchronised with. So a write of
// another thread must not be in between: it must be before the thread comes to the older one, or after the newer. If
// there are values in between that come and go, the stores are also of the first kind, and nobody may read them. A store
// does not repeat another one if the thread itself knows of a write in between; then it is an effect like any other.
//
// Writes to a flag that a round sets and takes back (Operation::isGuard), by read-modify-writes or stores: a guard, which tells in
// debug builds whether two threads are in a function at once. Take an execution of the program, and a round in vain
// in it. Every access of another thread to the flag has to be ordered with each of these writes: before the thread comes
// to it, or after what the thread has done next. Then whoever has read the round's last write can read the one that was
// there before the round: it has the same value, and what it synchronises with comes before the reader anyway. So the round
// can be taken out. If there is an access that is not ordered, take the first one by porf, and take out the rounds
// before. What is left is the beginning of an execution that is explored: the thread makes the first of the rounds that
// are in vain, or the one that is not, and the access is not ordered with that one either.
//
// If there is an access that does not fit, the exploration starts again (NoticedStore). After one to a store of the first kind all
// stores are taken to be of the second; after one to a store of the second kind each store counts. After one to a guard each
// write to a guard counts.

#include "explore/explorer.h"
#include "graph/repeated_stores.h"

namespace heddle::explore {

void Explorer::checkRedoneStores() const {
  if (!redone_) return;
  for (LocationId location = 1; location < graph_.locations(); ++location) {
    for (EventId write = graph_.location(location).coTail; write != kNone && !isInitial(write); write = graph_[write].coPrev) {
      const Operation& operation = graph_.operation(write);
      if (operation.isGuard && isNoticedGuard(write)) throw NoticedStore(NoticedStore::Kind::guard);
      if (operation.kind != OperationKind::store || !(operation.isRedone || operation.mayBeRepeated)) continue;
      if (isNoticed(write)) {
        throw NoticedStore(operation.isRedone ? NoticedStore::Kind::redone : NoticedStore::Kind::repeated);
      }
    }
  }
}

// The thread's last write to the location before this one, or this one if there is none.
EventId Explorer::olderOwnWrite(EventId store) const {
  const Event& event = graph_[store];
  for (EventId id = event.poPrev; id != kNone && graph_[id].thread == event.thread; id = graph_[id].poPrev) {
    if (graph_[id].isWrite() && graph_[id].location == event.location) return id;
  }
  return store;
}

// Is there an access of another thread that is not ordered with the store, and has to be?
bool Explorer::isNoticed(EventId store) const {
  const Event& event = graph_[store];
  const Operation& operation = graph_.operation(store);
  const EventId older = olderOwnWrite(store);
  const bool repeats = operation.mayBeRepeated && isRepetition(graph_, older, store);
  if (!repeats && !operation.isRedone) return false;
  const Lane* const before = poView(repeats ? older : store);
  const auto comesAfter = [&](EventId id) {
    return event.poNext != kNone && graph_.inPrefix(graph_.view(id, consistency_.views().coherenceView()), event.poNext);
  };
  for (EventId write = graph_.location(event.location).coTail; write != kNone; write = graph_[write].coPrev) {
    const bool other = !isInitial(write) && graph_[write].thread != event.thread;
    if (other && !graph_.inPrefix(before, write) && !comesAfter(write)) return true;
    if (!operation.isRedone) continue;
    for (EventId read = graph_[write].firstReader; read != kNone; read = graph_[read].readerNext) {
      if (graph_[read].thread == event.thread || graph_.inPrefix(poView(store), read)) continue;
      if (!comesAfter(read)) return true;
    }
  }
  return false;
}

// Is there any access of another thread that is not ordered with the write, and with the read that it belongs to?
bool Explorer::isNoticedGuard(EventId guard) const {
  const Event& event = graph_[guard];
  const Lane* const before = poView(event.rmw ? event.poPrev : guard);
  const auto isOrdered = [&](EventId id) {
    if (isInitial(id) || graph_[id].thread == event.thread || graph_.inPrefix(before, id)) return true;
    return event.poNext != kNone && graph_.inPrefix(graph_.view(id, consistency_.views().coherenceView()), event.poNext);
  };
  for (EventId write = graph_.location(event.location).coTail; write != kNone; write = graph_[write].coPrev) {
    if (!isOrdered(write)) return true;
    for (EventId read = graph_[write].firstReader; read != kNone; read = graph_[read].readerNext) {
      if (!isOrdered(read)) return true;
    }
  }
  return false;
}

}  // namespace heddle::explore
