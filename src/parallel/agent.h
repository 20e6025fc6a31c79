// A process that has workers on its machine explore for rank 0, which is on another one (relay.h, cluster_transport.h).
#pragma once

#include "parallel/relay.h"
#include "parallel/task.h"

namespace heddle::parallel {

// Until rank 0 wants nothing more.
void serveRuns(Task& task, Relay& relay, unsigned workers);

}  // namespace heddle::parallel
