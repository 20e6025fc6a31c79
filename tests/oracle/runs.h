// The runs of each thread on its own, with the values it reads guessed.
//
// Before it looks at whole executions the oracle asks what one thread could do if every read could return
// any value that somebody may have written there, and every lock and join could wait for ever. The answer is a list
// of runs: sequences of events. Which
// values may have been written is itself computed from the runs, so the two are iterated together from the
// initial values.
//
// A chain of values that each depend on the one before (y = x + 1, x = y + 1) would let that iteration go on
// for ever. It may stop after as many rounds as there are writes in the longest execution: if po | rf is
// acyclic, order an execution along it, and the n-th write depends on at most n - 1 others. The same holds if only rf and
// the dependencies are, the halves of a read-modify-write among them: that a thread comes to a write, where it goes and its
// value all follow from what the write depends on, so a run in which the other reads return anything has it too.
//
// Dependencies are asked of the program where they are wanted. A choice is no event, so what depends on one does not say so.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

#include "evaluate.h"
#include "program/program.h"

namespace heddle::oracle {

// The program is too large for this way of looking at it.
class OracleLimit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct ThreadLink {
  std::size_t event;  // the place in Run::events of the spawn or join
  ThreadId thread;    // the thread that starts or is waited for
  bool operator==(const ThreadLink&) const = default;
};

enum class RunEnd {
  finished,
  error,    // a failed assertion
  blocked,  // a failed assumption
  locking,  // waits for ever for a mutex
  joining,  // waits for ever for a thread
};

// What an event depends on: places in Run::events, of reads and, where models count that, of store-exclusives.
struct EventDependencies {
  std::vector<std::size_t> address = {}, data = {}, control = {};
  bool operator==(const EventDependencies&) const = default;
};

struct Run {
  std::vector<Event> events;                    // a write with `rmw` set belongs to the read just before it
  std::vector<EventDependencies> dependencies;  // of each event; empty if they are not wanted
  std::vector<ThreadLink> spawns;
  std::vector<ThreadLink> joins;
  RunEnd end = RunEnd::finished;
  Address mutex = 0;         // locking
  bool reading = false;      // locking: for reading
  ThreadId awaited = 0;      // joining
  std::size_t variants = 1;  // how many choices of `choose` give exactly these events

  bool sameAs(const Run& other) const {
    return events == other.events && dependencies == other.dependencies && spawns == other.spawns && joins == other.joins &&
           end == other.end && mutex == other.mutex && reading == other.reading && awaited == other.awaited;
  }
};

// What a lock, or a compare-exchange, writes where it reads this value, if it does. A lock is 0 when it is free, 1 when
// somebody has it for writing, and twice the number of its readers otherwise.
inline std::optional<Value> takenFrom(const Operation& op, Value value) {
  if (op.lock == LockOp::read) return value == 1 ? std::nullopt : std::optional(value + 2);
  if (op.kind == OperationKind::lock) return value == 0 ? std::optional<Value>(1) : std::nullopt;
  return value == truncate(op.expected(), op.size) ? std::optional(truncate(op.operand(), op.size)) : std::nullopt;
}

struct ProgramRuns {
  std::vector<std::vector<Run>> threads;  // no two of a thread are the same
  std::map<Address, Value> initial;
};

struct RunOptions {
  bool boundedValues = true;  // the stop described above; without it a chain that does not settle throws OracleLimit
  bool dependencies = false;  // they are wanted
};
ProgramRuns enumerateRuns(Program& program, const RunOptions& options);

}  // namespace heddle::oracle
