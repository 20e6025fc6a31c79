#include "runtime/atomic_checks.h"

#include <algorithm>
#include <cstring>

namespace heddle::runtime {

bool AtomicChecks::checkAccess(const Operation& operation) {
  const bool write = operation.kind != OperationKind::load && (operation.kind != OperationKind::cas || operation.isAttempt());
  return access(operation, write) || initialiseByStore(operation);
}

bool AtomicChecks::access(const Operation& operation, bool write) {
  using memory::Outcome;
  const auto check = [&] { return memory_.atomic(operation.address, operation.size, write, operation.source); };
  if (check() == Outcome::ok) return true;
  if (modes_.racesJudged && memory_.fault().kind == memory::FaultKind::race) {
    const Lane* const view = running_.viewThrough(address_);
    if (view && memory_.withView(view, check) == Outcome::ok) return true;
  }
  if (memory_.fault().kind != memory::FaultKind::uninitialised || hasUninitialisedMember(operation)) return false;
  return memory_.atomic(operation.address, operation.size, write, operation.source, /*mayBeUninitialised=*/true) == Outcome::ok;
}

bool AtomicChecks::hasUninitialisedMember(const Operation& operation) const {
  return memory_.isUninitialised(operation.address, operation.size) &&
         faults_.names()->uninitialisedMember(operation.address, operation.size);
}

// C programs often give an atomic object on the heap its first value by an atomic store. That is an initialisation: whoever
// could access the object without happening after it could find it uninitialised.
bool AtomicChecks::initialiseByStore(const Operation& operation) {
  const memory::Fault fault = memory_.fault();
  if (modes_.racesAllowed && fault.kind == memory::FaultKind::race) throw faults_.raceOf(fault);
  if (fault.kind == memory::FaultKind::toldApart) throw faults_.toldApart(fault, operation.source);
  const bool accepted = fault.kind == memory::FaultKind::uninitialised && operation.kind == OperationKind::store &&
                        memory_.write(operation.address, operation.size, operation.source) == memory::Outcome::ok;
  if (!accepted) {
    failure_ = faults_.failureOf(fault, operation.source, true);
    return false;
  }
  std::memset(reinterpret_cast<void*>(operation.address), 0, operation.size);
  if (memory_.atomic(operation.address, operation.size, true, operation.source) == memory::Outcome::ok) return true;
  failure_ = faults_.failureOf(memory_.fault(), operation.source, true);
  return false;
}

bool AtomicChecks::checkAgain(const Operation& operation, bool write) {
  if (!isAtomicAccess(operation) || access(operation, write)) return true;
  if (modes_.racesAllowed && memory_.fault().kind == memory::FaultKind::race) throw faults_.raceOf(memory_.fault());
  if (memory_.fault().kind == memory::FaultKind::toldApart) throw faults_.toldApart(memory_.fault(), operation.source);
  failure_ = faults_.failureOf(memory_.fault(), operation.source, true);
  return false;
}

bool AtomicChecks::checkInitialised(const Operation& operation) {
  if (!isAtomicAccess(operation) || operation.mayBeUninitialised) return true;
  if (!hasUninitialisedMember(operation) || !readsInitialValue()) return true;
  memory::Fault fault;
  fault.kind = memory::FaultKind::uninitialised;
  fault.address = operation.address;
  fault.size = operation.size;
  failure_ = faults_.failureOf(fault, operation.source, operation.kind != OperationKind::load);
  return false;
}

// Has the last event of the thread read a value that no event has written?
bool AtomicChecks::readsInitialValue() const {
  const ExecutionView& graph = running_.graph();
  const EventId last = graph.last(running_.self());
  const EventId read = graph[last].isWrite() && graph[last].rmw ? graph[last].poPrev : last;
  return graph[read].isRead() &&
         std::ranges::any_of(graph.sourcesOf(read), [](const BytesFrom& source) { return isInitial(source.write); });
}

}  // namespace heddle::runtime
