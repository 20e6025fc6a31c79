// A worker explores parts of the tree for a run (coordinator.h).
//
// It is given a part, explores it, and reports. While it explores, the run can get its attention by a request (transport.h): the
// explorer looks at a flag after each execution anyway. It then reports what it has found up to here and what is left, gives a
// part of that away if it was asked for one, and goes on or stops.
//
//   run -> worker   the text of a subtree
//   worker -> run   { "kind": "commit", "rest": SUBTREE, "findings": "...", "given": [SUBTREE, ...], "stopped": false }
//                   { "kind": "done",   "findings": "..." }
//                   { "kind": "failed", "findings": "...", "here": SUBTREE }     an error, and which execution has it
//                   { "kind": "threw",  "findings": "...", "thrown": "..." }     an exception (thrown.h)
#pragma once

#include "parallel/task.h"
#include "parallel/transport.h"

namespace heddle::parallel {

// Serves until there is nobody on the other side. Throws std::bad_alloc, and whatever else makes a worker useless.
void serve(Task& task, Port& port);

}  // namespace heddle::parallel
