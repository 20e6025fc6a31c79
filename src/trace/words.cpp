#include "trace/words.h"

namespace heddle::trace {

namespace {

Kind kindOf(LockOp lock) {
  switch (lock) {
    case LockOp::hold:
    case LockOp::poll: return Kind::lock;
    case LockOp::read: return Kind::lockForReading;
    case LockOp::join: return Kind::wait;
    case LockOp::leave: return Kind::wakeUp;
    case LockOp::wakeOne: return Kind::signal;
    case LockOp::wakeAll: return Kind::broadcast;
    case LockOp::down: return Kind::acquire;
  }
  return Kind::none;
}

Kind kindOf(RmwOp op) {
  static constexpr Kind kKinds[] = {Kind::exchange, Kind::fetchAdd, Kind::fetchSub,  Kind::fetchAnd,
                                    Kind::fetchOr,  Kind::fetchXor, Kind::fetchNand, Kind::fetchMax,
                                    Kind::fetchMin, Kind::fetchMax, Kind::fetchMin};
  return kKinds[static_cast<unsigned>(op)];
}

}  // namespace

const char* wordOf(Kind kind) {
#define HEDDLE_WORD(kind, word) word,
  static constexpr const char* kWords[] = {HEDDLE_TRACE_KINDS(HEDDLE_WORD)};
#undef HEDDLE_WORD
  return kWords[static_cast<unsigned>(kind)];
}

const char* orderName(Order order) {
  static constexpr const char* kNames[] = {"", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  return kNames[static_cast<unsigned>(order)];
}

const char* fenceName(const Operation& fence) {
#define HEDDLE_TEXT(name, text) text,
  static constexpr const char* kNames[] = {HEDDLE_MACHINE_FENCES(HEDDLE_TEXT)};
#undef HEDDLE_TEXT
  if (fence.isEndOfLife()) return "the end of a life";
  if (const auto tag = fence.kernelFence()) return kEventTagNames[static_cast<unsigned>(*tag)].data();
  const auto machine = fence.machineFence();
  return machine ? kNames[static_cast<unsigned>(*machine)] : orderName(fence.order);
}

const char* flushName(const Operation& flush) {
#define HEDDLE_TEXT(name, text) text,
  static constexpr const char* kNames[] = {HEDDLE_FLUSHES(HEDDLE_TEXT)};
#undef HEDDLE_TEXT
  return kNames[static_cast<unsigned>(flush.flushes())];
}

bool isLockUpdate(const Operation& operation, bool ofLock) {
  return (ofLock || operation.lock != LockOp::hold) &&
         (operation.kind == OperationKind::rmw || operation.kind == OperationKind::cas);
}

Kind kindOf(const Operation& operation, bool ofLock) {
  if (isLockUpdate(operation, ofLock)) {
    if (operation.kind == OperationKind::rmw) return Kind::unlock;
    return operation.lock == LockOp::hold ? Kind::tryLock : Kind::tryLockForReading;
  }
  switch (operation.kind) {
    case OperationKind::load: return loadKind(operation.order);
    case OperationKind::store: return storeKind(operation.order);
    case OperationKind::rmw: return kindOf(operation.rmw);
    case OperationKind::cas:
      return operation.isAttempt() || operation.isConditional ? kindOf(operation.rmw) : Kind::compareExchange;
    case OperationKind::fence: return Kind::fence;
    case OperationKind::spawn: return Kind::spawn;
    case OperationKind::join: return Kind::join;
    case OperationKind::lock: return kindOf(operation.lock);
    case OperationKind::unlock: return Kind::unlock;
    case OperationKind::arrive: return Kind::arrive;
    case OperationKind::depart: return Kind::depart;
    case OperationKind::choose: return Kind::choose;
    case OperationKind::notify: return Kind::notify;
    case OperationKind::stopWaiting: return Kind::stopWaiting;
    case OperationKind::beginRound: return Kind::beginRound;
    case OperationKind::transaction:
      if (operation.aborts()) return Kind::abortTransaction;
      return operation.begins() ? Kind::beginTransaction : Kind::endTransaction;
    case OperationKind::flush:
      if (operation.flushes() == Flush::everything) return Kind::persisted;
      return operation.flushes() == Flush::wait ? Kind::waitForFlushes : Kind::flush;
    case OperationKind::crash: return Kind::crash;
    case OperationKind::recover: return Kind::recover;
    default: return Kind::none;
  }
}

}  // namespace heddle::trace
