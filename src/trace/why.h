// Why an execution is possible, and what would forbid it: part of its value (trace/execution.h), made by src/why and src/run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/operation.h"

namespace heddle::trace {

// A stronger order for what stands at a place of the source, or a fence there.
struct Change {
  enum class Kind : std::uint8_t { access, failure, fenceBefore, fenceAfter };  // failure: of a compare-exchange that fails
  Kind kind = Kind::access;
  std::string file;
  unsigned line = 0, column = 0, part = 0;  // part: which of those that a macro makes there
  std::string what;                         // "store flag"; of a fence: what it is before or after
  std::string from, to;                     // orders; a fence is from nothing
  bool operator==(const Change&) const = default;
};

// Changes that forbid an execution, all of them together and none less.
struct Remedy {
  std::vector<Change> changes;
  std::string axiom;  // of the model, which forbids it then; empty: the two accesses of a race are ordered then
};

struct Why {
  // A step of a cycle, and how it leads to the next one: "po", "rf", "co", "rb".
  struct CycleStep {
    unsigned event = 0;
    std::string link;
  };
  // What a model says of the same execution, with the orders as they are.
  enum class Verdict : std::uint8_t { forbidden, allowed, dependencies };
  struct ModelVerdict {
    std::string model;
    Verdict verdict = Verdict::forbidden;  // dependencies: forbidden only if values depend on each other in certain ways
  };
  // Who waits, at its last event or before it does anything; and for which thread, or what.
  struct Wait {
    ThreadId thread = 0;
    std::string what;     // "waits for mutex b"
    ThreadId holder = 0;  // who would have to go on, if hasHolder
    bool hasHolder = false;
    std::string reason;  // "which thread 2 holds", "which nobody writes any more"
  };
  // After a crash recovery finds something old, as the newest write had not persisted. Numbers of events.
  struct Lost {
    unsigned find = 0, write = 0;
    unsigned later = 0;  // a later write of the same thread, which had persisted; 0: there is none
    std::string reason;  // "nothing flushes it after that"; empty: not known
  };
  // Found by exploring again (--suggest).
  struct Suggestion {
    bool found = false;
    std::vector<Change> changes;  // with which the program verifies
    std::string text;             // if none was found: why
    unsigned explorations = 0;
  };

  bool isInterleaving = true;
  bool isRace = false;
  bool noOrderHelps = false;     // the interleaving is there, whatever the memory orders
  std::string model;             // the one that was explored
  std::vector<CycleStep> cycle;  // which no interleaving has; empty if there is one, or if the execution is too large
  std::vector<ModelVerdict> models;
  std::vector<Remedy> remedies;   // the smallest ones
  bool remediesSearched = false;  // so that there are none if there are none
  bool searchCutShort = false;
  std::vector<Wait> waits;
  bool waitsInCycle = false;
  bool afterCrash = false;   // it goes wrong in recovery
  bool findsNewest = false;  // which finds everywhere what was written last
  std::vector<Lost> lost;
  std::vector<Suggestion> suggestion;  // at most one
};

}  // namespace heddle::trace
