// What a read does with the value that it has found: whether its write follows, which order both have then, and what it
// writes.
#pragma once

#include "program/lock.h"

namespace heddle::explore {

struct ReadEffect {
  bool writes;  // both together are one read-modify-write
  Order order;
};

constexpr ReadEffect effectOfRead(const Operation& operation, Value value, bool failsSpuriously) {
  switch (operation.kind) {
    case OperationKind::rmw: return {true, operation.order};
    case OperationKind::cas: {
      const bool good = !failsSpuriously && operation.expects(value);
      const bool succeeds = triesLock(operation) ? canTake(operation, value) : good;
      return {succeeds, succeeds ? operation.order : operation.failureOrder};
    }
    case OperationKind::lock: return {canTake(operation, value) && writesState(operation, value), orderOf(operation.lock)};
    default: return {false, operation.order};
  }
}

// The value that a read-modify-write writes if it has found this one.
inline Value valueWritten(const Operation& operation, Value read) {
  const bool lock = operation.kind == OperationKind::lock || triesLock(operation);
  if (lock) return truncate(stateWritten(operation, read), operation.size);
  return applyRmw(operation.rmw, read, operation.operand(), operation.size);  // a compare-exchange exchanges
}

}  // namespace heddle::explore
