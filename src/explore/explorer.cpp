#include "explore/explorer.h"

#include <algorithm>

#include "explore/symmetry.h"

namespace heddle::explore {

template class Exploration<Explorer, Graph, Consistency, ChoicePoint>;

// May there be a compare-exchange, for all that is known?
static bool mayExchange(const Program& program) {
  const std::vector<Operation> operations = program.operations();
  const auto exchanges = [](const Operation& operation) { return operation.kind == OperationKind::cas; };
  return operations.empty() || std::ranges::any_of(operations, exchanges);
}

Explorer::Explorer(Program& program, const model::CompiledModel& model, const ExploreOptions& options, Observer& observer)
    : Exploration(program, kExplorerStates, options, observer,
                  Consistency(model, program, options.races, options.equivalence == Equivalence::co),
                  program.initialValuesVary()) {
  if (options.alike != nullptr) {
    symmetry_ = std::make_unique<Symmetry>(graph_, program_, options_, pending_, consistency_.views().coherenceView());
  }
  const bool skips = options.skipFutile && options.equivalence == Equivalence::co && !options.boundsLoads() &&
                     !options.judgesRaces && options.recovery == nullptr;
  parks_ = skips && options.overtakenAwaits;
  confirms_ = skips && options.confirmations && mayExchange(program);
  if (!model.hasDependencies) return;
  if (!program.trackDependencies()) {
    throw ProgramError("the model " + model.name + " has dependencies, which this program does not tell");
  }
  graph_.keepDependencies(model.controlEnds);
}

Explorer::~Explorer() = default;

// Has a step back led to a graph below which there is nothing to find? Then the write of a read-modify-write, which has just put
// itself on the trail, does not revisit either.
bool Explorer::leavesFruitless() {
  if (!symmetry_->isFruitless()) return false;
  if (trail_.back().kind == ChoiceKind::write && trail_.back().ordinal == 0) skip();
  return true;
}
bool Explorer::standsForItsClass() { return symmetry_->stands(); }

inline int Explorer::nextOther() {
  if (someIn(anyOf(ThreadState::ready))) return threadsIn(ThreadState::ready).first();
  constexpr unsigned waiting = anyOf(ThreadState::joining, ThreadState::meeting, ThreadState::locking);
  if (someIn(waiting) || !awaiting_.empty() || options_.boundsLoads()) return nextOfWaiting();
  return someIn(anyOf(ThreadState::reading)) ? threadsIn(ThreadState::reading).first() : -1;
}

int Explorer::nextThread() {
  if (confirms_) [[unlikely]]
    return nextConfirmingFirst();
  return nextOther();
}

// In a function of its own, so that programs without confirmations do not pay for the call.
int Explorer::nextConfirmingFirst() {
  const int thread = nextConfirming();
  return thread >= 0 ? thread : nextOther();
}

// None is ready. Others than readers wait for something, or it is not just the first reader's turn.
int Explorer::nextOfWaiting() {
  for (const ThreadId thread : threadsIn(ThreadState::joining)) {
    if (canJoin(thread)) return thread;
  }
  for (const ThreadId thread : threadsIn(ThreadState::meeting)) {
    if (isMet(thread)) return thread;
  }
  ThreadSet readers = threadsIn(ThreadState::reading);
  for (const ThreadId thread : threadsIn(ThreadState::locking)) {
    if (!isFree(thread)) continue;
    if (pending_[thread].orNever) return thread;
    readers.insert(thread);
  }
  if (options_.boundsLoads()) {
    if (const int thread = leastStale(readers); thread >= 0) return thread;
  }
  for (const ThreadId thread : readers) {
    if (!isAwaiting(thread)) return thread;
  }
  return readers.empty() ? -1 : readers.first();
}

// No thread can go on. Returns false when the observer has seen enough.
bool Explorer::reportGraph() {
  constexpr unsigned noted = kWaitingStates | anyOf(ThreadState::failed);
  if (someIn(noted) || attempts_ || polls_ || redone_ || hasConfirmed_) return unusualGraph();
  return reportEnd(false);
}

bool Explorer::unusualGraph() {
  if (threadsIn(ThreadState::failed).empty() && !statistics_.race) {
    checkAttempts();
    checkRedoneStores();
    checkPolls();
  }
  checkConfirmed();
  const bool stuck = isStuck();
  reportErrors();
  return isPassedOver(stuck) || reportEnd(stuck);
}

void Explorer::findRace(EventId id) {
  const Event& event = graph_[id];
  const Location& location = graph_.location(event.location);
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
