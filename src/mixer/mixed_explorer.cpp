#include "mixer/mixed_explorer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "explore/exploration.h"

namespace heddle {

MixedExplorer::MixedExplorer(Program& program, const model::CompiledModel& model, ExploreOptions options,
                             MixedObserver& observer)
    : Threads(program),
      options_(options),
      observer_(observer),
      consistency_(model, program, options.races),
      graph_(program.threadCount() <= Graph::kMaxThreads ? program.threadCount()
                                                         : throw LimitError("the program has more than 64 threads"),
             consistency_.views(), program) {}

int MixedExplorer::nextThread() {
  std::uint64_t available = threadsIn(ThreadState::ready);
  for (std::uint64_t rest = threadsIn(ThreadState::joining); rest != 0; rest &= rest - 1) {
    const int thread = std::countr_zero(rest);
    if (canJoin(static_cast<ThreadId>(thread))) available |= std::uint64_t{1} << thread;
  }
  if (available == 0) return -1;
  int best = std::countr_zero(available);
  if (graph_.threadChanges() == 0) return best;
  unsigned bestRank = segments_.rankOfNext(graph_, static_cast<ThreadId>(best));
  for (std::uint64_t rest = available & (available - 1); rest != 0; rest &= rest - 1) {
    const int thread = std::countr_zero(rest);
    const unsigned rank = segments_.rankOfNext(graph_, static_cast<ThreadId>(thread));
    if (rank < bestRank) best = thread, bestRank = rank;
  }
  return best;
}

EventId MixedExplorer::addEvent(ThreadId thread, EventKind kind, EventClass cls) {
  const EventId id = graph_.append(thread, kind, cls);
  graph_.operation(id) = pending_[thread];
  graph_[id].mark = program_.mark(thread);
  ++statistics_.added;
  return id;
}

void MixedExplorer::dropEvent(EventId id) {
  const MixedEvent& event = graph_[id];
  const ThreadId thread = event.thread;
  program_.rewind(thread, event.mark);
  setPending(thread, graph_.operation(id));
  program_.release(event.mark);
  graph_.removeNewest();
}

// What hardware reads or writes at once lies in one aligned block of 16 bytes.
void MixedExplorer::checkFootprint(const Operation& operation) const {
  if (operation.address % kLineBytes + operation.size <= kLineBytes) return;
  throw ProgramError(fmt::format(
      "an access of {} bytes to {} crosses a 16-byte boundary, so no hardware makes it at once: {}", operation.size,
      program_.locationName(operation.address, operation.size), program_.sourceText(operation.source)));
}

// A spawn or a join. Returns its result.
Value MixedExplorer::addThreadEvent(ThreadId thread) {
  const Operation& operation = pending_[thread];
  const std::uint64_t rest = operation.joinsRest ? unjoined(graph_) : 0;
  if (rest != 0) pending_[thread].thread = static_cast<ThreadId>(std::countr_zero(rest));
  const ThreadId child = operation.thread;
  const bool spawn = operation.kind == OperationKind::spawn;
  if (spawn && (child >= graph_.threads() || state_[child] != ThreadState::absent)) {
    throw ProgramError("a thread is started twice: " + program_.sourceText(operation.source));
  }
  const EventId id = addEvent(thread, EventKind::thread, eventClass(EventKind::thread, Order::plain, false));
  graph_[id].partner = child;
  if (spawn) {
    consistency_.computeViews(graph_, id);
    graph_.setStart(child, id);
    startThread(child);
    return 0;
  }
  const EventId end = graph_.last(child);
  if (end != kNone) clock::join(graph_.porf(id), graph_.porf(end), graph_.chunks());
  consistency_.computeViews(graph_, id);
  // What the thread did after its last event happens before this, too.
  if (options_.races) {
    const bool any = end != kNone && graph_[end].thread == child;
    graph_.view(id, consistency_.raceView())[child] = static_cast<Lane>(any ? graph_[end].index + 1 : 1);
  }
  graph_.setJoin(child, id);
  return rest & (rest - 1);
}

bool MixedExplorer::extend(ThreadId thread) {
  const Operation& operation = pending_[thread];
  Result result;
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
      beginOption(pushFrame(FrameKind::choice, id));
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
    case OperationKind::spawn:
    case OperationKind::join: result.value = addThreadEvent(thread); break;
    case OperationKind::arrive:
    case OperationKind::depart:
      throw ProgramError("barriers together with mixed-size accesses are not supported: " +
                         program_.sourceText(operation.source));
    case OperationKind::block:
    case OperationKind::error:
    case OperationKind::end: return false;
  }
  beginOption(pushFrame(FrameKind::event, graph_.newest()));
  resumeThread(thread, result);
  return true;
}

MixedExplorer::Heights MixedExplorer::heights() const {
  const auto height = [](const auto& stack) { return static_cast<std::uint32_t>(stack.size()); };
  return {height(choices_), height(sources_), height(places_), height(candidates_), height(keeps_)};
}

MixedExplorer::Frame& MixedExplorer::pushFrame(FrameKind kind, EventId event) {
  const Heights before = heights();
  return trail_.emplace_back(
      Frame{.kind = kind, .event = event, .heights = before, .next = before.options, .end = before.options});
}

void MixedExplorer::popFrame() {
  const Heights& before = trail_.back().heights;
  choices_.resize(before.options);
  sources_.resize(before.sources);
  places_.resize(before.places);
  candidates_.resize(before.candidates);
  keeps_.resize(before.keeps);
  trail_.pop_back();
}

