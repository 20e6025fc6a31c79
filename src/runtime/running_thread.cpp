#include "runtime/running_thread.h"

#include <cxxabi.h>

#include <algorithm>
#include <utility>

#include "program/lock.h"
#include "runtime/after_crash.h"
#include "runtime/fiber.h"
#include "runtime/hooks.h"
#include "runtime/places.h"
#include "runtime/sanitizer.h"
#include "sandbox/sandbox.h"

namespace heddle::runtime {

RunningThread::RunningThread(const ProgramInfo& info, memory::Memory& memory, unsigned threads)
    : info_(info),
      memory_(memory),
      exceptionState_(reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals())),
      errors_(threads) {}

// ---- The explorer's side.

// Calls nothing in the usual case, so that it saves no registers: it is done for each event.
void RunningThread::enter(ThreadId thread, std::uint32_t callSource, bool racesAllowed) {
  heddle_call_source = callSource;
  self_ = thread;
  index_ = 1;
  view_ = zeroClock_.data();
  const ExecutionView& graph = *graph_;
  const EventId last = graph.last(thread);
  if (last != kNone) {
    view_ = graph.view(last, raceView_);
    if (graph[last].thread == thread) index_ = static_cast<std::uint16_t>(graph[last].index + 1);
  }
  if (racesAllowed) [[unlikely]]
    return enterWithRaces(last);
  if (symmetry_) [[unlikely]]
    return enterWithSymmetry(last);
  memory_.enter(thread, index_, view_);
}

void RunningThread::enterWithRaces(EventId last) {
  for (std::size_t t = 0; t < errors_.size(); ++t) {
    order_[t] = last == kNone ? Lane{0} : std::max(view_[t], graph_->porf(last)[t]);
  }
  memory_.enter(self_, index_, view_);
}

const Lane* RunningThread::viewThrough(DependencySet address) {
  if (tracked_ == nullptr || address == kIndependent) return nullptr;
  const ExecutionView& graph = *graph_;
  std::copy_n(view_, errors_.size(), through_.begin());
  bool found = false;
  std::uint32_t operation = 0;
  for (EventId id = graph.first(self_); id != kNone; id = graph[id].poNext) {
    const Event& event = graph[id];
    if (event.isWrite() && event.rmw) continue;  // its read stands for both
    const auto on = (*tracked_)[address];
    const bool depends = std::binary_search(on.begin(), on.end(), operation++);
    if (!depends || !event.isRead() || isInitial(event.rf)) continue;
    const Order order = orderOf(graph[event.rf].cls);
    if (order != Order::release && order != Order::acq_rel && order != Order::seq_cst) continue;
    const Lane* const released = graph.view(event.rf, raceView_);
    for (std::size_t t = 0; t < errors_.size(); ++t) through_[t] = std::max(through_[t], released[t]);
    found = true;
  }
  return found ? through_.data() : nullptr;
}

