#include "explore/explorer.h"

#include <bit>

#include "explore/exploration.h"

namespace heddle {

Explorer::Explorer(Program& program, const model::CompiledModel& model, ExploreOptions options, Observer& observer)
    : Threads(program),
      options_(options),
      observer_(observer),
      consistency_(model, program, options.races, options.equivalence == Equivalence::co),
      graph_(program.threadCount() <= Graph::kMaxThreads
                 ? program.threadCount()
                 : throw LimitError("the program has more than 64 threads"),
             consistency_.views(), program.initialValuesVary()) {}

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
  for (std::uint64_t rest = readers; rest != 0; rest &= rest - 1) {
    const int thread = std::countr_zero(rest);
    if (!isAwaiting(static_cast<ThreadId>(thread))) return thread;
  }
  return readers != 0 ? std::countr_zero(readers) : -1;
}

// A new event for the thread's pending operation.
EventId Explorer::addEvent(ThreadId thread, EventKind kind, EventClass cls) {
  const EventId id = graph_.append(thread, kind, cls);
  graph_.operation(id) = pending_[thread];
  graph_[id].mark = program_.mark(thread);
  ++statistics_.added;
  return id;
}

// Takes the newest event out again and pauses its thread at the event's operation.
void Explorer::dropEvent(EventId id) {
  const Event& event = graph_[id];
  const ThreadId thread = event.thread;
  awaiting_ = 0;
  program_.rewind(thread, event.mark);
  setPending(thread, graph_.operation(id));
  program_.release(event.mark);
  graph_.removeNewest();
}

bool Explorer::extend(ThreadId thread) {
  consistency_.settle(graph_);
  const Operation& operation = pending_[thread];
  switch (operation.kind) {
    case OperationKind::load:
    case OperationKind::rmw:
    case OperationKind::cas:
    case OperationKind::lock: return addRead(thread);
    case OperationKind::store:
    case OperationKind::unlock: return addWrite(thread);
    case OperationKind::choose: {
      const EventId id = addEvent(thread, EventKind::choice, kChoiceClass);
      graph_[id].choices = static_cast<std::uint32_t>(operation.choices());
      consistency_.computeViews(graph_, id);
      trail_.push_back({.kind = FrameKind::choice, .event = id});
      resumeThread(thread, {.value = 0});
      return true;
    }
    case OperationKind::notify:
    case OperationKind::stopWaiting: {
      const EventId id = addEvent(thread, EventKind::choice, kChoiceClass);
      consistency_.computeViews(graph_, id);
      break;
    }
    case OperationKind::fence: {
      const EventId id = addEvent(thread, EventKind::fence, eventClass(EventKind::fence, operation.order, false));
      consistency_.computeViews(graph_, id);
      break;
    }
    case OperationKind::spawn: {
      const ThreadId child = operation.thread;
      if (child >= graph_.threads() || state_[child] != ThreadState::absent) {
        throw ProgramError("a thread is started twice: " + program_.sourceText(operation.source));
      }
      const EventId id = addEvent(thread, EventKind::thread, eventClass(EventKind::thread, Order::plain, false));
      graph_[id].partner = child;
      consistency_.computeViews(graph_, id);
      graph_.setStart(child, id);
      startThread(child);
      break;
    }
    case OperationKind::join: {
      const std::uint64_t rest = operation.joinsRest ? unjoined(graph_) : 0;
      if (rest != 0) pending_[thread].thread = static_cast<ThreadId>(std::countr_zero(rest));
      const ThreadId child = operation.thread;
      const EventId id = addEvent(thread, EventKind::thread, eventClass(EventKind::thread, Order::plain, false));
      graph_[id].partner = child;
      const EventId end = graph_.last(child);
      if (end != kNone) clock::join(graph_.porf(id), graph_.porf(end), graph_.chunks());
      consistency_.computeViews(graph_, id);
      // What the thread did after its last event happens before this, too.
      if (options_.races) {
        const bool any = end != kNone && graph_[end].thread == child;
        graph_.view(id, consistency_.raceView())[child] = static_cast<Lane>(any ? graph_[end].index + 1 : 1);
      }
      graph_.setJoin(child, id);
      trail_.push_back({.kind = FrameKind::event, .event = id});
      resumeThread(thread, {.value = rest & (rest - 1)});
      return true;
    }
    case OperationKind::arrive: {
      const EventId id = addEvent(thread, EventKind::thread, eventClass(EventKind::thread, Order::plain, false));
      graph_.noteMeeting(id);
      const bool room = arrive(id);
      consistency_.computeViews(graph_, id);
      trail_.push_back({.kind = FrameKind::event, .event = id});
      resumeThread(thread, {.value = graph_[id].partner, .success = room});
      return true;
    }
    case OperationKind::depart: {
      const std::uint32_t round = roundOf(thread);
      const EventId id = addEvent(thread, EventKind::thread, eventClass(EventKind::thread, Order::plain, false));
      graph_[id].partner = round;
      graph_.noteMeeting(id);
      graph_.forEachArrival(id, [&](EventId arrival) { clock::join(graph_.porf(id), graph_.porf(arrival), graph_.chunks()); });
      consistency_.computeViews(graph_, id);
      break;
    }
    case OperationKind::block:
    case OperationKind::error:
    case OperationKind::end: return false;
  }
  trail_.push_back({.kind = FrameKind::event, .event = graph_.newest()});
  resumeThread(thread, {});
  return true;
}

