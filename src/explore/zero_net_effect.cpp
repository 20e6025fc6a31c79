// Attempts: read-modify-writes that are taken back if they fail.
//
// Some locks are taken by trying: a thread adds to a counter, looks at what was there, and if that is not good enough
// takes the same away again and starts over. Such an iteration has no net effect (ZNE, thesis section 7.2.6), but while
// it lasts the counter flickers. Here the whole iteration becomes an attempt: a read-modify-write with a condition,
// which is made if what it reads is good enough, and otherwise stops its thread like a failed compare-exchange in a
// loop that waits. So no execution has a flicker in it. (In the thesis the first half of the iteration is there, and
// the thread stops before the second.) Every execution that is explored is one of the program. When is none left out?
//
// Take an execution of the program, and leave out both halves of all iterations that fail. On the location, a
// read-modify-write that has read from one of them now reads from what comes before it in co: the write that it read
// from, through read-modify-writes, so nothing new is ordered and much less is. What is left must still do what it did:
//
//   - A read-modify-write that adds, and whose result nobody looks at (Operation::resultIsUnused), does not mind another value.
//     Nor does one that computes something else, such as to clear the bit of a writer, if it makes no difference whether
//     the flicker is added before or after: if it writes w for v, it must write w + d for v + d (isIndifferent).
//   - A loop that waits until a compare-exchange succeeds goes round in vain with all that it reads but one value
//     (Operation::resultIsUnused; native/loops/attempts.h). The rounds that fail can be left out. That it succeeds must not be due
//     to a flicker: v + d must not be what it expects if v is not.
//   - An attempt that succeeds looks at nothing but its condition. While others flicker by d it has found v + d good
//     enough; it must find v good enough, too. That is checked for each value v that the location has, and each d that
//     the other attempts may add up to (isOvercome).
//   - Every other access, of a thread that initialises the counter, say, or asserts what it is in the end, would
//     notice. So it must be ordered with the attempts of other threads: before the thread comes to the attempt, or
//     after the attempt has succeeded. Then coherence has it before all of the flicker, or after (noticing).
//
// If in some execution there is an access that does not fit, and it may be that there is none but for the attempts, the
// exploration starts again without attempts (NoticedAttempt): the thesis rolls a single loop back, when two reads have
// seen the same flicker. That test does not find all. Two fetch-and-adds in turn whose results are used notice that the
// counter went down in between, and each write is still read once:
//
//     while (x.fetch_add(1) != 42) x.fetch_sub(1);   ||   a = x.fetch_add(1); b = x.fetch_add(1); assert(b == a + 1);
//
// Likewise a loop that takes a mutex, looks at what it protects, and gives it back: its iterations can be left out,
// unless somebody tries to take the mutex and finds it taken (checkMutex). There the iteration is executed once, and its
// thread stops afterwards. Whatever comes after it at the mutex also comes without it, or before it. So nothing does: to
// give a mutex back after an iteration in vain leaves it polled (kPolled), in which state only others that poll can take
// it (LockOp::poll), as they may all find nothing, and the program hangs. The thesis counts the same executions: there
// the thread stops with the mutex in its hands.
//
// But the iteration may race with something that comes after such a turn, and that would be missed. An access that comes
// after a turn at the mutex later than the iteration in porf comes after the iteration in happens-before too, if every
// read in between synchronises with the write that it reads from; then there is no race. So all of them have to
// (checkPolls), and if one does not the exploration starts again, without LockOp::poll (UnsynchronisedPoll).
//
// That it is enough to look at the executions with attempts: of those executions of the program that have an access
// that does not fit, take one and in it the first such access, by porf. Before it everything fits, so the iterations
// can be left out there, and what remains is the beginning of an execution with attempts, in which the same threads
// wait at the same attempts, and in which the access does not fit either.

#include <algorithm>

#include "explore/explorer.h"

namespace heddle::explore {

namespace {

Value deltaOf(const Operation& attempt) { return attempt.rmw == RmwOp::sub ? Value{0} - attempt.operand() : attempt.operand(); }

bool adds(const Operation& operation) { return operation.rmw == RmwOp::add || operation.rmw == RmwOp::sub; }

}  // namespace

// What attempts may add to a location while they are under way. Each thread is in one at most.
class Explorer::Flicker {
 public:
  // Of the attempts of other threads than this one.
  Flicker(const Graph& graph, const std::vector<EventId>& attempts, ThreadId thread) {
    ThreadSet threads;
    for (const EventId attempt : attempts) {
      if (graph[attempt].thread == thread) continue;
      threads.insert(graph[attempt].thread);
      const Value delta = deltaOf(graph.operation(attempt));
      if (std::find(deltas_.begin(), deltas_.end(), delta) == deltas_.end()) deltas_.push_back(delta);
    }
    most_ = threads.size();
  }

  // Does the predicate hold for one of the sums, 0 among them? If they are too many to try: for all that is known.
  template <class Predicate>
  bool mayBe(const Predicate& predicate) const {
    if (deltas_.empty()) return predicate(Value{0});
    if (deltas_.size() > 2) return true;
    const Value other = deltas_.size() == 2 ? deltas_[1] : 0;
    for (Value first = 0; first <= most_; ++first) {
      for (Value second = 0; first + second <= most_; ++second) {
        if (predicate(first * deltas_[0] + second * other)) return true;
      }
    }
    return false;
  }

