// Which barrier an operation is about.
//
// The memory of a barrier may become another one: a local variable in a loop, or one that is destroyed and initialised
// again. So an arrival or a departure says which one at that address it is, too (Operation::barrier):
//
//     | 63-32: the barrier's number, different for each that a program makes | 31-0: how many meet there at first |
//
// The number depends on the thread that makes the barrier and on how many it has made before, and on nothing else.
#pragma once

#include "program/operation.h"

namespace heddle {

inline constexpr Value kMostMeet = 0xffffffff;

constexpr Value firstExpected(Value barrier) { return barrier & kMostMeet; }

constexpr bool isSameBarrier(const Operation& a, const Operation& b) {
  return a.address == b.address && a.barrier() == b.barrier();
}

}  // namespace heddle