bool Explorer::nextChoice(Frame& frame) {
  Event& event = graph_[frame.event];
  if (event.value + 1 >= event.choices) return false;
  ++event.value;
  event.nonMaximal = true;
  ++statistics_.added;
  program_.rewind(event.thread, event.mark);
  resumeThread(event.thread, {.value = event.value});
  return true;
}

// Moves the newest choice point to its next alternative. True: go forward from there. False: it was undone, or
// another one was put on top of it; go on with the newest.
bool Explorer::advance() {
  Frame& frame = trail_.back();
  ++frame.ordinal;
  switch (frame.kind) {
    case FrameKind::read: return nextRead();
    case FrameKind::write: return nextWrite();
    case FrameKind::revisit: return nextRevisit();
    case FrameKind::stuck: return nextStuck();
    case FrameKind::choice:
      if (nextChoice(frame)) return true;
      break;
    case FrameKind::event: {
      const Event& event = graph_[frame.event];
      if (event.kind == EventKind::thread) {
        const auto other = static_cast<ThreadId>(event.partner);
        if (graph_.operation(frame.event).kind == OperationKind::spawn) {
          graph_.setStart(other, kNone);
          unstart(other);
        } else if (graph_.operation(frame.event).kind == OperationKind::join) {
          graph_.setJoin(other, kNone);
        }
      }
      break;
    }
  }
  dropEvent(frame.event);
  trail_.pop_back();
  return false;
}

// No thread can go on. Returns false when the observer has seen enough.
bool Explorer::fullGraph() {
  const std::uint64_t failed = threadsIn(ThreadState::failed);
  if (failed == 0 && !statistics_.race) {
    checkAttempts();
    checkPolls();
  }
  const std::uint64_t stuck = waitingInVain();
  for (std::uint64_t rest = failed; rest != 0; rest &= rest - 1) {
    const auto thread = static_cast<ThreadId>(std::countr_zero(rest));
    observer_.error(graph_, thread, pending_[thread]);
  }
  statistics_.errors += failed != 0;
  if (isPassedOver(stuck != 0)) return true;
  if (stuck != 0) {
    ++statistics_.blocked;
    return observer_.blocked(graph_);
  }
  ++statistics_.executions;
  return observer_.execution(graph_);
}

Statistics Explorer::run(const Subtree& part) { return Exploration<Explorer>::run(*this, part); }

void Explorer::checkRaces(EventId id) {
  if (!options_.races || statistics_.race) return;
  const Event& event = graph_[id];
  Location& location = graph_.location(event.location);
  const bool plain = contains(classes::kPlain, event.cls);
  location.plain |= plain;
  if (!location.plain) return;
  const Lane* view = graph_.view(id, consistency_.raceView());
  const auto conflicts = [&](EventId other) {
    const Event& o = graph_[other];
    return o.thread != event.thread && (plain || contains(classes::kPlain, o.cls)) && !graph_.inPrefix(view, other);
  };
  EventId racing = kNone;
  for (EventId w = location.coTail; w != kNone && racing == kNone; w = graph_[w].coPrev) {
    if (!isInitial(w) && w != id && conflicts(w)) racing = w;
    if (!event.isWrite()) continue;
    for (EventId r = graph_[w].firstReader; r != kNone; r = graph_[r].readerNext) {
      if (r != id && conflicts(r)) racing = r;
    }
  }
  if (racing == kNone || replaying_) return;
  statistics_.race = true;
  observer_.race(graph_, {racing, id});
}

}  // namespace heddle
