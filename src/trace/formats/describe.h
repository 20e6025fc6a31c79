// Parts of an execution in words, for every format. What comes from outside is printable in all of them.
#pragma once

#include <string>

#include "trace/execution.h"

namespace heddle::trace {

// What an event does: "store head = 1, release", "compare_exchange head: 0 -> 1, acq_rel/relaxed". Spawns and joins
// name no thread; see isThreadEvent.
std::string actionText(const Event& event);
bool isThreadEvent(const Event& event);  // a spawn or a join

// "main", "thread 1"
std::string threadName(const Execution& execution, ThreadId thread);

// "queue.cpp:31"; empty if that is not known.
std::string placeText(const std::string& file, unsigned line);
std::string placeText(const Place& place);

// What is wrong, in one line: "deadlock: main waits for thread 1", "assertion 'r1 == 1' failed".
std::string errorLine(const Error& error);

}  // namespace heddle::trace
