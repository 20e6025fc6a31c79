// A check of a native program, as every way to print it starts from it: text, JSON, and graphs.
#pragma once

#include <string>
#include <vector>

#include "run/check_program.h"

namespace heddle::report {

using CheckVerdict = native::CheckResult::Verdict;

struct CheckReport {
  std::vector<std::string> files;
  std::string model;      // its name
  std::string modelFile;  // of a model that is not built in
  bool assumed = false;   // what the exploration needs of the model was assumed, not established
  Equivalence equivalence = Equivalence::co;
  native::CheckResult result;
};

const char* name(CheckVerdict verdict);  // "verified", ...

// What is wrong, in one line: "deadlock: main waits for thread 1", "assertion 'r1 == 1' failed".
std::string errorLine(const native::Error& error);

// "main", "thread 1 (worker)"
std::string threadName(const native::CheckResult& result, ThreadId thread);

// "queue.cpp:31"; empty if that is not known.
std::string placeText(const std::string& file, unsigned line);

// What an event does: "store head = 1, release", "compare_exchange head: 0 -> 1, acq_rel/relaxed". Spawns and joins
// name no thread; see isThreadEvent.
std::string actionText(const native::TraceEvent& event);
bool isThreadEvent(const native::TraceEvent& event);  // a spawn or a join

// Without characters that a terminal would obey; every other byte stays.
std::string printable(const std::string& text);

}  // namespace heddle::report
