// What both explorers (explorer.h, mixer/mixed_explorer.h) do alike: the loop over choice points, the events that every
// program has (fences, choices, spawns, joins), what a revisit sets aside, and what there is to do about subtrees: say where
// they are, go where one begins, and go down the tree at random.
//
// `Self` is the explorer itself, and says what differs: how reads and writes are added, moved on and taken back. Both work on
// a trail of choice points of their own type, with at least `kind`, `event` and `ordinal`. There are no virtual calls between
// the two halves.
//
// Going to a subtree is exploring without looking around. Each choice point of the path is reached in the usual way and moved
// on as often as its ordinal says, each time right away: the graph is then what it would be if what lies below had been
// explored. What an alternative puts on the trail by itself (the write of a read-modify-write, a revisit) is taken back,
// unexplored, where the path does not go there. So it costs about as much as the path is long.
//
// Who looks at the tree at random (parallel/sample.h) goes from node to node: to a graph, from which it is shown the graphs
// right below.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "explore/any_explorer.h"
#include "explore/digest.h"
#include "explore/read_effect.h"
#include "explore/recovery.h"

namespace heddle::explore {

// What a choice point is about, by the letters of subtree.h. Only where locks wait there are stuck threads (lock.cpp). A crash
// is there while what runs after it is explored; then the execution goes on as if there had been none.
enum class ChoiceKind : std::uint8_t { event, choice, read, write, revisit, stuck, crash };

// What a backward revisit has changed, to be undone.
struct SetAside {
  std::uint32_t firstDeleted, firstThread;  // in deleted_ and savedThreads_
  Value value;                              // of the read, and what else it was
  EventClass cls;
  bool rmw, nonMaximal;
  bool transient;  // the write's thread is still paused at its operation
};

template <class Self, class GraphType, class ConsistencyType, class ChoicePoint>
class Exploration : public AnyExplorer {
 public:
  Statistics run(const Subtree& part = {}) final {
    Begun begun;
    try {
      return explore(part, begun);
    } catch (const StopHere&) {
      throw Stopped{begun.any ? restFrom(begun) : part};
    }
  }

  Subtree rest() const final { return pathTo(trail_.size(), false); }
  Subtree here() const final { return pathTo(trail_.size(), true); }

  // Gives away what the shallowest choice point that may have something left has left.
  std::optional<Subtree> split() final {
    for (std::size_t level = base_; level < trail_.size(); ++level) {
      if (!mayMoveOn(trail_[level])) continue;
      Subtree given = pathTo(level + 1, false);
      base_ = level + 1;
      return given;
    }
    return std::nullopt;
  }

  bool expand(const Node& node, const NodeVisitor& child) final {
    base_ = 0;
    replaying_ = true;
    staleReads_.clear();  // they are not counted where executions are chosen at random
    goTo(node);
    if (options_.stopAtError && !threadsIn(ThreadState::failed).empty()) return true;
    const bool full = self().nextThread() < 0 && !isToCrash();
    const std::size_t bottom = trail_.size();
    bool forward = step(bottom);
    while (trail_.size() > bottom) {
      if (forward) child(nodeBelow(node));
      forward = advance();
    }
    return full;
  }

  bool report(const Node& node) final {
    while (!trail_.empty()) skip();  // races are found where events are added
    statistics_.race = false;
    replaying_ = false;
    goTo(node);
    const bool failed = hasFailed();
    return !self().fullGraph() || (options_.stopAtError && failed);
  }

  bool takeApart(std::span<const EventId> order) final {
    for (auto id = order.rbegin(); id != order.rend(); ++id) graph_.detach(*id);
    return true;
  }
  void putBack(EventId id) final { graph_.reattach(id); }

  const GraphType& graph() const { return graph_; }
  const ExecutionView& execution() const final { return graph_; }
  std::size_t raceView() const final { return consistency_.views().raceView(); }

 protected:
  // `kind`: what else the graph needs to know of the program.
  template <class GraphKind>
  Exploration(Program& program, const StateTable& states, const ExploreOptions& options, Observer& observer,
              ConsistencyType consistency, GraphKind&& kind)
      : AnyExplorer(program, states),
        options_(options),
        observer_(observer),
        consistency_(std::move(consistency)),
        graph_(checkedCount(program.threadCount()), consistency_.views().count(), kind) {}

