// Threads that are run one at a time, each from its start to its end, with guesses for what they read.
//
// This is how a program is given to src/enumerate, which puts runs of all threads together and asks which write each read can
// have read from. A run must be the same whenever the same values are guessed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/event_tag.h"
#include "program/operation.h"

namespace heddle {

// A set of events of one thread: a bit for each, in program order.
using RunEvents = std::uint64_t;
inline constexpr unsigned kMostRunEvents = 64;

struct RunEvent {
  enum class Kind : std::uint8_t { read, write, fence };

  Kind kind = Kind::fence;
  Order order = Order::relaxed;
  bool isUpdate = false;     // half of a read-modify-write; also the read of one that writes nothing in the end
  bool hasLocation = false;  // reads and writes have one; a fence may be about one
  EventTags tags = 0;
  std::optional<MachineFence> machineFence = {};
  Address address = 0;
  Value value = 0;
  // The reads that its location, its value and its being there depend on.
  RunEvents addressFrom = 0, dataFrom = 0, controlFrom = 0;
  bool isFixed = false;  // of a write: it is in every run of the thread, with this value
  int updates = -1;      // of the write of a read-modify-write: which event is its read
  unsigned line = 0;
};

struct ThreadRun {
  enum class End : std::uint8_t {
    complete,
    waiting,  // for ever, with these values: it is part of no execution that ends
    cut,      // after too many rounds of a loop
    tooLong,  // more than kMostRunEvents events
    fault,    // an access of what is no location
  };
  End end = End::complete;
  std::string message;  // of a fault
  std::vector<RunEvent> events;
  std::vector<Value> registers;  // at the end
};

// Where a run gets the values of its reads from, and what it chooses.
class ReadValues {
 public:
  virtual Value read(Address address) = 0;
  virtual void wrote(Address address, Value value) = 0;  // after each write
  virtual Value choose(std::uint64_t options) = 0;       // less than `options`

 protected:
  ~ReadValues() = default;
};

// A location to which every write adds or subtracts a number of the program's text, as one step with its read: by how much at most,
// all writes of a thread together.
struct Counter {
  struct Total {
    std::int64_t added = 0, subtracted = 0;
  };
  Address address = 0;
  std::vector<Total> ofThread;
};

struct InitialValue {
  Address address = 0;
  Value value = 0;
};

class SeparateThreads {
 public:
  virtual ~SeparateThreads() = default;
  virtual unsigned threadCount() const = 0;
  // All locations there are.
  virtual std::vector<InitialValue> locations() const = 0;
  virtual ThreadRun run(unsigned thread, ReadValues& values) const = 0;
  // The numbers in the text of a program with branches: with what else might a read lead where no run has come yet?
  virtual std::vector<Value> constantsOfBranches() const { return {}; }
  // Those locations that are known to be counters, whatever is read.
  virtual std::vector<Counter> counters() const { return {}; }
};

}  // namespace heddle
