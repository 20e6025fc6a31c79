// A process that explores parts of the tree for a run (coordinator.h).
//
// It is given a part, explores it, and reports. While it explores, the run can get its attention through a flag in memory
// that both see: the explorer looks at a flag after each execution anyway. It then reports what it has found up to here
// and what is left, gives a part of that away if it was asked for one, and goes on or stops.
//
//   run -> worker   the text of a subtree
//   worker -> run   { "kind": "commit", "rest": SUBTREE, "findings": "...", "given": [SUBTREE, ...], "stopped": false }
//                   { "kind": "done",   "findings": "..." }
//                   { "kind": "failed", "findings": "...", "here": SUBTREE }     an error, and which execution has it
//                   { "kind": "threw",  "findings": "...", "thrown": "..." }     an exception (thrown.h)
#pragma once

#include <atomic>
#include <cstdint>

#include "parallel/channel.h"
#include "parallel/task.h"

namespace heddle::parallel {

// What a run asks of a worker.
struct alignas(128) Request {
  enum : std::uint32_t { kSplit = 1, kCommit = 2, kStop = 4 };
  std::atomic<bool> attention = false;
  std::atomic<std::uint32_t> wants = 0;

  void ask(std::uint32_t what) {
    wants.fetch_or(what);
    attention.store(true);
  }
};

inline constexpr int kOutOfMemoryStatus = 3;

// Serves until there is nobody on the other side, and ends the process.
[[noreturn]] void serve(Task& task, Channel channel, Request& request);

}  // namespace heddle::parallel
