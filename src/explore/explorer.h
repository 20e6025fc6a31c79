// The explorer: every consistent execution of a program, each exactly once (TruSt, Algorithm 1).
//
// A loop over choice points on one graph. Going forward, the next thread's operation is added in the maximal way
// (a read reads the co-maximal write, a write goes last in co), which needs no consistency check (extensibility),
// until no thread can go on: a full execution. Going back, the newest choice point moves to its next alternative:
//
//   read       reads an older write                                  (forward revisit; read.cpp)
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
// some other thread can go on (await.cpp).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "explore/coherence.h"
#include "explore/consistency.h"
#include "explore/subtree.h"
#include "explore/threads.h"
#include "graph/graph.h"
#include "program/program.h"

namespace heddle {

enum class Equivalence {
  co,  // Shasha-Snir: executions differ in rf or co
  rf,  // reads-from: executions differ in rf
};

struct Race {
  EventId first, second;
};

// What an exploration reports while it runs. All calls come between two steps, when the graph is consistent.
class Observer {
 public:
  virtual ~Observer() = default;
  // A full execution. Return false to stop exploring.
  virtual bool execution(const Graph&) { return true; }
  // A full graph in which some thread is stuck at a failed assumption, a lock, or a join.
  virtual bool blocked(const Graph&) { return true; }
  // The first data race that was found; later ones are not looked for.
  virtual void race(const Graph&, Race) {}
  // A thread is stopped at a failed assertion. Called once for each full graph, before execution or blocked.
  virtual void error(const Graph&, ThreadId, const Operation&) {}
};

struct Statistics {
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  std::uint64_t errors = 0;     // full graphs with a failed assertion
  std::uint64_t added = 0;      // explored rf, co, and revisit choices
  std::uint64_t revisits = 0;   // backward revisits
  std::uint64_t rejected = 0;   // alternatives found inconsistent
  bool race = false;
  bool complete = false;        // nothing was cut short
};

struct ExploreOptions {
  Equivalence equivalence = Equivalence::co;
  bool races = false;                          // look for data races
  bool spurious = true;                        // weak compare-exchanges may fail spuriously
  bool skipFutile = true;                      // leave out blocked executions that cannot lead to others
  bool stopAtError = false;                    // stop as soon as a thread fails, or a race is found
  const std::atomic<bool>* interrupt = nullptr;  // stop soon after it becomes true
  Attendant* attendant = nullptr;              // or, if there is one, as it says
};

// What an attempt takes back if it fails can be noticed, so it cannot simply wait (zero_net_effect.cpp): the program is to
// be explored without attempts.
class NoticedAttempt : public std::runtime_error {
 public:
  NoticedAttempt(std::uint32_t where, std::uint32_t by)
      : std::runtime_error("what an attempt takes back is noticed"), attempt(where), access(by) {}
  std::uint32_t attempt, access;  // where they are, in the program's numbering
};

// A thread polls in vain, so others are kept from what they do after that; but there are reads that do not synchronise, and
// something may race with the polling thread after that all the same (zero_net_effect.cpp). The program is to be explored
// without LockOp::poll.
class UnsynchronisedPoll : public std::runtime_error {
 public:
  UnsynchronisedPoll() : std::runtime_error("a thread polls, and not every read synchronises") {}
};

template <class AnyExplorer>
struct Exploration;

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
    ThreadState::blocked,  // block
    ThreadState::failed,   // error
    ThreadState::ended,    // end
};

class Explorer final : public Divisible, public Threads<kExplorerStates> {
 public:
  Explorer(Program& program, const model::CompiledModel& model, ExploreOptions options, Observer& observer);

  // Explores a part of the tree; once.
  Statistics run(const Subtree& part = {});

  // Between two executions (split.cpp).
  Subtree rest() const override;
  Subtree here() const override;
  std::optional<Subtree> split() override;

  const Graph& graph() const { return graph_; }
  // Where the happens-before that races are judged by is among the views of an event, if races are looked for.
  std::size_t raceView() const { return consistency_.raceView(); }

  // Under the rf equivalence a full graph stands for all its consistent coherence orders. Calls `visit` with graph()
  // in each of them, in the first that meets a demand, or in one for each way in which these locations can end (until it
  // returns false); only from Observer::execution and Observer::blocked.
  void forEachCoherence(const std::function<void()>& visit) { finder_.forEach(graph_, visit); }
  void forFirstCoherence(const CoherenceDemand& demand, const std::function<void()>& visit) {
    finder_.forFirst(graph_, demand, visit);
  }
  void forEachEnd(std::span<const LocationId> locations, const std::function<bool()>& visit) {
    finder_.forEachEnd(graph_, locations, visit);
  }

 private:
  friend struct Exploration<Explorer>;
  enum class FrameKind : std::uint8_t { event, choice, read, write, revisit, stuck };
  enum class Phase : std::uint8_t { placing, revisiting };

  struct Frame {
    FrameKind kind;
    Phase phase = Phase::placing;   // write
    bool spurious = false;          // read, revisit: the option being explored fails although the value matches
    bool placed = false;            // write, revisit: the write is in co
    bool reordered = false;         // read, revisit: the option needed another coherence order (rf equivalence)
    bool transient = false;         // write: of a read-modify-write that is there for one step; its thread has not gone on
    EventId event;                  // revisit: the revisiting write
    EventId cursor = kNone;         // read: the write read; write: next event to look at; revisit: the read;
                                    // stuck: the next thread
    std::uint32_t saved = 0;        // revisit: its SavedRevisit
    std::uint32_t consistency = 0;  // read, write, revisit: Consistency's mark before the option being explored
    std::uint32_t ordinal = 0;      // how often it has moved on (subtree.h)
  };

