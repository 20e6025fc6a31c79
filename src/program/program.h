// Program: the narrow waist between front ends and the explorer.
//
// A program is a set of threads that can each be advanced to the next visible operation, given the
// result of that operation, marked, and rewound to a mark. Nothing else: the explorer does not know
// whether a thread is an interpreted litmus test or native code on a fiber.
//
//     paused at an operation --resume--> running --advance--> paused at the next operation
//            |        ^
//           mark    rewind
//
// A thread is always paused between calls. `advance` is called once after the start and once after each
// `resume`. A thread paused at `block`, `error` or `end` is not resumed.
//
// Marks are kept in a stack: `release(m)` drops m and every mark made after it, whichever thread it is
// of. Rewinding does not drop marks, so a thread can be rewound to the same mark many times. A backward revisit rewinds
// several threads, and later takes them forward again to marks that were made before; such rewinds are one change of the
// program's state, complete by the next `advance` or `release`.
#pragma once

#include <string>
#include <vector>

#include "program/operation.h"

namespace heddle {

using Mark = std::uint32_t;

// What an operation owes to earlier reads and choices of its thread, each by how many operations of the thread come before it.
struct Dependencies {
  std::vector<std::uint32_t> address;  // on which location it accesses; of a choice: between how many
  std::vector<std::uint32_t> data;     // what it writes, or compares with; of a choice: what the store-exclusive would write
  std::vector<std::uint32_t> control;  // whether it is there at all: all that was branched on, however long ago
};

class Program {
 public:
  virtual ~Program() = default;

  // How many threads can exist at most, and how many of them (0, 1, ...) run from the start; the others
  // run when they are spawned.
  virtual unsigned threadCount() const = 0;
  virtual unsigned initialThreads() const = 0;

  // Puts every thread back to its start and drops all marks.
  virtual void reset() = 0;

  // Runs a thread to its next visible operation. Which one that is follows from the results that the thread has been resumed
  // with and from what is before it in po | rf: who has started it and with what, and memory that is no part of the graph, as
  // the threads that it comes after have left it. So a thread does the same in every graph that has the same before it, and
  // the explorer may take away and put back whatever is not. Memory is that of the graph as it is when this is called, with
  // all rewinds complete and the thread's last event in place. Two things may also depend on the rest:
  //
  //   an error   an access that conflicts with one which does not happen before it, made known by the one that runs later
  //   knowledge  what has come up in any execution so far, where it decides how much is looked at but not what a thread
  //              does. Where it would, an exception has the exploration start again from the beginning.
  //
  // An interpreted litmus test depends on the results alone. Native code has plain memory, and looks at the graph for what
  // it needs to know (NativeProgram::attach): where the thread stands in happens-before, what started it, the last writes of
  // a location that it reads without an event, conflicting accesses, arrivals at a latch, times, and its own events since
  // it began to wait.
  virtual Operation advance(ThreadId thread) = 0;

  // Gives a paused thread the result of its operation.
  virtual void resume(ThreadId thread, Result result) = 0;

  // Several calls in one, as each costs something and these come with nearly every event: resume and advance; the same after a
  // rewind; a rewind to a mark that is not needed any more.
  virtual void proceed(ThreadId thread, Result result, Operation& next) {
    resume(thread, result);
    next = advance(thread);
  }
  virtual void proceedFrom(Mark mark, ThreadId thread, Result result, Operation& next) {
    rewind(thread, mark);
    proceed(thread, result, next);
  }
  virtual void takeBack(ThreadId thread, Mark mark) {
    rewind(thread, mark);
    release(mark);
  }

  // For memory models with dependencies (src/causal). To track them costs time, so it is asked for before the start; false: they
  // are not known. Then `dependencies` says what the operation that a thread is paused at depends on.
  virtual bool trackDependencies() { return false; }
  virtual void dependencies(ThreadId /*thread*/, Dependencies& /*result*/) const {}
  // Does `advance` look at the graph, for happens-before and for values that plain accesses find?
  virtual bool looksAtGraph() const { return false; }

  virtual Mark mark(ThreadId thread) = 0;
  virtual void rewind(ThreadId thread, Mark mark) = 0;
  virtual void release(Mark mark) = 0;

  // Every operation that the program may perform, as far as kind, orders and rmw matter (addresses and values do not);
  // empty if that is not known. Lets the explorer leave out what a model says about events that cannot occur.
  virtual std::vector<Operation> operations() const { return {}; }

  // The value of a location before any event has written it. Where it varies, plain accesses decide it: it is asked for
  // again whenever a location without events gets its first one.
  virtual Value initialValue(Address address, unsigned size) const = 0;
  virtual bool initialValuesVary() const { return false; }

  // Values of 16 bytes are the program's own numbers (Operation::size). Where their bytes matter, because they are also
  // accessed in other sizes, these say which number stands for which bytes.
  virtual Wide bytesOfNumber(Value number) const { return number; }
  virtual Value numberOfBytes(Wide bytes) { return static_cast<Value>(bytes); }

  // What an address of one thread's own memory would be in another thread that does the same; any other value is its own
  // image.
  virtual Value image(Value value, ThreadId /*from*/, ThreadId /*to*/) const { return value; }

  // May a transaction read these bytes, in any run? Asked of its begin; a precise answer spares attempts.
  virtual bool mayRead(const Operation& /*begin*/, Address /*address*/, unsigned /*size*/) const { return true; }

  // For people: the name of a location, and the place in the source that `source` stands for
  // ("file:line" and, where known, the text of the statement).
  virtual std::string locationName(Address address, unsigned size) const = 0;
  virtual std::string sourceText(std::uint32_t source) const = 0;
};

}  // namespace heddle
