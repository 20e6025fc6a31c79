// Atomic accesses as plain memory sees them, on behalf of a thread that is paused before one or goes on after it.
//
// What an atomic access reads or writes is in the graph. But its bytes are memory, too: there has to be an object, alive and
// initialised, and plain accesses to it must be ordered with the atomic one.
#pragma once

#include "memory/memory.h"
#include "program/operation.h"
#include "runtime/faults.h"
#include "runtime/program_modes.h"
#include "runtime/running_thread.h"

namespace heddle::runtime {

class AtomicChecks {
 public:
  AtomicChecks(memory::Memory& memory, RunningThread& running, Faults& faults, const ProgramModes& modes)
      : memory_(memory), running_(running), faults_(faults), modes_(modes) {}

  // Each of these is false if the access is an error: failure() is what the thread is to be paused at instead. Throws
  // RaceFound.
  //
  // Before the event.
  bool checkBefore(const Operation& operation) { return !isAtomicAccess(operation) || checkAccess(operation); }
  // After it. In between there may have been plain reads, which a write conflicts with, and the end of the object's life.
  bool checkAfter(const Operation& operation, Result result) {
    const bool failed = operation.kind == OperationKind::cas && !result.success && !operation.isAttempt();
    const bool write = operation.kind != OperationKind::load && !failed;
    return (!write && memory_.isStillAtomic(operation.address)) || checkAgain(operation, write);
  }
  // After it, where races are allowed: whether bytes are initialised is no matter of happens-before then. The event has read
  // what was there before all others, and that must not be nothing.
  bool checkInitialised(const Operation& operation);

  const Operation& failure() const { return failure_; }

  // What the address of the operation that is checked next depends on.
  void setAddress(DependencySet address) { address_ = address; }

 private:
  // Where races are judged, plain accesses that are events are like atomic ones.
  bool isAtomicAccess(const Operation& operation) const {
    switch (operation.kind) {
      case OperationKind::load:
      case OperationKind::store:
      case OperationKind::rmw:
      case OperationKind::cas:
      case OperationKind::lock:
      case OperationKind::unlock: return operation.order != Order::plain || modes_.racesJudged;
      default: return false;
    }
  }
  bool checkAccess(const Operation& operation);
  bool checkAgain(const Operation& operation, bool write);
  // Is the access in order? Otherwise memory knows what is wrong.
  bool access(const Operation& operation, bool write);
  bool initialiseByStore(const Operation& operation);
  bool hasUninitialisedMember(const Operation& operation) const;
  bool readsInitialValue() const;

  memory::Memory& memory_;
  RunningThread& running_;
  Faults& faults_;
  const ProgramModes& modes_;
  DependencySet address_ = kIndependent;
  Operation failure_;
};

}  // namespace heddle::runtime