// Bounded waste (Mixer, Theorem 4.4): a chain of steps none of which leads to a full graph is no longer than the number
// of bytes of a location, here: of a line that are in use. Checked in debug builds. A step is an option that is
// explored; what a write that has no place does is part of the step that added its read.
#ifdef HEDDLE_INVARIANTS
void MixedExplorer::beginOption(Frame& frame) {
  frame.applied = true, frame.fruitful = false, frame.fruitless = 0;
}

void MixedExplorer::endOption(Frame& frame, bool isStep) {
  frame.applied = false;
  if (trail_.size() < 2) return;
  Frame& below = trail_[trail_.size() - 2];
  if (isStep && frame.fruitful) return;
  const unsigned chain = frame.fruitless + (isStep ? 1 : 0);
  int bytes = 0;
  for (LineId l = 1; l < graph_.lines(); ++l) bytes = std::max(bytes, std::popcount(graph_.line(l).known));
  if (chain > static_cast<unsigned>(bytes))
    throw std::logic_error("a fruitless chain is longer than the number of bytes");
  below.fruitless = std::max(below.fruitless, chain);
  frame.fruitless = 0;
}
#else
void MixedExplorer::beginOption(Frame& frame) {
  frame.applied = true;
}
void MixedExplorer::endOption(Frame& frame, bool) {
  frame.applied = false;
}
#endif

bool MixedExplorer::nextChoice(Frame& frame) {
  MixedEvent& event = graph_[frame.event];
  endOption(frame, true);
  if (event.value + 1 >= event.choices) return false;
  ++event.value;
  event.nonMaximal = true;
  ++statistics_.added;
  beginOption(frame);
  program_.rewind(event.thread, event.mark);
  resumeThread(event.thread, {.value = event.value});
  return true;
}

// Moves the newest choice point to its next alternative. True: go forward from there. False: go on with the newest.
bool MixedExplorer::advance() {
  Frame& frame = trail_.back();
  ++frame.ordinal;
  switch (frame.kind) {
    case FrameKind::read: return nextRead();
    case FrameKind::write: return nextWrite();
    case FrameKind::revisit: return nextRevisit();
    case FrameKind::choice:
      if (nextChoice(frame)) return true;
      break;
    case FrameKind::event: {
      endOption(frame, true);
      const MixedEvent& event = graph_[frame.event];
      if (event.kind == EventKind::thread) {
        const auto other = static_cast<ThreadId>(event.partner);
        if (graph_.operation(frame.event).kind == OperationKind::spawn) {
          graph_.setStart(other, kNone);
          unstart(other);
        } else {
          graph_.setJoin(other, kNone);
        }
      }
      break;
    }
  }
  dropEvent(frame.event);
  popFrame();
  return false;
}

// Does a thread wait for a mutex that has been released since it looked, or for something else that is of no interest
// (as in explore/lock.cpp)?
bool MixedExplorer::isPassedOver() const {
  for (std::uint64_t rest = threadsIn(ThreadState::locking); rest != 0; rest &= rest - 1) {
    const auto thread = static_cast<ThreadId>(std::countr_zero(rest));
    const Operation& operation = pending_[thread];
    if (operation.orNever) return true;
    const EventId read = graph_.last(thread);
    bool passedOver = false;
    graph_.forEachCell(read, [&](const Cell& cell) {
      const EventId source = graph_.sourceOf(read, cell.bytes);
      passedOver |= MixedGraph::positionAfter(cell, source) != cell.order.size();
      if (operation.whole() == 0 || operation.lock != LockOp::read || isInitial(source)) return;
      const ThreadId holder = graph_[source].thread;
      passedOver |= state_[holder] == ThreadState::locking && pending_[holder].whole() == operation.whole() &&
                    pending_[holder].part() != 0;
    });
    if (passedOver) return true;
  }
  return false;
}

// No thread can go on. Returns false when the observer has seen enough.
bool MixedExplorer::fullGraph() {
#ifdef HEDDLE_INVARIANTS
  for (Frame& frame : trail_) frame.fruitful = true;
#endif
  return isPassedOver() || report();
}

bool MixedExplorer::report() {
  const std::uint64_t failed = threadsIn(ThreadState::failed);
  const std::uint64_t stuck = waitingInVain();
  for (std::uint64_t rest = failed; rest != 0; rest &= rest - 1) {
    const auto thread = static_cast<ThreadId>(std::countr_zero(rest));
    observer_.error(graph_, thread, pending_[thread]);
  }
  statistics_.errors += failed != 0;
  if (stuck != 0) {
    ++statistics_.blocked;
    return observer_.blocked(graph_);
  }
  ++statistics_.executions;
  return observer_.execution(graph_);
}

Statistics MixedExplorer::run(const Subtree& part) { return Exploration<MixedExplorer>::run(*this, part); }

void MixedExplorer::checkRaces(EventId id) {
  if (!options_.races || statistics_.race) return;
  const MixedEvent& event = graph_[id];
  Line& line = graph_.line(event.line);
  const bool plain = contains(classes::kPlain, event.cls);
  line.plain |= plain;
  if (!line.plain) return;
  const Lane* view = graph_.view(id, consistency_.raceView());
  for (EventId other = graph_.newest(); other != kNone; other = graph_[other].orderPrev) {
    const MixedEvent& o = graph_[other];
    if (o.thread == event.thread || o.line != event.line || (o.bytes & event.bytes) == 0) continue;
    if (!(event.isWrite() || o.isWrite()) || !(plain || contains(classes::kPlain, o.cls))) continue;
    if (graph_.inPrefix(view, other)) continue;
    if (replaying_) return;
    statistics_.race = true;
    observer_.race(graph_, {other, id});
    return;
  }
}

}  // namespace heddle
