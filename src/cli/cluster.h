// --mpi: several machines explore (parallel/cluster.h).
#pragma once

#include <memory>

#include "cli/options.h"
#include "parallel/cluster.h"

namespace heddle::cli {

// In a process that heddle-mpi has started, the cluster. In any other one this is the end: it becomes heddle-mpi, which starts heddle
// again (src/mpi). Throws InputError if there is no heddle-mpi.
std::unique_ptr<parallel::Cluster> joinCluster(const Options& options);

// On the machines that do not have the verdict: explores for rank 0 until that has ended. Returns the exit code.
int runForAnother(const Options& options, parallel::Cluster& cluster);

// The words of a command line, to be sent to them.
std::string textOfWords(const std::vector<std::string>& words);

}  // namespace heddle::cli
