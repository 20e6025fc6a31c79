// What a read does with the value that it has found: whether its write follows, and which order it has then.
#pragma once

#include "program/operation.h"

namespace heddle {

struct ReadEffect {
  bool writes;  // both together are one read-modify-write
  Order order;
};

constexpr ReadEffect effectOfRead(const Operation& operation, Value value, bool failsSpuriously) {
  switch (operation.kind) {
    case OperationKind::rmw: return {true, operation.order};
    case OperationKind::cas: {
      const bool succeeds = !failsSpuriously && compares(operation.comparison, value, operation.expected, operation.size);
      return {succeeds, succeeds ? operation.order : operation.failureOrder};
    }
    case OperationKind::lock: return {value == 0, Order::acquire};
    default: return {false, operation.order};
  }
}

}  // namespace heddle
