// What an exploration is asked to do, and what it reports while it runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "explore/subtree.h"
#include "graph/execution_view.h"

namespace heddle::explore {

class AnyExplorer;
class Recovery;
struct AlikeThreads;

enum class Equivalence {
  co,  // Shasha-Snir: executions differ in rf or co
  rf,  // reads-from: executions differ in rf
};

struct Race {
  EventId first, second;
};

// What an exploration reports, in whichever mode it is. All calls come between two steps, when the graph is consistent.
class Observer {
 public:
  virtual ~Observer() = default;
  // An exploration of a part of the tree begins (mixer/on_demand.h).
  virtual void begin(AnyExplorer&) {}
  // And has ended or been stopped, with the graph as it was then.
  virtual void end(AnyExplorer&) {}
  // A full execution. Return false to stop exploring.
  virtual bool execution(const ExecutionView&) { return true; }
  // A full graph in which some thread is stuck at a failed assumption, a lock, or a join.
  virtual bool blocked(const ExecutionView&) { return true; }
  // The first data race that was found; later ones are not looked for.
  virtual void race(const ExecutionView&, Race) {}
  // A thread is stopped at a failed assertion. Called once for each full graph, before execution or blocked.
  virtual void error(const ExecutionView&, ThreadId, const Operation&) {}
  // ExploreOptions::stale or ::fair has kept a load from reading an overwritten write once more. It is at this place, in the program's
  // numbering.
  virtual void staleRead(std::uint32_t /*source*/) {}
  // A limit of the exploration is exceeded; the error is on its way. Whoever can say more throws another LimitError.
  virtual void tooLarge(const ExecutionView&, const LimitError&) {}
  // Does it look at the full graphs that it is given? Otherwise it asks the explorer for what it wants to see: AnyExplorer::execution
  // and ::lastValue.
  virtual bool takesGraphs() const { return true; }
};

struct Statistics {
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  std::uint64_t errors = 0;    // full graphs with a failed assertion
  std::uint64_t added = 0;     // explored rf, co, and revisit choices
  std::uint64_t revisits = 0;  // backward revisits
  std::uint64_t rejected = 0;  // alternatives found inconsistent
  bool race = false;
  bool complete = false;  // nothing was cut short
};

// A value that a location has had before.
struct RecurringValue {
  ByteRange bytes;
  Value value = 0;
  bool operator==(const RecurringValue&) const = default;
};

struct ExploreOptions {
  Equivalence equivalence = Equivalence::co;
  bool races = false;                            // look for data races
  bool weakIsolation = false;                    // what is outside must not interrupt a transaction: that is a race
  bool judgesRaces = false;                      // the observer does, but happens-before is needed all the same
  bool spurious = true;                          // weak compare-exchanges may fail spuriously
  bool skipFutile = true;                        // leave out blocked executions that cannot lead to others
  bool overtakenAwaits = false;                  // reads that wait are not there while they wait (overtaken_await.cpp)
  bool confirmations = false;                    // no compare-exchange fails right after its load (confirmation.cpp)
  std::uint32_t stale = 0;                       // how often a thread may read an overwritten write; 0: any number of times
  bool fair = false;                             // a thread that yields does not read again what is overwritten
  const AlikeThreads* alike = nullptr;           // of these one order is explored (symmetry.cpp); null: of none
  bool stopAtError = false;                      // stop as soon as a thread fails, or a race is found
  Recovery* recovery = nullptr;                  // what runs after each complete execution (recovery.h); null: nothing
  const std::atomic<bool>* interrupt = nullptr;  // stop soon after it becomes true
  Attendant* attendant = nullptr;                // or, if there is one, as it says

  std::vector<ByteRange> unordered = {};  // what UnorderedWrites and ValueComesBack have told
  std::vector<RecurringValue> recurring = {};

  bool boundsLoads() const { return stale != 0 || fair; }  // stale_reads.cpp
};

// The program has transactions, which are explored in a mode of their own (mixer/transaction_explorer.h). Says where.
class Transactions : public ProgramError {
 public:
  using ProgramError::ProgramError;
};

// What an attempt takes back if it fails can be noticed, so it cannot simply wait (zero_net_effect.cpp): the program is to
// be explored without attempts.
class NoticedAttempt : public std::runtime_error {
 public:
  NoticedAttempt(std::uint32_t where, std::uint32_t by)
      : std::runtime_error("what an attempt takes back is noticed"), attempt(where), access(by) {}
  std::uint32_t attempt, access;  // where they are, in the program's numbering
};

// A store in a round that is left out can be noticed (redone_stores.cpp): the program is to be explored with those of its kind.
class NoticedStore : public std::runtime_error {
 public:
  enum class Kind : std::uint8_t { redone, repeated, guard };  // Operation::isRedone, mayBeRepeated alone, isGuard
  explicit NoticedStore(Kind which) : std::runtime_error("a store in a round that is left out is noticed"), kind(which) {}
  Kind kind;
};

// A thread polls in vain, so others are kept from what they do after that; but there are reads that do not synchronise, and
// something may race with the polling thread after that all the same (zero_net_effect.cpp). The program is to be explored
// without LockOp::poll.
class UnsynchronisedPoll : public std::runtime_error {
 public:
  UnsynchronisedPoll() : std::runtime_error("a thread polls, and not every read synchronises") {}
};

// At a location where reads have been overtaken there are writes that are not ordered (overtaken_await.cpp). The program is to be
// explored without that there.
class UnorderedWrites : public std::runtime_error {
 public:
  explicit UnorderedWrites(ByteRange where)
      : std::runtime_error("the writes of a location for which threads wait are not ordered"), bytes(where) {}
  ByteRange bytes;
};

// A value that has been confirmed has been there before (confirmation.cpp). The program is to be explored with confirmations
// of it that fail.
class ValueComesBack : public std::runtime_error {
 public:
  explicit ValueComesBack(RecurringValue which) : std::runtime_error("a value that is confirmed comes back"), found(which) {}
  RecurringValue found;
};

// Must one write come before another of its location, for a coherence order to be of interest?
using CoherenceDemand = std::function<bool(EventId earlier, EventId later)>;

}  // namespace heddle::explore
