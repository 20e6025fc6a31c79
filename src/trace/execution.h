// An execution as a value: what each thread did, where each read got its value, and what went wrong.
//
// `check`, `litmus` and `prove` make one each from what they have (run/tracer.h, prove/execution.h), with names, values and
// places resolved, so that whoever shows it needs no other table. How it is shown is the business of trace/formats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/operation.h"
#include "trace/why.h"
#include "trace/words.h"

namespace heddle::trace {

// A place in the program's source. What is not known is empty or 0.
struct Place {
  std::string file, function;
  unsigned line = 0, column = 0;
  std::string text;   // the source line, trimmed
  unsigned part = 0;  // which of the accesses that a macro makes there
};

// Of a write to durable memory, after a crash: what must have become of it for the rest to be as it is.
enum class Fate : std::uint8_t { unknown, persisted, lost };

// How an event stands against those that are shown above it, where no interleaving explains it (trace/interleaving.h).
enum class Oddity : std::uint8_t {
  none,
  stale,      // it reads what another one had overwritten
  early,      // it reads what another one writes only below
  overtaken,  // it writes what another one had overwritten already
};

struct Event {
  ThreadId thread = 0;
  unsigned index = 0;   // in its thread, from 1; the write of a read-modify-write takes one, too
  unsigned number = 0;  // 1, 2, ... as in an interleaving, those that are relevant first; events are in this order
  Kind kind = Kind::none;
  std::string order;     // "acquire", or "acq_rel/relaxed" for a compare-exchange; empty if there is none
  std::string location;  // the name; empty if there is none
  std::string value;     // what was written, or, if it only reads, read; of a choice "1 of 3"; empty for locks
  std::string oldValue;  // of an event that reads and writes: what it read
  ThreadId partner = 0;  // spawn, join: the other thread
  unsigned from = 0;     // the number of the event it reads from; 0: the initial value
  unsigned coAfter = 0;  // a write: the number of the write right before it in coherence order; 0: the initial value
  // Where sizes are mixed, the bytes of one access may differ in that: then these say for which bytes.
  struct Part {
    std::string bytes;    // "ref[0:3]", or the name of a member
    unsigned number = 0;  // as from or coAfter
  };
  std::vector<Part> fromParts, coAfterParts;
  bool reads = false, writes = false;
  Oddity oddity = Oddity::none;
  unsigned oddBy = 0;  // the number of the other one
  Fate fate = Fate::unknown;
  bool success = true;    // false for a compare-exchange that failed
  bool spurious = false;  // it failed although the value was the expected one
  bool relevant = true;   // it may have had a part in the error
  bool involved = false;  // part of the error itself: the other access of a race, the free
  Place place;            // of the program's own code that led here, where the event is in a library
};

// Where something happened, as the program's own code has it.
struct Site {
  ThreadId thread = 0;
  Place at;
  std::string called;             // the library function that is called there, if it happens inside of it
  std::vector<Place> callers;     // of a place in a header: up to the first one in another file
  bool thin = false;              // the last of these says more than the place itself
  std::vector<Place> outer = {};  // who called that, as far as it is known: innermost first

  const Place& best() const { return thin ? callers.back() : at; }
};

struct Error {
  // What has a part in the error but is no event, like the other access of most races.
  struct Related {
    std::string what;  // "plain write", "free"
    Site site;
    unsigned index = 0;  // of the thread's next event; 0 if that is not known
  };

  std::string kind;     // "data-race": one word, for programs
  std::string title;    // "data race": for people
  std::string message;  // one line, with names of variables; may be empty
  Site site;
  std::vector<Related> related;
};

// The order of the writes to a location.
struct Coherence {
  std::string location;
  std::vector<unsigned> writes;  // numbers of events, without the initial value
};

// A relation that not every execution has, as pairs of numbers of events.
struct Relation {
  std::string name;
  std::vector<std::pair<unsigned, unsigned>> pairs;
};

struct Execution {
  std::string title;  // what it is an execution of, and what happens in it; in one line
  std::string subject, model,
      state;                         // the same in parts: the program or test, the model, the final state; where they are known
  std::vector<std::string> threads;  // their names: "main", "thread 1"; or "P0", "P1"
  std::vector<Event> events;
  std::optional<Error> error;
  std::optional<Why> why;  // of an error
  // What text tells after the events. Other formats do without: events say what they follow in coherence order.
  std::vector<Coherence> coherence;
  std::vector<Relation> relations;
};

}  // namespace heddle::trace
