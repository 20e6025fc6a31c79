// The explorer: every consistent execution of a program, each exactly once (TruSt, Algorithm 1).
//
// A loop over choice points on one graph. Going forward, the next thread's operation is added in the maximal way
// (a read reads the co-maximal write, a write goes last in co), which needs no consistency check (extensibility),
// until no thread can go on: a full execution. Going back, the newest choice point moves to its next alternative:
//
//   read       reads an older write                                  (forward revisit; load.cpp, read.cpp)
//   write      takes an earlier place in co, then revisits reads     (backward revisit; revisit.cpp)
//   revisit    a read that now reads a later write: that write's places in co
//   choice     the next value
//   stuck      every thread has ended or waits: the waiting ones may still come first at their locks (lock.cpp)
//
// Alternatives are checked when they are tried. A choice point with no alternative left is undone. All state of the
// search is the trail of choice points, the graph, and the events that the revisits under way have set aside, so
// memory does not grow with the number of executions.
//
// Which thread is next: one whose operation is not a read if there is one, otherwise the lowest-numbered reader.
// Adding writes first makes most revisits forward ones. A reader that the co-maximal write would block waits as long as
// some other thread can go on (await.cpp). With --stale, so does one that has read that write often enough (stale_reads.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "explore/coherence.h"
#include "explore/consistency.h"
#include "explore/exploration.h"
#include "graph/graph.h"

namespace heddle::explore {

inline constexpr StateTable kExplorerStates = {
    ThreadState::reading,  // load
    ThreadState::ready,    // store
    ThreadState::reading,  // rmw
    ThreadState::reading,  // cas
    ThreadState::ready,    // fence
    ThreadState::ready,    // spawn
    ThreadState::joining,  // join
    ThreadState::locking,  // lock
    ThreadState::ready,    // unlock
    ThreadState::ready,    // arrive
    ThreadState::meeting,  // depart
    ThreadState::ready,    // choose
    ThreadState::ready,    // notify
    ThreadState::ready,    // stopWaiting
    ThreadState::ready,    // beginRound
    ThreadState::ready,    // transaction
    ThreadState::ready,    // flush
    ThreadState::ready,    // crash
    ThreadState::ready,    // recover
    ThreadState::blocked,  // block
    ThreadState::failed,   // error
    ThreadState::ended,    // end
};
static_assert(kExplorerStates.back() == ThreadState::ended, "a kind of operation has no row");

struct ChoicePoint {
  enum class Phase : std::uint8_t { placing, revisiting };

  ChoiceKind kind;
  Phase phase = Phase::placing;       // write
  bool spurious = false;              // read, revisit: the option being explored fails although the value matches
  bool placed = false;                // write, revisit: the write is in co
  bool reordered = false;             // read, revisit: the option needed another coherence order (rf equivalence)
  bool transient = false;             // write: of a read-modify-write that is there for one step; its thread has not gone on
  EventId event;                      // revisit: the revisiting write
  EventId cursor = kNone;             // read: the write read; write: next event to look at; revisit: the read;
                                      // stuck: the next thread
  std::uint32_t saved = 0;            // revisit: its SavedRevisit
  std::uint32_t ordinal = 0;          // how often it has moved on (subtree.h)
  Consistency::Mark consistency = 0;  // read, write, revisit: before the option being explored
};

class Explorer;
class Symmetry;
extern template class Exploration<Explorer, Graph, Consistency, ChoicePoint>;

class Explorer final : public Exploration<Explorer, Graph, Consistency, ChoicePoint> {
 public:
  Explorer(Program& program, const model::CompiledModel& model, const ExploreOptions& options, Observer& observer);
  ~Explorer() override;

  // Under the rf equivalence a full graph stands for all its consistent coherence orders: see AnyExplorer.
  bool leavesCoherenceOpen() const override { return options_.equivalence == Equivalence::rf; }
  void forEachCoherence(const std::function<void()>& visit) { finder_.forEach(graph_, visit); }
  void forFirstCoherence(const CoherenceDemand& demand, const std::function<void()>& visit) override {
    finder_.forFirst(graph_, demand, visit);
  }
  void forEachEnd(std::span<const ByteRange> bytes, const std::function<bool()>& visit) override {
    finder_.forEachEnd(graph_, graph_.locationsOf(bytes), visit);
  }

 private:
  using Base = Exploration<Explorer, Graph, Consistency, ChoicePoint>;
  friend Base;
  using Phase = ChoicePoint::Phase;

