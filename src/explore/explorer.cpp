#include "explore/explorer.h"

#include <bit>

namespace heddle::explore {

template class Exploration<Explorer, Graph, Consistency, ChoicePoint>;

Explorer::Explorer(Program& program, const model::CompiledModel& model, const ExploreOptions& options, Observer& observer)
    : Exploration(program, kExplorerStates, options, observer,
                  Consistency(model, program, options.races, options.equivalence == Equivalence::co),
                  program.initialValuesVary()) {}

int Explorer::nextThread() {
  if (const std::uint64_t ready = threadsIn(ThreadState::ready)) return std::countr_zero(ready);
  for (std::uint64_t rest = threadsIn(ThreadState::joining); rest != 0; rest &= rest - 1) {
    const int thread = std::countr_zero(rest);
    if (canJoin(static_cast<ThreadId>(thread))) return thread;
  }
  for (std::uint64_t rest = threadsIn(ThreadState::meeting); rest != 0; rest &= rest - 1) {
    const int thread = std::countr_zero(rest);
    if (isMet(static_cast<ThreadId>(thread))) return thread;
  }
  std::uint64_t readers = threadsIn(ThreadState::reading);
  for (std::uint64_t rest = threadsIn(ThreadState::locking); rest != 0; rest &= rest - 1) {
    const int thread = std::countr_zero(rest);
    if (!isFree(static_cast<ThreadId>(thread))) continue;
    if (pending_[thread].orNever) return thread;
    readers |= std::uint64_t{1} << thread;
  }
  if (options_.boundsLoads()) {
    if (const int thread = leastStale(readers); thread >= 0) return thread;
  }
  for (std::uint64_t rest = readers; rest != 0; rest &= rest - 1) {
    const int thread = std::countr_zero(rest);
    if (!isAwaiting(static_cast<ThreadId>(thread))) return thread;
  }
  return readers != 0 ? std::countr_zero(readers) : -1;
}

// No thread can go on. Returns false when the observer has seen enough.
bool Explorer::fullGraph() {
  if (threadsIn(ThreadState::failed) == 0 && !statistics_.race) {
    checkAttempts();
    checkRedoneStores();
    checkPolls();
  }
  const bool stuck = waitingInVain() != 0;
  reportErrors();
  return isPassedOver(stuck) || reportEnd(stuck);
}

void Explorer::checkRaces(EventId id) {
  const Event& event = graph_[id];
  Location& location = graph_.location(event.location);
  if (!mayRace(id, location.plain)) return;
  const bool plain = event.isPlain();
  const Lane* view = graph_.view(id, consistency_.views().raceView());
  const auto conflicts = [&](EventId other) {
    const Event& o = graph_[other];
    return o.thread != event.thread && (plain || o.isPlain()) && !graph_.inPrefix(view, other);
  };
  EventId racing = kNone;
  for (EventId w = location.coTail; w != kNone && racing == kNone; w = graph_[w].coPrev) {
    if (!isInitial(w) && w != id && conflicts(w)) racing = w;
    if (!event.isWrite()) continue;
    for (EventId r = graph_[w].firstReader; r != kNone; r = graph_[r].readerNext) {
      if (r != id && conflicts(r)) racing = r;
    }
  }
  if (racing != kNone) noteRace(racing, id);
}

}  // namespace heddle::explore
