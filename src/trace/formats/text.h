// An execution for people: one column a thread, one row an event, as in an interleaving of the threads.
//
//                       main                thread 1                 thread 2
//       1-2  mp.cpp:20  spawn threads 1, 2
//         3  mp.cpp:7                       store data = 1, relaxed
//         4  mp.cpp:8                       store flag = 1, relaxed
//         5  mp.cpp:12                                               load flag = 1, relaxed  from 4
//         6  mp.cpp:13                                               load data = 0, relaxed  initial value
//         !  mp.cpp:13                                               assertion failure
//
// Text that is too long for its column goes on in the next line. Where the columns would be too narrow to read, each
// row names its thread instead. Events that cannot have had a part in the error are left out, and so are threads that
// have no others. Of rounds of a loop that are the same the first is shown. The error itself is told elsewhere, if there are no events. After the events come the orders of writes and the
// relations that the execution has, if it has some, and why it is possible (why.h).
#pragma once

#include <string>

#include "trace/execution.h"
#include "util/page.h"

namespace heddle::trace {

std::string text(const Execution& execution, const util::Page& page);

}  // namespace heddle::trace