  // What a backward revisit changed, to be undone.
  struct SavedRevisit : SetAside {
    EventId oldRf;
    bool claimed;    // the write took over its source from a conflicting read-modify-write
    bool overtaken;  // the read went with the deleted events: a lock's (lock.cpp),
    bool parked;     // or one that waits for another value (overtaken_await.cpp)
  };

  enum class Commit { forward, backtrack, rejected };

  // The next step, and the one back (explorer.cpp).
  int nextThread();
  int nextConfirmingFirst();
  int nextOther();
  int nextOfWaiting();
  bool extend(ThreadId thread) {
    consistency_.settle(graph_);
    return Base::extend(thread);
  }
  void pushEvent(ChoiceKind kind, EventId id) { trail_.push_back({.kind = kind, .event = id}); }
  void dropEvent(EventId id) {
    awaiting_.clear();
    Base::dropEvent(id);
  }
  void noteDependencies(EventId id) {
    if (graph_.dependencies() == nullptr) return;
    program_.dependencies(graph_[id].thread, dependencies_);
    graph_.dependencies()->add(graph_, id, dependencies_);
  }
  void noteDependenciesOfWrite(EventId read, EventId write) {
    if (graph_.dependencies() != nullptr) graph_.dependencies()->addWriteOf(read, write);
  }
  bool fullGraph() { return (options_.alike != nullptr && !standsForItsClass()) || reportGraph(); }
  bool reportGraph();
  bool unusualGraph();
  void failedGraph() { reportGraph(); }

  // Threads that are alike (symmetry.cpp).
  bool leavesFruitless();
  bool standsForItsClass();

  // Parts of the tree (split.cpp).
  std::uint64_t mixEdges(std::uint64_t digest, EventId id) const;
  // No thread can go on; those that wait for locks may still overtake. False: move on the newest choice point.
  bool goToFullGraph() {
    if (someIn(anyOf(ThreadState::locking))) trail_.push_back({.kind = ChoiceKind::stuck, .event = kNone});
    return false;
  }
  bool mayHaveMore(const ChoicePoint& frame) const;
  bool mayRevisitFrom(EventId write, EventId cursor) const;
  void skipRead(ChoicePoint& frame);
  void skipWrite(const ChoicePoint& frame);
  void skipRevisit(ChoicePoint& frame);

  // Threads that wait for another value (await.cpp).
  bool isAwaiting(ThreadId thread);
  bool postpone(EventId read);

  // Awaits that are overtaken (overtaken_await.cpp).
  bool isChain(LocationId location) const;
  bool followsInChain(EventId write) const;
  bool mayPark(EventId read) const;
  bool park();
  void checkChain(EventId write) const;

  // Compare-exchanges right after a load (confirmation.cpp).
  bool confirms(const Operation& operation, EventId last, ThreadId thread) const;
  int nextConfirming();
  bool isKnownToComeBack(EventId read) const;
  bool failsToConfirm(EventId read) const;
  bool isFixed(EventId load) const;
  bool isFruitless(EventId read) const;
  bool isLookedAt(EventId write) const;
  void noteConfirmed(EventId read);
  void checkConfirmed() const;

  // How often overwritten writes are read (stale_reads.cpp).
  unsigned timesRead(EventId write, ThreadId thread, EventId except) const;
  bool hasYieldedSince(EventId write, LocationId location, ThreadId thread, const Operation& operation, EventId previous) const;
  unsigned timesInVain(ThreadId thread) const;
  bool isTooStale(EventId read);
  int leastStale(const ThreadSet& readers);

  // Attempts that wait (zero_net_effect.cpp).
  void checkAttempts() const;
  void checkAttempts(LocationId location) const;
  void checkMutex(ThreadId thread) const;
  bool hasPolledInVain(EventId unlock) const;
  void checkPolls();
  class Flicker;
  EventId noticing(EventId attempt, const std::vector<EventId>& attempts) const;
  bool isIndifferent(EventId access, const std::vector<EventId>& attempts) const;
  bool isOvercome(EventId attempt, const std::vector<EventId>& attempts) const;

  // Stores in rounds that are left out (redone_stores.cpp).
  void checkRedoneStores() const;
  EventId olderOwnWrite(EventId store) const;
  bool isNoticed(EventId store) const;
  bool isNoticedGuard(EventId guard) const;

  // Loads (load.cpp).
  bool isLoad(const Operation& operation) const {
    return operation.kind == OperationKind::load && options_.equivalence == Equivalence::co;
  }
  bool addLoad(ThreadId thread);
  bool nextLoad();