 private:
  std::vector<Value> deltas_;
  Value most_ = 0;
};

// A full graph.
void Explorer::checkAttempts() const {
  for (const ThreadId thread : threadsIn(ThreadState::blocked)) {
    if (pending_[thread].address != 0) checkMutex(thread);
  }
  if (!attempts_) return;
  for (LocationId location = 1; location < graph_.locations(); ++location) checkAttempts(location);
}

void Explorer::checkAttempts(LocationId location) const {
  std::vector<EventId> attempts;
  for (EventId write = graph_.location(location).coTail; write != kNone; write = graph_[write].coPrev) {
    for (EventId read = graph_[write].firstReader; read != kNone; read = graph_[read].readerNext) {
      if (graph_.operation(read).isTakenBack()) attempts.push_back(read);
    }
  }
  for (const EventId attempt : attempts) {
    const std::uint32_t source = graph_.operation(attempt).source;
    if (const EventId access = noticing(attempt, attempts)) throw NoticedAttempt{source, graph_.operation(access).source};
    if (isOvercome(attempt, attempts)) throw NoticedAttempt{source, source};
  }
}

// A thread that is stopped where it would take a mutex once more, having given it back. Who merely locks and unlocks it
// cannot tell how often; who tries to take it can.
void Explorer::checkMutex(ThreadId thread) const {
  const auto accesses = [&](EventId id, OperationKind kind) {
    return graph_.operation(id).kind == kind && graph_.operation(id).address == pending_[thread].address;
  };
  EventId taken = graph_.last(thread);
  while (taken != kNone && graph_[taken].thread == thread &&
         !(graph_[taken].isRead() && accesses(taken, OperationKind::lock))) {
    taken = graph_[taken].poPrev;
  }
  if (taken == kNone || graph_[taken].thread != thread) return;
  for (EventId id = graph_.newest(); id != kNone; id = graph_[id].orderPrev) {
    if (graph_[id].thread == thread || !accesses(id, OperationKind::cas)) continue;
    if (!graph_.inPrefix(poView(taken), id)) throw NoticedAttempt{pending_[thread].source, graph_.operation(id).source};
  }
}

// Has the thread that gives a mutex back found nothing, and waits now to look once more?
bool Explorer::hasPolledInVain(EventId unlock) const {
  const Operation& operation = graph_.operation(unlock);
  const ThreadId thread = graph_[unlock].thread;
  return operation.kind == OperationKind::unlock && state_[thread] == ThreadState::blocked &&
         pending_[thread].address == operation.address && graph_.operation(graph_[unlock].coPrev).isPoll();
}

// A full graph.
void Explorer::checkPolls() {
  for (const ThreadId thread : threadsIn(ThreadState::locking)) polls_ |= pending_[thread].isPoll();
  if (!polls_ || !options_.races) return;
  for (EventId id = graph_.newest(); id != kNone; id = graph_[id].orderPrev) {
    const Event& event = graph_[id];
    if (!event.isRead() || isInitial(event.rf) || graph_[event.rf].thread == event.thread) continue;
    if (!graph_.inPrefix(graph_.view(id, consistency_.views().raceView()), event.rf)) throw UnsynchronisedPoll();
  }
}

// An access that is neither before the attempt nor after its success, and not indifferent to it.
EventId Explorer::noticing(EventId attempt, const std::vector<EventId>& attempts) const {
  const auto fits = [&](EventId id) {
    if (isInitial(id) || graph_[id].thread == graph_[attempt].thread) return true;
    if (graph_.inPrefix(poView(attempt), id)) return true;
    const bool succeeded = graph_[attempt].rmw;
    if (succeeded && graph_.inPrefix(graph_.view(id, consistency_.views().coherenceView()), graph_[attempt].poNext))
      return true;
    return isIndifferent(id, attempts);
  };
  for (EventId write = graph_.location(graph_[attempt].location).coTail; write != kNone; write = graph_[write].coPrev) {
    if (!fits(write)) return write;
    for (EventId read = graph_[write].firstReader; read != kNone; read = graph_[read].readerNext) {
      if (!fits(read)) return read;
    }
  }
  return kNone;
}

// Does it make no difference to an access, or to what comes of it, that attempts of other threads are under way?
bool Explorer::isIndifferent(EventId access, const std::vector<EventId>& attempts) const {
  const Operation& operation = graph_.operation(access);
  if (operation.isTakenBack()) return true;  // isOvercome
  if (!operation.resultIsUnused) return false;
  switch (operation.kind) {
    case OperationKind::load: return true;
    case OperationKind::cas: return !isOvercome(access, attempts);
    case OperationKind::rmw: break;
    default: return false;
  }
  if (adds(operation)) return true;
  const EventId read = graph_[access].isRead() ? access : graph_[access].poPrev;
  const Value found = graph_[read].value;
  const Value written = valueWritten(operation, found);
  return !Flicker(graph_, attempts, graph_[access].thread).mayBe([&](Value added) {
    return valueWritten(operation, truncate(found + added, operation.size)) != truncate(written + added, operation.size);
  });
}

// Is there a value of the location that is not good enough, but would be while other attempts are under way?
bool Explorer::isOvercome(EventId attempt, const std::vector<EventId>& attempts) const {
  const Flicker flicker(graph_, attempts, graph_[attempt].thread);
  const Operation& operation = graph_.operation(attempt);
  for (EventId write = graph_.location(graph_[attempt].location).coTail; write != kNone; write = graph_[write].coPrev) {
    const Value value = graph_[write].value;
    if (operation.expects(value)) continue;
    if (flicker.mayBe([&](Value added) { return operation.expects(value + added); })) return true;
  }
  return false;
}

}  // namespace heddle::explore