  static unsigned checkedCount(unsigned threads) {
    if (threads <= kMostThreads) return threads;
    throw LimitError("the program has more than " + std::to_string(kMostThreads) + " threads");
  }

  // ---- The next step.

  bool extend(ThreadId thread) {
    switch (pending_[thread].kind) {
      case OperationKind::load:
      case OperationKind::rmw:
      case OperationKind::cas:
      case OperationKind::lock: return self().addRead(thread);
      case OperationKind::store:
      case OperationKind::unlock: return hasCrashed() ? addNotice(thread) : self().addWrite(thread);
      case OperationKind::choose:
      case OperationKind::recover: return addChoice(thread);
      case OperationKind::notify:
      case OperationKind::stopWaiting:
      case OperationKind::beginRound:
      case OperationKind::flush:
      case OperationKind::crash: return addNotice(thread);
      case OperationKind::transaction: return self().addTransaction(thread);
      case OperationKind::fence: return hasCrashed() ? addNotice(thread) : addFence(thread);
      case OperationKind::spawn: return addSpawn(thread);
      case OperationKind::join: return addJoin(thread);
      case OperationKind::arrive: return self().addArrival(thread);
      case OperationKind::depart: return self().addDeparture(thread);
      case OperationKind::block:
      case OperationKind::error:
      case OperationKind::end: return false;
    }
    return false;
  }

  // A new event for the thread's pending operation.
  EventId addEvent(ThreadId thread, EventKind kind, EventClass cls) {
    const EventId id = graph_.append(thread, kind, cls);
    graph_.operation(id) = pending_[thread];
    graph_[id].mark = program_.mark(thread);
    self().noteDependencies(id);
    ++statistics_.added;
    return id;
  }
  EventId addThreadEvent(ThreadId thread) {
    return addEvent(thread, EventKind::thread, eventClass(EventKind::thread, Order::plain, false));
  }

  // Only one explorer knows transactions.
  [[noreturn]] bool addTransaction(ThreadId thread) const {
    throw Transactions("a transaction: " + program_.sourceText(pending_[thread].source));
  }

  // An event without alternatives is complete.
  bool goOnAfter(EventId id, Result result) {
    self().pushEvent(ChoiceKind::event, id);
    resumeThread(graph_[id].thread, result);
    return true;
  }

  // The write of a read-modify-write, right after its read; without a place and a value.
  EventId addWriteOf(EventId read) {
    const Operation& operation = graph_.operation(read);
    const Order order = operation.kind == OperationKind::lock ? orderOf(operation.lock) : operation.order;
    const EventId write = graph_.append(graph_[read].thread, EventKind::write, eventClass(EventKind::write, order, true));
    graph_.operation(write) = operation;
    graph_[write].mark = graph_[read].mark;
    graph_[write].rmw = true;
    self().noteDependenciesOfWrite(read, write);
    return write;
  }

  // What the read does with its value.
  void takeEffect(EventId read, bool spurious) {
    Event& event = graph_[read];
    event.nonMaximal = spurious;
    const ReadEffect effect = effectOfRead(graph_.operation(read), event.value, spurious);
    event.rmw = effect.writes;
    event.cls = eventClass(EventKind::read, effect.order, effect.writes);
  }

  // The read has just been a successful weak compare-exchange; it may also fail with the same write.
  bool mayFailSpuriously(EventId read) const {
    const Operation& operation = graph_.operation(read);
    return graph_[read].rmw && operation.mayFailSpuriously && options_.spurious;
  }

  // What a thread has observed when it comes to an event.
  const Lane* poView(EventId id) const {
    const EventId previous = graph_[id].poPrev;
    return previous == kNone ? zeroClock_.data() : graph_.view(previous, consistency_.views().coherenceView());
  }

  [[noreturn]] void refuseUnlock(ThreadId thread) const {
    throw ProgramError("a mutex is unlocked by a thread that does not hold it: " +
                       program_.sourceText(pending_[thread].source));
  }

  // ---- The step back.

