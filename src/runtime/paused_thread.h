// What is known about a thread of the program that is paused.
#pragma once

#include <cstdint>

#include "memory/memory.h"
#include "program/operation.h"
#include "runtime/states.h"

namespace heddle::runtime {

struct PausedThread {
  State* state = nullptr;
  Result result;                                    // of the operation that it is paused at, once there is one
  memory::SegmentId position = memory::kNoSegment;  // in plain memory, once it is settled
  std::uint64_t checked = 0;                        // plain memory as it was when its pending access was checked
};

}  // namespace heddle::runtime
