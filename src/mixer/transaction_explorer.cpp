#include "mixer/transaction_explorer.h"

#include <fmt/format.h>

template class heddle::explore::Exploration<heddle::mixer::TransactionExplorer, heddle::mixer::MixedGraph,
                                            heddle::mixer::TransactionConsistency, heddle::mixer::UnitChoicePoint>;

namespace heddle::mixer {

using explore::ChoiceKind;
using explore::ThreadState;

TransactionExplorer::TransactionExplorer(Program& program, const model::CompiledModel& model,
                                         const explore::ExploreOptions& options, explore::Observer& observer)
    : ByteExploration(program, kMixedStates, options, observer, TransactionConsistency(model, program, options.races),
                      program) {}

// ---- The next step.

// The unit that is being added, if it is not complete.
EventId TransactionExplorer::openUnit() const {
  const EventId newest = graph_.newest();
  if (newest == kNone) return kNone;
  const EventId unit = units_.first(newest);
  return units_.isOpen(unit) ? unit : kNone;
}

bool TransactionExplorer::isInside(ThreadId thread) const {
  const EventId last = graph_.last(thread);
  return last != kNone && graph_[last].thread == thread && units_.depth(last) > 0;
}

// A unit that is revisited is run again before anything else; a transaction goes on to its end.
int TransactionExplorer::nextThread() {
  if (!trail_.empty() && trail_.back().kind == ChoiceKind::revisit) {
    return graph_[candidates_[trail_.back().candidate].unit].thread;
  }
  if (const EventId open = openUnit(); open != kNone) {
    const ThreadId thread = graph_[open].thread;
    const ThreadState state = state_[thread];
    const bool stopped = state == ThreadState::blocked || state == ThreadState::failed;
    if (state == ThreadState::ready || (stopped && !isRelevant(open))) return thread;
    if (!stopped) refuseInside(thread);
  }
  return leftmostThread();
}

bool TransactionExplorer::extend(ThreadId thread) {
  const Operation& operation = pending_[thread];
  if (isInside(thread)) {
    if (state_[thread] != ThreadState::ready) return false;  // it has not read what it was revisited for
    switch (operation.kind) {
      case OperationKind::load:
      case OperationKind::store:
      case OperationKind::rmw:
      case OperationKind::fence:
      case OperationKind::choose:
      case OperationKind::transaction: break;
      case OperationKind::cas:
        if (!triesLock(operation)) break;
        [[fallthrough]];
      default: refuseInside(thread);
    }
  } else if (operation.kind == OperationKind::transaction && !operation.begins()) {
    throw ProgramError("a transaction is ended that has not begun: " + program_.sourceText(operation.source));
  }
  return Base::extend(thread);
}

void TransactionExplorer::refuseInside(ThreadId thread) const {
  const Operation& operation = pending_[thread];
  const char* what = "this cannot be taken back";
  switch (operation.kind) {
    case OperationKind::end: what = "the thread ends"; break;
    case OperationKind::spawn: what = "a thread is started"; break;
    case OperationKind::join: what = "a thread is waited for"; break;
    case OperationKind::lock:
    case OperationKind::unlock:
    case OperationKind::cas: what = "a lock is used"; break;
    case OperationKind::arrive:
    case OperationKind::depart: what = "a barrier is used"; break;
    default: break;
  }
  throw ProgramError(fmt::format("{} inside a transaction: {}", what, program_.sourceText(operation.source)));
}

void TransactionExplorer::refuseBarrier(ThreadId thread) const {
  throw ProgramError("barriers together with transactions are not supported: " + program_.sourceText(pending_[thread].source));
}

// The begin or the end of a transaction.
bool TransactionExplorer::addTransaction(ThreadId thread) {
  const EventId id = addEvent(thread, EventKind::fence, eventClass(EventKind::thread, Order::plain, false));
  consistency_.computeViews(graph_, id);
  return units_.depth(id) == 0 ? endUnit(id) : goOnAfter(id, {});
}

// Nobody will see what the transaction has written. The thread goes on from its begin, which has not succeeded this time.
bool TransactionExplorer::abort(EventId last) {
  const EventId begin = units_.first(last);
  pushEvent(explore::ChoiceKind::event, last);
  resumeThreadFrom(graph_[begin].mark, graph_[begin].thread, {.value = graph_.operation(last).status(), .success = false});
  return true;
}

// ---- Units and choice points. Each event is noted here as soon as it is there.

void TransactionExplorer::noteDependencies(EventId id) {
  const EventId previous = graph_[id].poPrev;
  const bool inside = previous != kNone && graph_[previous].thread == graph_[id].thread && units_.depth(previous) > 0;
  unsigned depth = inside ? units_.depth(previous) : 0;
  const Operation& operation = graph_.operation(id);
  if (operation.kind == OperationKind::transaction) depth = operation.aborts() ? 0 : depth + (operation.begins() ? 1 : -1);
  if (inside) {
    units_.goOn(id, units_.first(previous), depth);
  } else {
    const bool again = !trail_.empty() && trail_.back().kind == ChoiceKind::revisit;
    units_.begin(id, again ? trail_.back().stamp : id, depth);
  }
}

void TransactionExplorer::noteDependenciesOfWrite(EventId read, EventId write) {
  units_.goOn(write, units_.first(read), units_.depth(read));
}

// The write of a read-modify-write goes alone: its thread is paused at the read.
void TransactionExplorer::dropEvent(EventId id) {
  units_.drop(id);
  if (graph_[id].isWrite() && graph_[id].rmw) {
    graph_.removeNewest();
  } else {
    Base::dropEvent(id);
  }
}

UnitChoicePoint& TransactionExplorer::pushChoicePoint(ChoiceKind kind, EventId event) {
  const auto height = [](const auto& stack) { return static_cast<std::uint32_t>(stack.size()); };
  const Heights before{height(choices_), height(sources_), height(places_), height(candidates_), height(keeps_)};
  return trail_.emplace_back(
      ChoicePoint{.kind = kind, .event = event, .heights = before, .next = before.options, .end = before.options});
}

void TransactionExplorer::popChoicePoint() {
  const Heights& before = trail_.back().heights;
  choices_.resize(before.options);
  sources_.resize(before.sources);
  places_.resize(before.places);
  candidates_.resize(before.candidates);
  keeps_.resize(before.keeps);
  trail_.pop_back();
}

// ---- Reports.

// No thread can go on. Returns false when the observer has seen enough.
bool TransactionExplorer::fullGraph() {
#ifdef HEDDLE_INVARIANTS
  for (ChoicePoint& frame : trail_) frame.fruitful = true;
#endif
  if (lookForRace() && options_.stopAtError) {
    reportGraph();
    return false;
  }
  return isPassedOver(someWaitInVain()) || reportGraph();
}

// A thread that fails because of what it has read in a race is better told about that.
void TransactionExplorer::failedGraph() {
  lookForRace();
  reportGraph();
}

bool TransactionExplorer::lookForRace() {
  consistency_.forgetOrder();
  if (!options_.races || options_.judgesRaces || statistics_.race || replaying_) return false;
  const auto [first, second] = consistency_.findRace(graph_, units_, options_.weakIsolation);
  if (first == kNone) return false;
  noteRace(first, second);
  return true;
}

bool TransactionExplorer::reportGraph() {
  const bool stuck = someWaitInVain();
  reportErrors();
  return reportEnd(stuck);
}

// ---- Parts of the tree (explore/split.cpp). The alternatives of a choice point are found when it is made.

// Whether there are revisits is not known before they are looked for.
bool TransactionExplorer::mayHaveMore(const ChoicePoint& frame) const {
  return frame.next < frame.end || (frame.kind == ChoiceKind::write && !frame.revisiting);
}

void TransactionExplorer::skipRead(ChoicePoint& frame) {
  graph_.unsetSources(frame.event);
  dropEvent(frame.event);
}

void TransactionExplorer::skipWrite(ChoicePoint& frame) {
  if (frame.applied) unplace(units_.first(frame.event));
  dropEvent(frame.event);
}

void TransactionExplorer::skipRevisit(ChoicePoint& frame) {
  if (frame.applied) unplace(units_.first(frame.event));
  endRevisit();
}

}  // namespace heddle::mixer