  // Moves the newest choice point to its next alternative. True: go forward from there. False: it was undone, or
  // another one was put on top of it; go on with the newest.
  bool advance() {
    ChoicePoint& frame = trail_.back();
    ++frame.ordinal;
    switch (frame.kind) {
      case ChoiceKind::read: return self().nextRead();
      case ChoiceKind::write: return self().nextWrite();
      case ChoiceKind::revisit: return self().nextRevisit();
      case ChoiceKind::stuck: return self().nextStuck();
      case ChoiceKind::crash: takeBackCrash(); return self().goToFullGraph();
      case ChoiceKind::choice:
        if (nextChoice(frame)) return true;
        break;
      case ChoiceKind::event:
        self().endOption(frame, true);
        takeBackThreads(frame.event);
        break;
    }
    self().dropEvent(frame.event);
    self().popChoicePoint();
    return false;
  }

  // Takes the newest event out again and pauses its thread at the event's operation.
  void dropEvent(EventId id) {
    const Event& event = graph_[id];
    program_.takeBack(event.thread, event.mark);
    setPending(event.thread, graph_.operation(id));
    graph_.removeNewest();
  }
  // The write of a read-modify-write goes alone: its thread is paused at the read.
  void dropWrite(EventId write) {
    if (graph_[write].rmw) {
      graph_.removeNewest();
    } else {
      self().dropEvent(write);
    }
  }

  // Takes the newest choice point back, with the alternative that it is at.
  void skip() {
    ChoicePoint& frame = trail_.back();
    switch (frame.kind) {
      case ChoiceKind::event: advance(); return;
      case ChoiceKind::stuck: break;
      case ChoiceKind::crash: takeBackCrash(); return;
      case ChoiceKind::choice:
        self().endOption(frame, false);
        self().dropEvent(frame.event);
        break;
      case ChoiceKind::read: self().skipRead(frame); break;
      case ChoiceKind::write: self().skipWrite(frame); break;
      case ChoiceKind::revisit: self().skipRevisit(frame); break;
    }
    self().popChoicePoint();
  }

  // What an explorer does about choice points of its own, if anything.
  void beginOption(ChoicePoint&) {}
  void endOption(ChoicePoint&, bool /*isStep*/) {}
  void popChoicePoint() { trail_.pop_back(); }
  void noteDependencies(EventId /*id*/) {}
  void noteDependenciesOfWrite(EventId /*read*/, EventId /*write*/) {}
  bool nextStuck() { return false; }

  // ---- Revisits.

  // Takes out what a revisit of the read by the write deletes: what was added after the read and is not in the prefix; the
  // read as well, unless it is kept. The threads concerned are paused where they lose events.
  SetAside setAside(EventId write, EventId read, const Lane* prefix, bool keepsRead, bool transient) {
    const Event& r = graph_[read];
    const SetAside saved{static_cast<std::uint32_t>(deleted_.size()),
                         static_cast<std::uint32_t>(savedThreads_.size()),
                         r.value,
                         r.cls,
                         r.rmw,
                         r.nonMaximal,
                         transient};
    std::array<EventId, Trail::kMaxThreads> oldest;  // deleted event of each affected thread
    ThreadSet affected, unspawned;
    affected.insert(r.thread);
    const EventId end = keepsRead ? read : r.orderPrev;
    for (EventId id = graph_.newest(), previous; id != end; id = previous) {
      previous = graph_[id].orderPrev;
      if (id == write || graph_.inPrefix(prefix, id)) continue;
      const Event& event = graph_[id];
      oldest[event.thread] = id;
      affected.insert(event.thread);
      if (event.kind == EventKind::thread && graph_.operation(id).kind == OperationKind::spawn) {
        affected.insert(static_cast<ThreadId>(event.partner));
        unspawned.insert(static_cast<ThreadId>(event.partner));
      }
      graph_.detach(id);
      deleted_.push_back(id);
    }
    if (transient) affected.insert(graph_[write].thread);
    for (const ThreadId thread : affected) {
      saveThread(thread);
      if (transient && thread == graph_[write].thread) continue;
      if (unspawned.contains(thread)) {
        unstart(thread);
      } else if (thread != r.thread || !keepsRead) {
        program_.rewind(thread, graph_[oldest[thread]].mark);
        setPending(thread, graph_.operation(oldest[thread]));
      }
    }
    return saved;
  }