void RunningThread::run(const Context& from, Result result) {
  context_ = from;
  result_ = result;
  heddle_epoch = memory_.epoch();
  heddle_tls = memory::tlsOf(self_);
  heddle_control = context_.tracking.control;
  heddle_stored_through = context_.tracking.storedThrough;
  heddle_result_dependencies = context_.tracking.result;
  *exceptionState_ = context_.exceptions;
  sharedAccess_ = false;
  alike_ = 0;
  stepsRun_.store(stepsRun_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  running_ = true;
  sanitizerLeavesExplorer(self_);
  if (carriers_ == nullptr) [[likely]] {
    heddle_switch(&explorerStack_, context_.sp);
  } else {
    carriers_->run(self_, context_.sp);
  }
  sanitizerIsInExplorer();
  running_ = false;
  context_.exceptions = *exceptionState_;
  *exceptionState_ = {};
  context_.callSource = heddle_call_source;
  context_.tracking.control = heddle_control;
  context_.tracking.storedThrough = heddle_stored_through;
  context_.tracking.result = heddle_result_dependencies;
  if (crash_.kind != Crash::Kind::none) noteCrash();
  if (reason_.index() != 0) throwReason();
}

void RunningThread::throwReason() {
  const ReasonToGiveUp reason = reason_;
  reason_.emplace<std::monostate>();
  std::visit([](const auto& each) { throw each; }, reason);
  __builtin_unreachable();
}

// The signal handler has only noted the facts: it may have interrupted anything, so it must not allocate.
void RunningThread::noteCrash() {
  Error error = errorOf(std::exchange(crash_, {}));
  error.thread = self_;
  error.source = place(0);
  operation_ = Operation::error(0).at(error.source);
  errors_[self_] = std::move(error);
}

// Who has volatile variables for atomics does not expect a race there.
void RunningThread::explainVolatile(Error& race, std::uint32_t source) const {
  const auto isVolatile = [&](std::uint32_t place) { return place < info_.sources.size() && info_.sources[place].isVolatile; };
  const auto ofOther = [&](const ErrorAccess& other) { return isVolatile(other.source); };
  if (isVolatile(source) || std::any_of(race.related.begin(), race.related.end(), ofOther))
    race.message += "; accesses to volatile variables are plain ones: if they are meant as atomic, pass --volatile relaxed";
}

Operation RunningThread::failure(Error error, std::uint32_t source) {
  if (error.kind == ErrorKind::dataRace) explainVolatile(error, source);
  error.thread = self_;
  error.source = origin(source);
  errors_[self_] = std::move(error);
  return Operation::error(0).at(place(source));
}

std::uint32_t RunningThread::origin(std::uint32_t source) const {
  return heddle_call_source == 0 || ownFrame(info_, source) != 0 ? source : heddle_call_source;
}

std::uint32_t RunningThread::place(std::uint32_t source) const {
  if (const std::uint32_t own = ownFrame(info_, source)) return own;
  if (const std::uint32_t own = ownFrame(info_, heddle_call_source)) return own;
  return heddle_call_source != 0 ? heddle_call_source : source;
}

// ---- The fiber's side.

Result RunningThread::visible(Operation operation) {
  if (afterCrash_ != nullptr && afterCrash_->isNow() && !afterCrash_->isVisible(operation)) [[unlikely]]
    return afterCrash_->perform(operation);
  if (context_.transactions != 0) [[unlikely]]
    checkInTransaction(operation);
  operation_ = operation;
  operation_.source = place(operation.source);
  operation_.afterYield = std::exchange(yields_, false);
  if (std::exchange(polls_, false) && operation.kind == OperationKind::lock && operation.lock == LockOp::hold) {
    operation_.lock = LockOp::poll;
  }
  if (context_.marking.isOn()) mark(operation_);
  if (tracked_) noteDependencies();
  sanitizerLeavesFiber(self_);
  if (carriers_ == nullptr) [[likely]] {
    heddle_switch(&context_.sp, explorerStack_);
  } else {
    context_.sp = __builtin_frame_address(0);  // about there: nobody puts this stack back
    carriers_->pause(self_);
  }
  sanitizerIsOnFiber();
  if (tracked_) noteResult(operation);
  return result_;
}

// The code has said what the operation depends on, and says so before each one. Of smp_wmb() it is through what the thread has stored
// plainly before it: such a store is no event, and the kernel's model orders what comes after the fence by its address
// (run/kernel_execution.h).
void RunningThread::noteDependencies() {
  context_.tracking.address = std::exchange(heddle_address_dependencies, kIndependent);
  context_.tracking.data = std::exchange(heddle_data_dependencies, kIndependent);
  const bool isWmb = operation_.kind == OperationKind::fence && operation_.kernelFence() == EventTag::wmb;
  if (isWmb) context_.tracking.address = heddle_stored_through;
}

// What comes of an operation depends on it, if it reads or chooses. A read-modify-write is a loop that tries until nothing has come
// in between, as most machines make it, so everything after it depends on how it ended, unless the model says that control ends.
void RunningThread::noteResult(const Operation& operation) {
  const DependencySet self = tracked_->of(context_.tracking.operations++);
  switch (operation.kind) {
    case OperationKind::rmw:
    case OperationKind::cas:
    case OperationKind::lock:
      if (!info_.controlEnds) heddle_control = tracked_->join(heddle_control, self);
      [[fallthrough]];
    case OperationKind::load:
    case OperationKind::choose: heddle_result_dependencies = tracked_->join(heddle_result_dependencies, self); break;
    default: break;
  }
}

// Others see a transaction as one step, so it cannot wait for them, nor do what cannot be taken back.
void RunningThread::checkInTransaction(Operation& operation) {
  const char* what = nullptr;
  switch (operation.kind) {
    case OperationKind::load:
    case OperationKind::store:
    case OperationKind::rmw:
    case OperationKind::fence:
    case OperationKind::choose:
    case OperationKind::beginRound:
    case OperationKind::transaction:
    case OperationKind::error: return;
    case OperationKind::cas:
      if (!triesLock(operation)) return;
      what = "a lock is used";
      break;
    case OperationKind::block: {
      const auto reason = static_cast<BlockReason>(operation.reason());
      if (reason == BlockReason::assumption || reason == BlockReason::loopBound) return;
      // The hardware aborts it when what it waits for comes, and that is tried anyway.
      if (context_.ofHardware != 0) {
        operation = blockedBy(BlockReason::assumption).at(operation.source);
        return;
      }
      what = "the thread waits";
      break;
    }
    case OperationKind::end:
      if (reason_.index() != 0) return;  // giveUp
      what = operation.endsProgram ? "the program ends" : "the thread ends";
      break;
    case OperationKind::spawn: what = "a thread is started"; break;
    case OperationKind::join: what = "a thread is waited for"; break;
    case OperationKind::lock:
    case OperationKind::unlock: what = "a lock is used"; break;
    case OperationKind::arrive:
    case OperationKind::depart: what = "a barrier is used"; break;
    case OperationKind::notify:
    case OperationKind::stopWaiting: what = "a wait or a notification is made"; break;
    case OperationKind::flush:
    case OperationKind::crash:
    case OperationKind::recover: what = "durable memory is used"; break;
  }
  fail(ErrorKind::misuse, std::string(what) + " inside a transaction, which cannot be taken back", operation.source);
}

// An operation within an annotation of writes.
void RunningThread::mark(Operation& operation) {
  const OperationKind kind = operation.kind;
  if (kind != OperationKind::store && kind != OperationKind::rmw && kind != OperationKind::cas) return;
  operation.isLocal = context_.marking.local != 0;
  operation.isFinal = context_.marking.final != 0;
  context_.marking.found = 1;
}

void RunningThread::pauseForEver(Operation operation) {
  // What the thread has read or written since its last event others may race with, though it goes no further.
  if (operation.kind == OperationKind::block && memory_.hasAccessed()) operation.mattersInItself = true;
  visible(operation);
  __builtin_unreachable();
}

void RunningThread::stopIfUrgent() {
  asked_.store(false, std::memory_order_relaxed);
  const auto isUrgent = [this] {
    const sandbox::OwnCode own;
    return mustStop();
  };
  if (!isUrgent()) return;
  willGiveUp(explore::StopHere{});
  giveUp();
}

}  // namespace heddle::runtime

// What the program's code and the runtime share (hooks.h).
extern "C" {
std::uint32_t heddle_epoch = 0;
std::uint64_t heddle_tls = 0;
std::uint32_t heddle_call_source = 0;
std::uint32_t heddle_heap_type = 0;
std::uint32_t heddle_control = 0;
std::uint32_t heddle_stored_through = 0;
std::uint32_t heddle_address_dependencies = 0;
std::uint32_t heddle_data_dependencies = 0;
std::uint32_t heddle_result_dependencies = 0;
std::uint32_t heddle_returned_dependencies = 0;
heddle_argument_sets heddle_argument_dependencies = {};
}
