#include "trace/words.h"

namespace heddle::trace {

namespace {

const char* lockName(LockOp lock) {
  switch (lock) {
    case LockOp::hold:
    case LockOp::poll: return "lock";
    case LockOp::read: return "lock for reading";
    case LockOp::join: return "wait";
    case LockOp::leave: return "wake up from";
    case LockOp::wakeOne: return "signal";
    case LockOp::wakeAll: return "broadcast";
    case LockOp::down: return "acquire";
  }
  return "";
}

}  // namespace

const char* orderName(Order order) {
  static constexpr const char* kNames[] = {"", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  return kNames[static_cast<unsigned>(order)];
}

const char* loadName(Order order) { return order == Order::plain ? "plain read" : "load"; }

const char* storeName(Order order) { return order == Order::plain ? "plain write" : "store"; }

const char* rmwName(RmwOp op) {
  static constexpr const char* kNames[] = {"exchange",   "fetch_add", "fetch_sub", "fetch_and", "fetch_or", "fetch_xor",
                                           "fetch_nand", "fetch_max", "fetch_min", "fetch_max", "fetch_min"};
  return kNames[static_cast<unsigned>(op)];
}

bool isLockUpdate(const Operation& operation, bool ofLock) {
  return (ofLock || operation.lock != LockOp::hold) &&
         (operation.kind == OperationKind::rmw || operation.kind == OperationKind::cas);
}

std::string kindName(const Operation& operation, bool ofLock) {
  if (isLockUpdate(operation, ofLock)) {
    if (operation.kind == OperationKind::rmw) return "unlock";
    return operation.lock == LockOp::hold ? "trylock" : "trylock for reading";
  }
  switch (operation.kind) {
    case OperationKind::load: return loadName(operation.order);
    case OperationKind::store: return storeName(operation.order);
    case OperationKind::rmw: return rmwName(operation.rmw);
    case OperationKind::cas: return operation.isAttempt() ? rmwName(operation.rmw) : "compare_exchange";
    case OperationKind::fence: return kFence;
    case OperationKind::spawn: return kSpawn;
    case OperationKind::join: return kJoin;
    case OperationKind::lock: return lockName(operation.lock);
    case OperationKind::unlock: return "unlock";
    case OperationKind::arrive: return "arrive";
    case OperationKind::depart: return "depart";
    case OperationKind::choose: return "choose";
    case OperationKind::notify: return "notify";
    case OperationKind::stopWaiting: return "stop waiting";
    default: return "";
  }
}

}  // namespace heddle::trace