  // The read is what it was; its source is the explorer's to give back.
  void restoreRead(EventId read, const SetAside& saved) {
    Event& r = graph_[read];
    r.value = saved.value;
    r.cls = saved.cls;
    r.rmw = saved.rmw;
    r.nonMaximal = saved.nonMaximal;
  }
  // And so is everything else.
  void putBack(const SetAside& saved) {
    for (std::size_t i = deleted_.size(); i > saved.firstDeleted; --i) graph_.reattach(deleted_[i - 1]);
    deleted_.resize(saved.firstDeleted);
    restoreThreads(saved.firstThread);
  }

  // The write of a read-modify-write that had no place has found one by a revisit: its thread goes on.
  void resumeRevisitor(EventId write) {
    const Event& read = graph_[graph_[write].poPrev];
    resumeThreadFrom(read.mark, read.thread, {.value = read.value, .success = true});
  }

  // ---- Reports.

  // Full graphs with threads that have failed, and then all full graphs. False when the observer has seen enough.
  void reportErrors() {
    const ThreadSet& failed = threadsIn(ThreadState::failed);
    for (const ThreadId thread : failed) observer_.error(graph_, thread, pending_[thread]);
    statistics_.errors += failed.empty() ? 0 : 1;
  }
  // Has the full graph not come to its end? After a crash that is a matter of recovery: who waits then is gone.
  bool isStuck() const {
    if (!someWaitInVain()) [[likely]]
      return false;
    return !hasCrashed() || stuckThreads().contains(options_.recovery->thread());
  }
  bool reportEnd(bool stuck) {
    if (stuck) {
      ++statistics_.blocked;
      return observer_.blocked(graph_);
    }
    ++statistics_.executions;
    return observer_.execution(graph_);
  }

  // At the end of a step back, so that one that has to be taken again says it once; and with every full graph.
  void reportStaleReads() {
    if (staleReads_.empty()) [[likely]]
      return;
    for (const std::uint32_t source : staleReads_) observer_.staleRead(source);
    staleReads_.clear();
  }

  // Can a new access race at all? `hasPlain`: whether its bytes have had a plain access, for ever.
  bool mayRace(EventId id, bool& hasPlain) const {
    if (!options_.races || options_.judgesRaces || statistics_.race) return false;
    hasPlain |= graph_[id].isPlain();
    return hasPlain;
  }
  void noteRace(EventId first, EventId second) {
    if (replaying_) return;
    statistics_.race = true;
    observer_.race(graph_, {first, second});
  }

  ExploreOptions options_;
  Observer& observer_;
  ConsistencyType consistency_;
  GraphType graph_;
  Statistics statistics_;
  std::vector<ChoicePoint> trail_;
  bool replaying_ = false;   // what is met on the way to a subtree has been reported
  unsigned stepsAsked_ = 0;  // to stop, since it began
  std::vector<EventId> deleted_;
  std::vector<std::uint32_t> staleReads_;  // that were left out in this step: where they are (stale_reads.cpp)
  alignas(16) std::array<Lane, Trail::kMaxThreads> zeroClock_{};

 private:
  Self& self() { return static_cast<Self&>(*this); }
  const Self& self() const { return static_cast<const Self&>(*this); }

  // The step that the exploration is taking.
  struct Begun {
    bool any = false;        // not while it goes where the part begins
    bool forward = true;     // it adds to the graph; otherwise it moves on the newest choice point
    std::size_t height = 0;  // of the trail when it began
  };

  Statistics explore(const Subtree& part, Begun& begun) {
    startThreads();
    bool forward = part.isRoot() || replay(part);
    begun.any = true;
    while (true) {
      begun.forward = forward;
      begun.height = trail_.size();
      if (!forward) {
        if (trail_.size() == base_) break;
        forward = advance();
        reportStaleReads();
        if constexpr (requires { self().leavesFruitless(); }) {
          if (forward && options_.alike != nullptr) [[unlikely]]
            forward = !self().leavesFruitless();
        }
        continue;
      }
      if (mustStop()) {
        reportStaleReads();
        throw StopHere{};
      }
#ifdef HEDDLE_INVARIANTS
      graph_.checkInvariants();
#endif
      if (options_.stopAtError && hasFailed()) {
        self().failedGraph();
        return statistics_;
      }
      const int thread = self().nextThread();
      if (thread >= 0) {
        forward = self().extend(static_cast<ThreadId>(thread));
        continue;
      }
      if (isToCrash()) {
        forward = addCrash();
        continue;
      }
      reportStaleReads();
      if (!self().fullGraph()) return statistics_;
      forward = !hasCrashed() && self().goToFullGraph();
      if (!goesOn()) return statistics_;
    }
    reportStaleReads();
    statistics_.complete = true;
    return statistics_;
  }

