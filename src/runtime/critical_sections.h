// Critical sections of RCU and SRCU that a grace period may wait for for ever (include/heddle/linux.h).
//
// A grace period ends when the sections that it found have ended. To the model it is one event, which is there or not. That is
// enough unless somebody waits inside a section. If what it waits for comes only after a grace period, the two may wait for each other:
//
//     rcu_read_lock(); while (!READ_ONCE(x)); rcu_read_unlock();        synchronize_rcu(); WRITE_ONCE(x, 1);
//
// In the executions that come to an end the section begins after the grace period has begun. Then some read of the section has the
// grace period before it in po | rf, and the begin of the section has not. If there is such a read, the exploration starts again and tries
// for each grace period that it never ends as well (ProgramModes::gracePeriodsHang). It then stops its thread. That is an error if a
// thread waits for ever in a section that it must wait for (waiting.h). No execution has such a read: no section waits for what a
// grace period keeps back.
#pragma once

#include "graph/execution_view.h"

namespace heddle::runtime {

// Is a section open at the end of a thread: of RCU, or of SRCU about this object if it is not 0?
bool isInSection(const ExecutionView& graph, ThreadId thread, Address about);

// Does a section read what a grace period comes before that does not come before the section?
bool mayAwaitGracePeriod(const ExecutionView& graph);

}  // namespace heddle::runtime