  // All other reads (read.cpp).
  bool addRead(ThreadId thread) { return isLoad(pending_[thread]) ? addLoad(thread) : addOtherRead(thread); }
  bool nextRead() { return isLoad(graph_.operation(trail_.back().event)) ? nextLoad() : nextOtherRead(); }
  bool addOtherRead(ThreadId thread);
  bool nextOtherRead();
  bool nextReadOption(ChoicePoint& frame);
  // Decides what the read does with the write's value.
  void takeValue(EventId read, EventId write, bool spurious) {
    graph_[read].value = graph_[write].value;
    takeEffect(read, spurious);
  }
  Commit commitRead(EventId read, bool maximal, EventId alsoAdded, bool rewind);
  // Is the thread blocked by what it has just read?
  bool isFutile(ThreadId thread) const {
    return state_[thread] == ThreadState::blocked && options_.skipFutile && options_.equivalence == Equivalence::co &&
           !pending_[thread].mattersInItself;
  }
  bool holds(EventId read, bool maximal, EventId alsoAdded, EventId rmwWrite);
  EventId addRmwWrite(EventId read);

  // Writes and backward revisits (write.cpp, revisit.cpp).
  bool addWrite(ThreadId thread);
  bool nextWrite();
  bool nextPlace(ChoicePoint& frame);
  EventId nextRevisitable(const ChoicePoint& frame);
  bool isMaximallyAdded(EventId id, EventId revisitor) const;
  bool mayRevisit(EventId write) const;
  EventId obstacleTo(EventId read, EventId write) {
    const EventId conflict = graph_[write].rmwReader;
    const bool conflicts = graph_[read].rmw && conflict != kNone && options_.equivalence == Equivalence::co;
    return conflicts ? obstacleTo(read, write, conflict) : kNone;
  }
  EventId obstacleTo(EventId read, EventId write, EventId conflict);
  bool isLasting(EventId read, EventId obstacle) const;
  void beginRevisit(EventId write, EventId read, bool transient, bool parks);
  void endRevisit(const ChoicePoint& frame);
  bool nextRevisit();
  bool nextRevisitOption(ChoicePoint& frame);
  bool isCoherent(EventId read) const;

  // Barriers (barrier.cpp).
  template <class Counts, class GoOn>
  Value arrived(const Operation& barrier, Counts counts, GoOn goOn) const;
  Value arrivedInRound(const Operation& barrier, std::uint32_t round) const;
  Value expectedIn(const Operation& barrier, std::uint32_t round) const;
  bool arrive(EventId arrival);
  std::uint32_t roundOf(ThreadId departing) const;
  bool isMet(ThreadId departing) const;
  bool addArrival(ThreadId thread);
  bool addDeparture(ThreadId thread);

  // Locks (lock.cpp).
  bool isFree(ThreadId locking);
  void checkHeld(ThreadId unlocking, LocationId location) const;
  static bool mayOnlyLook(const Operation& lock);
  EventId overtakerOf(EventId read) const;
  bool nextStuck();
  bool isPassedOver(bool stuck);

  // The rf equivalence (reads_from.cpp).
  bool isOverwritten(EventId read) const;
  bool findCoherence(EventId transient);
  void leaveOption(ChoicePoint& frame) {
    consistency_.rollBack(graph_, frame.consistency);
    if (frame.reordered) restoreCoherence(frame);
  }
  void restoreCoherence(ChoicePoint& frame);
  bool isMaximalExtension(EventId write, EventId read);

  void checkRaces(EventId id) {
    if (mayRace(id, graph_.location(graph_[id].location).plain)) findRace(id);
  }
  void findRace(EventId id);

  CoherenceFinder finder_{consistency_};
  std::unique_ptr<Symmetry> symmetry_;  // if there are alike threads

  Dependencies dependencies_;  // of the event that is being added

  ThreadSet awaiting_;  // readers that are known to be blocked by a write; and that write
  std::array<EventId, Trail::kMaxThreads> blockingWrite_{};

  bool parks_ = false;                 // awaits may be overtaken,
  unsigned parked_ = 0;                // and so many of the revisits under way have done that
  bool confirms_ = false;              // confirmations do not fail,
  bool hasConfirmed_ = false;          // and there has been one,
  std::vector<LocationId> confirmed_;  // at these locations
  bool attempts_ = false;              // there has been one
  bool polls_ = false;                 // somebody polls a mutex
  bool redone_ = false;                // there has been a store that may be left out

  std::vector<SavedRevisit> savedRevisits_;
  std::vector<SavedCoherence> savedCoherence_;
};

}  // namespace heddle::explore