  // ---- The events that every program has.

  bool addChoice(ThreadId thread) {
    const EventId id = addEvent(thread, EventKind::choice, kChoiceClass);
    const Operation& operation = graph_.operation(id);
    const bool recovers = operation.kind == OperationKind::recover;
    graph_[id].choices = recovers ? options_.recovery->choices(graph_, id) : static_cast<std::uint32_t>(operation.choices());
    consistency_.computeViews(graph_, id);
    self().pushEvent(ChoiceKind::choice, id);
    resumeThread(thread, {.value = chosen(id)});
    return true;
  }

  bool nextChoice(ChoicePoint& frame) {
    Event& event = graph_[frame.event];
    self().endOption(frame, true);
    if (event.value + 1 >= event.choices) return false;
    ++event.value;
    event.nonMaximal = true;
    ++statistics_.added;
    self().beginOption(frame);
    resumeThreadFrom(event.mark, event.thread, {.value = chosen(frame.event)});
    return true;
  }
  // What the thread is told of a choice: its number, or what it finds after a crash.
  Value chosen(EventId id) {
    const auto choice = static_cast<std::uint32_t>(graph_[id].value);
    if (graph_.operation(id).kind == OperationKind::recover) return options_.recovery->found(graph_, id, choice);
    if (hasCrashed()) options_.recovery->resumeAfter(id);
    return choice;
  }

  // A notification, or the end of a wait for one; what recovery does besides reading: nothing to choose, and nothing that memory models
  // know.
  bool addNotice(ThreadId thread) {
    const EventId id = addEvent(thread, EventKind::choice, kChoiceClass);
    consistency_.computeViews(graph_, id);
    return goOnAfter(id, {});
  }

  bool addFence(ThreadId thread) {
    const EventId id = addEvent(thread, EventKind::fence, classOfFence(pending_[thread]));
    consistency_.computeViews(graph_, id);
    return goOnAfter(id, {});
  }

  bool addSpawn(ThreadId thread) {
    const Operation& operation = pending_[thread];
    const ThreadId child = operation.thread;
    if (child >= graph_.threads() || state_[child] != ThreadState::absent) {
      throw ProgramError("a thread is started twice: " + program_.sourceText(operation.source));
    }
    const EventId id = addThreadEvent(thread);
    graph_[id].partner = child;
    consistency_.computeViews(graph_, id);
    graph_.setStart(child, id);
    startThread(child);
    return goOnAfter(id, {});
  }

  bool addJoin(ThreadId thread) {
    const Operation& operation = pending_[thread];
    const ThreadSet rest = operation.joinsRest ? unjoined(graph_) : ThreadSet{};
    if (!rest.empty()) pending_[thread].thread = rest.first();
    const ThreadId child = operation.thread;
    const EventId id = addThreadEvent(thread);
    graph_[id].partner = child;
    const EventId end = graph_.last(child);
    if (end != kNone) clock::join(graph_.porf(id), graph_.porf(end), graph_.chunks());
    consistency_.computeViews(graph_, id);
    // What the thread did after its last event happens before this, too.
    if (options_.races) {
      const bool any = end != kNone && graph_[end].thread == child;
      graph_.view(id, consistency_.views().raceView())[child] = static_cast<Lane>(any ? graph_[end].index + 1 : 1);
    }
    graph_.setJoin(child, id);
    return goOnAfter(id, {.value = rest.size() > 1});
  }

  // ---- A crash (recovery.h).

  bool hasCrashed() const { return options_.recovery != nullptr && state_[options_.recovery->thread()] != ThreadState::absent; }
  // Is this full graph a complete execution, after which something is to run?
  bool isToCrash() { return options_.recovery != nullptr && !hasCrashed() && mayCrash(); }
  [[gnu::noinline]] bool mayCrash() {
    if (hasFailed() || self().isPassedOver(false)) return false;
    return !someWaitInVain() || options_.recovery->crashesWhileSomeWait();
  }

