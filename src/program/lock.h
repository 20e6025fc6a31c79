// What the operations on locks ask of the state of a lock and what they make of it (LockOp), for whoever runs them.
#pragma once

#include "program/operation.h"

namespace heddle {

// A compare-exchange that tries to take a lock; that of a mutex is like any other.
constexpr bool triesLock(const Operation& operation) {
  return operation.kind == OperationKind::cas && operation.lock != LockOp::hold;
}

constexpr bool isLockOfMutex(const Operation& operation) {
  return operation.kind == OperationKind::lock && (operation.lock == LockOp::hold || operation.lock == LockOp::poll);
}

// One reader fewer of a read-write lock.
constexpr bool leavesReading(const Operation& operation) {
  return operation.kind == OperationKind::rmw && operation.lock == LockOp::read;
}

// Is this a state that the operation does not wait in?
constexpr bool canTake(const Operation& operation, Value state) {
  const bool held = (state & kHeld) != 0;
  switch (operation.lock) {
    case LockOp::hold: return state == kFree;
    case LockOp::leave: return !held && (state & operation.operand()) != 0;
    case LockOp::down: return static_cast<std::int32_t>(state) > 0;
    default: return !held;
  }
}

constexpr bool mustWait(const Operation& operation, Value state) {
  return operation.kind == OperationKind::lock && !canTake(operation, state);
}

// And will it never be able to? Only the member itself comes back to a set that it has been taken out of.
constexpr bool waitsInVain(const Operation& operation, Value state) {
  return operation.lock == LockOp::leave && (state & operation.operand()) == 0;
}

// Does it write when it takes the lock in this state? To wake nobody is only to look.
constexpr bool writesState(const Operation& operation, Value state) {
  return (operation.lock != LockOp::wakeOne && operation.lock != LockOp::wakeAll) || state != kFree;
}

constexpr Value stateWritten(const Operation& operation, Value state) {
  switch (operation.lock) {
    case LockOp::hold: return kHeld;
    case LockOp::read: return state + kReader;
    case LockOp::join: return state | operation.operand();
    case LockOp::leave: return state & ~operation.operand();
    case LockOp::wakeOne: return (state & (state - 1)) == 0 ? kFree : state | kHeld;
    case LockOp::wakeAll: return kFree;
    case LockOp::down: return state - 1;
    case LockOp::poll: return state | kHeld;
  }
  return state;
}

// What an unlock leaves: a mutex that has been polled in vain stays so.
constexpr Value stateLeft(Value state) { return state == (kHeld | kPolled) ? kPolled : kFree; }

}  // namespace heddle
