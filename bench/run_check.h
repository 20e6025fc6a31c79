// One run of `heddle check` as a user would make it, with its own figures, which --json gives.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::bench {

struct CheckRun {
  std::string verdict;  // as `heddle check` prints it
  std::string message;  // what went wrong or why it is incomplete, if anything
  std::uint64_t executions = 0, blocked = 0;
  double seconds = 0;       // of the exploration alone
  double totalSeconds = 0;  // from start to end, compilation included
  double cpuSeconds = 0;    // the same in CPU time, which other processes hardly change
  std::uint64_t peakBytes = 0;

  // The exploration's share of the CPU time.
  double explorationCpu() const { return totalSeconds > 0 ? cpuSeconds * seconds / totalSeconds : 0; }
  double perSecond() const { return explorationCpu() > 0 ? static_cast<double>(executions) / explorationCpu() : 0; }
};

// `options` are of heddle, `flags` of clang; both are words separated by blanks. Throws if the run prints no JSON.
CheckRun runCheck(const std::string& source, const std::string& options, const std::string& flags);

// The best of some runs, by the time of the exploration: other processes only ever make it slower.
CheckRun bestCheck(const std::string& source, const std::string& options, const std::string& flags, unsigned runs);

}  // namespace heddle::bench