  bool addCrash() {
    const ThreadId thread = options_.recovery->thread();
    if constexpr (requires { consistency_.settle(graph_); }) consistency_.settle(graph_);
    pending_[thread] = Operation::crash();
    const EventId id = addThreadEvent(thread);
    for (unsigned t = 0; t < graph_.threads(); ++t) {
      const EventId end = t == thread ? kNone : graph_.last(static_cast<ThreadId>(t));
      if (end != kNone) clock::join(graph_.porf(id), graph_.porf(end), graph_.chunks());
    }
    consistency_.computeViews(graph_, id);
    if (options_.races) {
      Lane* const view = graph_.view(id, consistency_.views().raceView());
      for (unsigned t = 0; t < graph_.threads(); ++t) {
        const EventId end = graph_.last(static_cast<ThreadId>(t));
        if (t != thread) view[t] = static_cast<Lane>(end != kNone && graph_[end].thread == t ? graph_[end].index + 1 : 1);
      }
    }
    self().pushEvent(ChoiceKind::crash, id);
    options_.recovery->begin(graph_);
    startThread(thread);
    return true;
  }

  void takeBackCrash() {
    self().endOption(trail_.back(), true);
    const EventId id = trail_.back().event;
    unstart(graph_[id].thread);
    program_.release(graph_[id].mark);
    graph_.removeNewest();
    self().popChoicePoint();
  }

  // The event is about to go: so does what a spawn or a join does to another thread.
  void takeBackThreads(EventId id) {
    if (graph_[id].kind != EventKind::thread) return;
    const auto other = static_cast<ThreadId>(graph_[id].partner);
    if (graph_.operation(id).kind == OperationKind::spawn) {
      graph_.setStart(other, kNone);
      unstart(other);
    } else if (graph_.operation(id).kind == OperationKind::join) {
      graph_.setJoin(other, kNone);
    }
  }

  // ---- Subtrees.

  // What is left if a step that was not finished is taken again. It has pushed choice points at the most, and has counted
  // itself at the one that it was to move on.
  Subtree restFrom(const Begun& begun) const {
    Subtree rest = pathTo(std::min(begun.height, trail_.size()), begun.forward);
    rest.digest = 0;
    if (!begun.forward && !rest.path.empty()) --rest.path.back().ordinal;
    return rest;
  }

  PathStep stepOf(std::size_t level) const {
    const ChoicePoint& frame = trail_[level];
    const ThreadId thread = frame.event == kNone ? ThreadId{0} : graph_[frame.event].thread;
    return {"ecrwvsx"[static_cast<unsigned>(frame.kind)], thread, frame.ordinal};
  }

  // The path to the first so many choice points. The digest is that of the whole graph, and left out where the path ends
  // earlier.
  Subtree pathTo(std::size_t height, bool here) const {
    Subtree subtree;
    subtree.base = static_cast<std::uint32_t>(base_);
    subtree.here = here;
    subtree.path.reserve(height);
    for (std::size_t i = 0; i < height; ++i) subtree.path.push_back(stepOf(i));
    if (height == trail_.size()) subtree.digest = digest();
    return subtree;
  }

  // Does the choice point seem to have an alternative left?
  bool mayMoveOn(const ChoicePoint& frame) const {
    switch (frame.kind) {
      case ChoiceKind::event:
      case ChoiceKind::crash: return false;
      case ChoiceKind::choice: return graph_[frame.event].value + 1 < graph_[frame.event].choices;
      default: return self().mayHaveMore(frame);
    }
  }

  // Goes where the subtree begins. True: go forward from there; false: move on the newest choice point.
  bool replay(const Subtree& subtree) {
    replaying_ = !subtree.here;  // otherwise what it begins with, say a race, may be what it is explored for
    bool forward = follow(subtree.path);
    while (trail_.size() > subtree.path.size()) {
      forward = false;
      skip();
    }
    if (subtree.digest != 0 && subtree.digest != digest()) failToRepeat();
    replaying_ = false;
    staleReads_.clear();
    base_ = subtree.base;
#ifdef HEDDLE_INVARIANTS
    if constexpr (requires { trail_.back().fruitful; }) {
      for (auto& frame : trail_) frame.fruitful = true;  // elsewhere, perhaps
    }
#endif
    return subtree.here && forward;
  }