  // What a backward revisit changed, to be undone.
  struct SavedRevisit {
    std::uint32_t firstDeleted, firstThread;  // in deleted_ and savedThreads_
    EventId oldRf;
    Value oldValue;
    EventClass oldClass;
    bool oldRmw, oldNonMaximal;
    bool claimed;  // the write took over its source from a conflicting read-modify-write
    bool overtaken;  // the read is a lock's, and went with the deleted events (lock.cpp)
    bool transient;  // the write's thread is still paused at its operation
  };

  enum class Step { forward, backtrack, rejected };

  // The next step, and the one back (explorer.cpp).
  int nextThread();
  bool extend(ThreadId thread);
  bool advance();
  bool fullGraph();
  void failedGraph() { fullGraph(); }
  EventId addEvent(ThreadId thread, EventKind kind, EventClass cls);
  void dropEvent(EventId id);
  bool nextChoice(Frame& frame);

  // Parts of the tree (split.cpp).
  static char letterOf(const Frame& frame);
  static std::uint64_t mixEdges(std::uint64_t digest, const Graph& graph, EventId id);
  bool goToFullGraph();
  bool mayMoveOn(const Frame& frame) const;
  bool mayRevisitFrom(EventId write, EventId cursor) const;
  void skip();

  // Threads that wait for another value (await.cpp).
  bool isAwaiting(ThreadId thread);
  bool postpone(EventId read);

  // Attempts that wait (zero_net_effect.cpp).
  void checkAttempts() const;
  void checkAttempts(LocationId location) const;
  void checkMutex(ThreadId thread) const;
  bool hasPolledInVain(EventId unlock) const;
  void checkPolls();
  EventId noticing(EventId attempt) const;
  bool isOvercome(EventId attempt, const std::vector<EventId>& attempts) const;

  // Reads (read.cpp).
  bool addRead(ThreadId thread);
  bool nextRead();
  bool nextReadOption(Frame& frame);
  void readFrom(EventId read, EventId write, bool spurious);
  bool mayFailSpuriously(EventId read) const;
  Step commitRead(EventId read, bool maximal, EventId alsoAdded, bool rewind);
  bool isFutile(ThreadId thread) const;
  void resumeRevisitor(EventId write);
  bool holds(EventId read, bool maximal, EventId alsoAdded, EventId rmwWrite);
  EventId addRmwWrite(EventId read);

  // Writes and backward revisits (write.cpp, revisit.cpp).
  bool addWrite(ThreadId thread);
  bool nextWrite();
  bool nextPlace(Frame& frame);
  EventId nextRevisitable(const Frame& frame);
  bool isMaximallyAdded(EventId id, EventId revisitor) const;
  bool mayRevisit(EventId write) const;
  EventId obstacleTo(EventId read) const;
  bool isLasting(EventId read) const;
  void beginRevisit(EventId write, EventId read, bool transient);
  void endRevisit(const Frame& frame);
  bool nextRevisit();
  bool nextRevisitOption(Frame& frame);
  bool isCoherent(EventId read) const;

  // Barriers (barrier.cpp).
  template <class Counts, class GoOn>
  Value arrived(const Operation& barrier, Counts counts, GoOn goOn) const;
  Value arrivedInRound(const Operation& barrier, std::uint32_t round) const;
  Value expectedIn(const Operation& barrier, std::uint32_t round) const;
  bool arrive(EventId arrival);
  std::uint32_t roundOf(ThreadId departing) const;
  bool isMet(ThreadId departing) const;

  // Locks (lock.cpp).
  bool isFree(ThreadId locking);
  void checkHeld(ThreadId unlocking, LocationId location) const;
  EventId overtakerOf(EventId lock) const;
  bool nextStuck();
  bool isPassedOver(bool stuck);

  // The rf equivalence (reads_from.cpp).
  bool isOverwritten(EventId read) const;
  bool findCoherence(EventId transient);
  void leaveOption(Frame& frame);
  bool isMaximalExtension(EventId write, EventId read);

  const Lane* poView(EventId id) const {
    const EventId previous = graph_[id].poPrev;
    return previous == kNone ? zeroClock_.data() : graph_.view(previous, consistency_.coherenceView());
  }

  void checkRaces(EventId id);

  ExploreOptions options_;
  Observer& observer_;
  Consistency consistency_;
  CoherenceFinder finder_{consistency_};
  Graph graph_;
  Statistics statistics_;
  bool stopped_ = false;

  std::uint64_t awaiting_ = 0;  // readers that are known to be blocked by a write, a bit for each; and that write
  std::array<EventId, Graph::kMaxThreads> blockingWrite_{};

  bool attempts_ = false;  // there has been one
  bool polls_ = false;     // somebody polls a mutex

  EventId obstacle_ = kNone;  // why the last read-modify-write in conflict was rejected

  std::vector<Frame> trail_;
  std::size_t base_ = 0;    // frames below it are not ours to move on
  bool replaying_ = false;  // what is met on the way to a subtree has been reported
  std::vector<EventId> deleted_;
  std::vector<SavedRevisit> savedRevisits_;
  std::vector<SavedCoherence> savedCoherence_;
  alignas(16) std::array<Lane, Graph::kMaxThreads> zeroClock_{};
};

}  // namespace heddle