  bool hasFailed() const { return statistics_.race || !threadsIn(ThreadState::failed).empty(); }

  // Between two executions: is there no reason to stop?
  bool goesOn() {
    if (!options_.interrupt || !options_.interrupt->load(std::memory_order_relaxed)) return true;
    if (trail_.size() == base_) return true;  // it has ended, and there is no rest to speak of
    return options_.attendant && options_.attendant->attend(*this);
  }

  // Within an execution, which may take long: does the run have to stop? To ask takes longer than a step. It is asked on the way
  // forward only: restFrom takes it that a step back which was not completed had begun.
  bool mustStop() {
    if (!options_.interrupt || !options_.interrupt->load(std::memory_order_relaxed)) [[likely]]
      return false;
    constexpr unsigned kStepsBetween = 32;
    return ++stepsAsked_ % kStepsBetween == 0 && options_.attendant && options_.attendant->isUrgent();
  }

  [[noreturn]] static void failToRepeat() {
    throw WrongSubtree("the program does not do again what it has done before, so the exploration cannot be shared");
  }

  // As the exploration would, without a report of full graphs.
  bool goOn() {
    const int thread = self().nextThread();
    if (thread >= 0) return self().extend(static_cast<ThreadId>(thread));
    if (isToCrash()) return addCrash();
    return !hasCrashed() && self().goToFullGraph();
  }

  // Goes on along the path, of which the trail is the beginning, up to a node. The result is as that of replay().
  bool follow(const std::vector<PathStep>& path) {
    bool forward = true;
    for (std::size_t level = trail_.size(); level < path.size(); ++level) {
      const PathStep& step = path[level];
      while (trail_.size() <= level) {
        if (!forward) failToRepeat();
        forward = goOn();
      }
      if (trail_[level].kind == ChoiceKind::crash &&
          step.kind != 'x') {  // the path goes on where the crash has been taken back
        while (trail_.size() > level + 1) skip();
        forward = advance();
        if (trail_.size() <= level) failToRepeat();
      }
      while (trail_[level].ordinal != step.ordinal) {
        while (trail_.size() > level + 1) skip();
        forward = advance();
        if (trail_.size() <= level) failToRepeat();
      }
      if (stepOf(level) != step) failToRepeat();
    }
    return forward;
  }

  // By way of the deepest node that the trail and the path have in common.
  void goTo(const Node& node) {
    const auto& path = node.path;
    std::size_t common = 0;
    while (common < std::min(trail_.size(), path.size()) && stepOf(common) == path[common]) ++common;
    const auto after = std::ranges::upper_bound(node.heights, common);
    common = after == node.heights.begin() ? 0 : *std::prev(after);
    while (trail_.size() > common) skip();
    if (!follow(path) && !path.empty()) failToRepeat();
  }

  Node nodeBelow(const Node& node) const {
    Node below{.path = node.path, .heights = node.heights};
    for (std::size_t i = node.path.size(); i < trail_.size(); ++i) below.path.push_back(stepOf(i));
    below.heights.push_back(static_cast<std::uint32_t>(below.path.size()));
    below.kind = kindOf(graph_);
    return below;
  }

  // Adds choice points to a trail of this height. The result is as that of replay().
  bool step(std::size_t bottom) {
    bool forward = true;
    while (trail_.size() <= bottom && forward) forward = goOn();
    return forward;
  }

  // Of the events, who reads from whom, and the coherence order.
  std::uint64_t digest() const {
    std::uint64_t hash = 1;
    for (EventId id = graph_.newest(); id != kNone; id = graph_[id].orderPrev) {
      const Operation& operation = graph_.operation(id);
      hash = util::mix(hash, eventName(graph_, id) << 8 | static_cast<std::uint64_t>(operation.kind));
      hash = util::mix(hash, operation.kind == OperationKind::spawn ? operation.thread : operation.address);
      if (operation.size <= sizeof(Value)) hash = util::mix(hash, graph_[id].value);  // otherwise it is a mere number
      hash = self().mixEdges(hash, id);
    }
    return hash == 0 ? 1 : hash;
  }

  std::size_t base_ = 0;  // choice points below it are not ours to move on
};

}  // namespace heddle::explore
