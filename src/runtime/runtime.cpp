// The runtime under instrumented code: what each hook and each primitive of the library models does. Everything here runs
// on the fiber of the running thread.

#include <alloca.h>
#include <fmt/format.h>

#include <algorithm>

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <map>
#include <utility>

#include "program/barrier.h"
#include "program/lock.h"
#include "runtime/fiber.h"
#include "runtime/hooks.h"
#include "runtime/native_program.h"
#include "runtime/notifications.h"
#include "runtime/places.h"
#include "runtime/sanitizer.h"

namespace heddle::native {

namespace {

Address addressOf(const void* pointer) { return reinterpret_cast<Address>(pointer); }

NativeProgram& program() { return *NativeProgram::current(); }

Operation unpack(OperationKind kind, const void* address, std::uint32_t access, std::uint32_t source) {
  return {.kind = kind,
          .rmw = static_cast<RmwOp>((access >> 24) & 15),
          .order = static_cast<Order>(access & 255),
          .failureOrder = static_cast<Order>((access >> 8) & 255),
          .size = static_cast<std::uint8_t>(access >> 16),
          .weak = ((access >> 28) & 1) != 0,
          .blind = ((access >> 30) & 1) != 0,
          .source = source,
          .address = addressOf(address)};
}

// Has the segment accessed all of this before, in a way that covers this access? The condition of hook_condition.h.
bool isCovered(Address address, std::uint64_t size, bool write) {
  if (!hasInlineCheck(size) || !memory::isProgramMemory(address)) return false;
  if ((address & 3) > (size >= 4 ? 0 : 4 - size)) return false;
  const auto* const cell = reinterpret_cast<const memory::Cell*>(memory::shadowOf(address));
  const auto covers = [&](const memory::Cell& c) { return c.write == heddle_epoch || (!write && c.read == heddle_epoch); };
  return covers(cell[0]) && (size <= 4 || covers(cell[1]));
}

// Runs what may exceed a limit of plain memory. An exception must not pass through the program's frames: the fiber is
// given up, and NativeProgram::advance throws it to the explorer.
template <typename Action>
auto guarded(Action action) {
  try {
    return action();
  } catch (const LimitError& error) {
    program().giveUp(error.what());
  } catch (const std::bad_alloc&) {
    program().giveUp("out of memory");
  }
  program().pauseForEver({.kind = OperationKind::end});
}

memory::AllocationKind heapKind(std::uint32_t kind) {
  return kind == 0 ? memory::AllocationKind::malloc
                   : kind == 1 ? memory::AllocationKind::newScalar : memory::AllocationKind::newArray;
}

}  // namespace

// Reports should point into the program, not into a library that it calls.
std::uint32_t NativeProgram::origin(std::uint32_t source) const {
  return heddle_call_source == 0 || ownFrame(info_, source) != 0 ? source : heddle_call_source;
}

std::uint32_t NativeProgram::place(std::uint32_t source) const {
  if (const std::uint32_t own = ownFrame(info_, source)) return own;
  if (const std::uint32_t own = ownFrame(info_, heddle_call_source)) return own;
  return heddle_call_source != 0 ? heddle_call_source : source;
}

// Pauses the running thread at an operation until the explorer has a result for it.
Result NativeProgram::visible(Operation operation) {
  Thread& thread = threads_[self_];
  thread.operation = operation;
  thread.operation.source = place(operation.source);
  if (std::exchange(pollsNext_, false) && operation.kind == OperationKind::lock && operation.lock == LockOp::hold) {
    thread.operation.lock = LockOp::poll;
  }
  sanitizerLeavesFiber(self_);
  heddle_switch(&thread.context.sp, schedulerSp_);
  sanitizerIsOnFiber();
  return thread.result;
}

void NativeProgram::pauseForEver(Operation operation) {
  // What the thread has read or written since its last event others may race with, though it goes no further.
  if (operation.kind == OperationKind::block && memory_.hasAccessed()) operation.weak = true;
  visible(operation);
  __builtin_unreachable();
}

// ---- The bytes of an atomic access, on behalf of a thread that is paused before it or goes on after it.

namespace {

constexpr bool isAtomicAccess(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::load:
    case OperationKind::store:
    case OperationKind::rmw:
    case OperationKind::cas:
    case OperationKind::lock:
    case OperationKind::unlock: return operation.order != Order::plain;
    default: return false;
  }
}

}  // namespace

// A thread is paused at an access. False: it is an error, at which it is paused instead (failed_).
bool NativeProgram::checkBefore(const Operation& operation) {
  if (!isAtomicAccess(operation)) return true;
  const bool write = operation.kind != OperationKind::load && (operation.kind != OperationKind::cas || isAttempt(operation));
  if (memory_.atomic(operation.address, operation.size, write, operation.source) == memory::Outcome::ok) return true;
  return initialiseByStore(operation);
}

// C programs often give an atomic object on the heap its first value by an atomic store. That is an initialisation: whoever
// could access the object without happening after it could find it uninitialised.
bool NativeProgram::initialiseByStore(const Operation& operation) {
  const memory::Fault fault = memory_.fault();
  if (allowsRaces_ && fault.kind == memory::FaultKind::race) throw raceOf(fault);
  const bool accepted = fault.kind == memory::FaultKind::uninitialised && operation.kind == OperationKind::store &&
                        memory_.write(operation.address, operation.size, operation.source) == memory::Outcome::ok;
  if (!accepted) {
    failed_ = failureOf(fault, operation.source, true);
    return false;
  }
  std::memset(reinterpret_cast<void*>(operation.address), 0, operation.size);
  if (memory_.atomic(operation.address, operation.size, true, operation.source) == memory::Outcome::ok) return true;
  failed_ = failureOf(memory_.fault(), operation.source, true);
  return false;
}

bool NativeProgram::checkAgain(const Operation& operation, bool write) {
  if (!isAtomicAccess(operation)) return true;
  if (memory_.atomic(operation.address, operation.size, write, operation.source) == memory::Outcome::ok) return true;
  if (allowsRaces_ && memory_.fault().kind == memory::FaultKind::race) throw raceOf(memory_.fault());
  failed_ = failureOf(memory_.fault(), operation.source, true);
  return false;
}

// Where races are no errors, whether bytes are initialised is no matter of happens-before: the event has read what was there
// before all others, and that is nothing.
bool NativeProgram::findsUninitialised(const Operation& operation) const {
  if (!isAtomicAccess(operation) || (operation.kind == OperationKind::load && operation.blind)) return false;
  if (!memory_.isUninitialised(operation.address, operation.size)) return false;
  const auto readOf = [&](const auto& graph) {
    const EventId last = graph.last(self_);
    return graph[last].isWrite() && graph[last].rmw ? graph[last].poPrev : last;
  };
  if (graph_ != nullptr) {
    const Event& read = (*graph_)[readOf(*graph_)];
    return read.isRead() && isInitial(read.rf);
  }
  const EventId read = readOf(*mixed_);
  return (*mixed_)[read].isRead() &&
         std::ranges::any_of(mixed_->sources(read), [](const heddle::Source& source) { return isInitial(source.write); });
}

RaceFound NativeProgram::raceOf(const memory::Fault& fault) const {
  memory::Range raced{fault.start, fault.size};
  if (raced.size > sizeof(Value)) raced = names_->scalarAt(fault.address);
  if (raced.size == 0) raced = {fault.address & ~Address{3}, 4};
  const memory::Allocation* const object = memory_.find(fault.address);
  return {raced, object ? memory::Range{object->address, object->size} : raced};
}

Operation NativeProgram::failure(ErrorKind kind, std::string message, std::uint32_t source,
                                 std::vector<ErrorAccess> related) {
  errors_[self_] = {.kind = kind,
                    .message = std::move(message),
                    .thread = self_,
                    .source = origin(source),
                    .related = std::move(related)};
  return {.kind = OperationKind::error, .source = place(source)};
}

// A thread that fails does not return, and what its functions own is lost. So they own nothing when they call this.
void NativeProgram::fail(ErrorKind kind, std::string message, std::uint32_t source, std::vector<ErrorAccess> related) {
  pauseForEver(failure(kind, std::move(message), source, std::move(related)));
}

void NativeProgram::failFault(const memory::Fault& fault, std::uint32_t source, bool atomic) {
  if (allowsRaces_ && fault.kind == memory::FaultKind::race) {
    raceFound_.emplace(raceOf(fault));
    pauseForEver({.kind = OperationKind::end});
  }
  pauseForEver(failureOf(fault, source, atomic));
}

std::string NativeProgram::describe(Address address, std::size_t size) const {
  return locationName(address, static_cast<unsigned>(size));
}

std::string NativeProgram::whatHasEnded(Address address) const {
  const memory::Allocation* const object = memory_.find(address);
  if (object && object->kind == memory::AllocationKind::tls) return "a thread_local variable of a thread that has ended";
  return "a local variable whose block or function has been left";
}

Operation NativeProgram::failureOf(const memory::Fault& fault, std::uint32_t source, bool atomic) {
  using memory::FaultKind;
  if (names_) names_->note(fault.address, source);
  const std::string object = describe(fault.address, fault.size);
  const char* const access = fault.write ? "write to" : "read of";
  std::vector<ErrorAccess> related;
  const auto relate = [&](std::string what) {
    related.push_back({.thread = fault.other.thread,
                       .source = fault.other.source,
                       .what = std::move(what),
                       .index = fault.other.index});
  };
  const auto kindOf = [&](const memory::AccessInfo& other) {
    return other.free ? "free" : other.allocation ? "allocation" : other.write ? "write" : "read";
  };
  ErrorKind kind = ErrorKind::wildPointer;
  std::string message;
  switch (fault.kind) {
    case FaultKind::none: break;
    case FaultKind::race:
      kind = ErrorKind::dataRace;
      message = fmt::format("{} {} {} and a {} by thread {} are not ordered", atomic ? "an atomic" : "a plain", access,
                            object, kindOf(fault.other), fault.other.thread);
      relate(kindOf(fault.other));
      break;
    case FaultKind::uninitialised:
      kind = atomic ? ErrorKind::uninitialisedAtomic : ErrorKind::uninitialisedRead;
      message = fmt::format("{} was never initialised", object);
      break;
    case FaultKind::outOfBounds:
      kind = ErrorKind::outOfBounds;
      message = fmt::format("{} {} bytes outside of {}", fault.write ? "writes" : "reads", fault.size, object);
      break;
    case FaultKind::useAfterFree:
      kind = ErrorKind::useAfterFree;
      message = fmt::format("{} {}, which has been freed", access, object);
      relate("free");
      break;
    case FaultKind::deadFrame:
      kind = ErrorKind::deadFrame;
      message = fmt::format("{} {}, {}", access, object, whatHasEnded(fault.address));
      break;
    case FaultKind::nullPointer:
      kind = ErrorKind::nullPointer;
      message = fmt::format("{} address {:#x}", access, fault.address);
      break;
    case FaultKind::wildPointer:
      kind = ErrorKind::wildPointer;
      message = fmt::format("{} address {:#x}, which is no object of the program", access, fault.address);
      break;
    case FaultKind::readOnly:
      kind = ErrorKind::readOnlyWrite;
      message = fmt::format("{} is a constant", object);
      break;
    case FaultKind::invalidFree:
      kind = ErrorKind::invalidFree;
      message = fmt::format("{} is not the start of an allocation", object);
      break;
    case FaultKind::doubleFree:
      kind = ErrorKind::doubleFree;
      message = fmt::format("{} has been freed before", object);
      relate("free");
      break;
    case FaultKind::mismatchedFree:
      kind = ErrorKind::invalidFree;
      message = fmt::format("{} is freed by another function than its allocation asks for", object);
      break;
    case FaultKind::unorderedEnd: {
      const memory::Allocation* const allocation = memory_.find(fault.address);
      const bool local = allocation && allocation->kind == memory::AllocationKind::frame;
      kind = local ? ErrorKind::deadFrame : ErrorKind::useAfterFree;
      message = fmt::format("a {} of {} by thread {} may come after {}: they are not ordered", kindOf(fault.other), object,
                            fault.other.thread, local ? "the function has returned" : "it has been freed");
      relate(kindOf(fault.other));
      break;
    }
    case FaultKind::outOfMemory:
      kind = ErrorKind::unsupported;
      message = "the program uses more memory than there is room for";
      break;
  }
  return failure(kind, std::move(message), source, std::move(related));
}

// ---- Lives of local variables.

// A variable with a frame of its own. The frame of the same size that was here before, and some before that, were
// elsewhere: a pointer that has stayed behind does not point to the new variable.
void* NativeProgram::pushVariable(std::uint64_t size, std::uint64_t alignment, std::uint32_t tag, std::uint32_t number,
                                  std::uint32_t source) {
  constexpr std::uint64_t kPlaces = 8, kBetween = 128;
  doMore();
  const std::uint64_t margin = std::max<std::uint64_t>(alignment, 16);
  const std::uint64_t room = size + 2 * margin;
  const Address base = memory_.pushFrame(room, source, {.gap = (number % kPlaces) * (room + kBetween), .inner = true});
  if (base == 0) fail(ErrorKind::stackOverflow, "there is no room for local variables", source);
  const Address address = (base + margin) & ~(margin - 1);
  memory_.defineVariable(address, size, tag);
  return reinterpret_cast<void*>(address);
}

// Ends such a variable. If it is not the newest its frame stays for the time being.
void NativeProgram::popVariable(Address address, std::uint32_t source) {
  if (address == 0) return;  // its life has not begun
  doMore();
  const memory::Allocation* const variable = memory_.find(address);
  endOfLife(address, variable->size, "the end of the life", source);
  const Address frame = memory_.newestFrame(address);
  const memory::Outcome outcome = frame != 0 ? memory_.popFrame(frame, source) : memory_.endVariable(address, source);
  if (outcome == memory::Outcome::fault) failFault(memory_.fault(), source, false);
}

// What nobody has returned from ends with its thread, and so do thread_locals.
void NativeProgram::endThread() {
  guarded([&] {
    const std::uint32_t source = place(0);
    if (memory_.hasFrames()) popFrame(memory::framesOf(self_), source);
    if (!info_.tlsEscapes) return;
    doMore();
    endOfLife(memory::tlsOf(self_), info_.tlsSize, "the end of the life", source);
    if (memory_.endTls(source) == memory::Outcome::fault) failFault(memory_.fault(), source, false);
  });
  pauseForEver({.kind = OperationKind::end});
}

// ---- Threads and output.

// The number of the next thread that the running one starts.
ThreadId NativeProgram::childThread() {
  const ThreadId child = threadNumbers_.of(self_, threads_[self_].context.children++);
  if (child >= threadCount_) {
    tooManyThreads_ = true;
    pauseForEver({.kind = OperationKind::end});
  }
  return child;
}

void NativeProgram::stopIfUrgent() {
  asked_.store(false, std::memory_order_relaxed);
  if (!mustStop()) return;
  stopHere();
  pauseForEver({.kind = OperationKind::end});
}

void NativeProgram::warn(std::string message) {
  const Warning warning{.message = std::move(message), .source = place(0)};
  if (std::ranges::find(warnings_, warning) == warnings_.end()) warnings_.push_back(warning);
}

void NativeProgram::orderArrivals() {
  crowded_ = true;
  pauseForEver({.kind = OperationKind::end});
}

// Have all arrived at a latch, as far as what happens before the thread's last event tells?
bool NativeProgram::hasMet(Address latch, Value operand) {
  doMore();
  if (graph_ == nullptr) return false;
  const EventId last = graph_->last(self_);
  const Operation barrier{.address = latch, .operand = operand};
  Value arrived = 0;
  for (EventId id = graph_->newest(); id != kNone && last != kNone; id = (*graph_)[id].orderPrev) {
    const Operation& operation = graph_->operation(id);
    const bool same = operation.kind == OperationKind::arrive && isSameBarrier(operation, barrier);
    if (same && graph_->inPrefix(graph_->porf(last), id)) arrived += operation.expected;
  }
  return arrived == firstExpected(operand);
}

namespace {

// What a thread has done since it began to wait; the wait itself has the operations of a condition variable in it.
struct Round {
  bool onlyLooked = true;            // at things, and has taken locks and given them back
  bool takesLocks = false;           // other than by waiting
  std::vector<Lane> givesBack = {};  // so, at these events; the last one first
};

template <class AnyGraph>
Round roundOf(const AnyGraph& graph, ThreadId thread, std::uint32_t began, std::uint32_t ended) {
  Round round;
  std::map<Address, int> held;
  for (EventId id = graph.last(thread); id != kNone && graph[id].thread == thread && graph[id].index >= began;
       id = graph[id].poPrev) {
    const auto& event = graph[id];
    const Operation& operation = graph.operation(id);
    if (event.kind == EventKind::fence || (event.isRead() && !event.rmw)) continue;
    const LockOp lock = operation.lock;
    const bool waits = event.kind == EventKind::choice || lock == LockOp::join || lock == LockOp::leave;
    if (waits && event.index < ended) continue;
    const bool locks = isLockOfMutex(operation) || (operation.kind == OperationKind::lock && lock == LockOp::read);
    const bool leaves = operation.kind == OperationKind::rmw && lock == LockOp::read;
    if (!locks && !leaves && operation.kind != OperationKind::unlock) return {.onlyLooked = false};
    if (event.isWrite()) held[operation.address] += locks ? 1 : -1;
    if (event.index < ended) continue;
    round.takesLocks |= locks;
    if (!locks && event.isWrite()) round.givesBack.push_back(event.index);
  }
  round.onlyLooked = std::ranges::all_of(held, [](const auto& mutex) { return mutex.second == 0; });
  return round;
}

}  // namespace

// Would the thread be where it is if it had not woken up when it did? Its own variables are for the loop to compare. Who gets
// a lock that it has given back in between must not have seen memory that is different then. Who tries to take one, and
// fails, notices; of all locks but that of the wait it is not known who tries.
bool NativeProgram::isIdle(std::uint32_t began, std::uint32_t ended, std::span<const memory::Range> own) {
  doMore();
  const Round round = graph_ ? roundOf(*graph_, self_, began, ended) : roundOf(*mixed_, self_, began, ended);
  if (!round.onlyLooked || !memory_.isUnchangedSince(static_cast<Lane>(began), round.givesBack, own)) return false;
  if (round.takesLocks) noteIdle(0);
  return true;
}

void NativeProgram::note(std::uint32_t bit) {
  if ((notes_ & bit) != 0) return;
  notes_ |= bit;
  doMore();
  states_.beginEra();
}

void NativeProgram::print(std::string_view text) {
  doMore();
  const memory::SegmentId segment = memory_.openSegment();
  printed_.push_back({segment, memory_.logTop(), std::string(text)});
  if (showOutput_) std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace heddle::native

using namespace heddle;
using namespace heddle::native;

extern "C" {

std::uint32_t heddle_epoch = 0;
std::uint64_t heddle_tls = 0;
std::uint32_t heddle_call_source = 0;
std::uint32_t heddle_heap_type = 0;

// ---- Hooks (hooks.h).

void heddle_plain_read(const void* address, std::uint64_t size, std::uint32_t source) {
  if (isCovered(addressOf(address), size, false)) return;
  guarded([&] {
    program().plainRead(addressOf(address), size, source, NativeProgram::Use::value);
  });
}

void heddle_plain_write(void* address, std::uint64_t size, std::uint32_t source, std::uint64_t value) {
  if (isCovered(addressOf(address), size, true)) return;
  guarded([&] {
    program().plainWrite(addressOf(address), size, source, value);
  });
}

void heddle_plain_update(void* address, std::uint64_t size, std::uint32_t source, std::uint64_t value) {
  if (isCovered(addressOf(address), size, true)) return;
  guarded([&] {
    program().look(addressOf(address), size);
    program().plainWrite(addressOf(address), size, source, value, true);
  });
}

void heddle_plain_peek(const void* address, std::uint64_t size, std::uint32_t source) {
  if (isCovered(addressOf(address), size, false)) return;
  guarded([&] {
    program().plainRead(addressOf(address), size, source, NativeProgram::Use::copy);
  });
}

void heddle_copy(void* to, const void* from, std::uint64_t size, std::uint32_t source) {
  program().stopIfAsked();
  guarded([&] {
    program().copy(addressOf(to), addressOf(from), size, source);
  });
}

void heddle_set(void* to, int byte, std::uint64_t size, std::uint32_t source) {
  program().stopIfAsked();
  guarded([&] {
    program().set(addressOf(to), byte, size, source);
  });
}

void* heddle_frame_push(std::uint64_t size, const FrameVariable* variables, std::uint32_t count, std::uint32_t source) {
  return guarded([&] {
    program().doMore();
    memory::Memory& memory = program().plainMemory();
    const Address base = memory.pushFrame(size, source, {.inner = variables == nullptr});
    if (base == 0) program().fail(ErrorKind::stackOverflow, "there is no room for local variables", source);
    for (std::uint32_t i = 0; i < count; ++i) {
      memory.defineVariable(base + variables[i].offset, variables[i].size, variables[i].tag);
    }
    return reinterpret_cast<void*>(base);
  });
}

void heddle_frame_pop(void* base, std::uint32_t source) {
  guarded([&] {
    program().popFrame(addressOf(base), source);
  });
}

void heddle_frame_unwind(void* base, std::uint32_t source) {
  guarded([&] {
    const Address above = program().plainMemory().endOfInnerFrames(addressOf(base));
    if (program().plainMemory().frameTop() > above) program().popFrame(above, source);
  });
}

void* heddle_alloca(std::uint64_t size, std::uint64_t alignment, std::uint32_t tag, std::uint32_t source) {
  return guarded([&] { return program().pushVariable(size, alignment, tag, 0, source); });
}

void* heddle_life_begin(std::uint64_t size, std::uint64_t alignment, std::uint32_t tag, std::uint32_t number,
                        std::uint32_t source) {
  return guarded([&] { return program().pushVariable(size, alignment, tag, number, source); });
}

void heddle_life_end(void* address, std::uint32_t source) {
  guarded([&] { program().popVariable(addressOf(address), source); });
}

std::uint64_t heddle_atomic_load(const void* address, std::uint32_t access, std::uint32_t source) {
  return program().visible(unpack(OperationKind::load, address, access, source)).value;
}

void heddle_atomic_store(void* address, std::uint64_t value, std::uint32_t access, std::uint32_t source) {
  Operation operation = unpack(OperationKind::store, address, access, source);
  operation.operand = value;
  program().visible(operation);
}

std::uint64_t heddle_atomic_rmw(void* address, std::uint64_t operand, std::uint32_t access, std::uint32_t source) {
  Operation operation = unpack(OperationKind::rmw, address, access, source);
  operation.operand = operand;
  return program().visible(operation).value;
}

CasResult heddle_atomic_cas(void* address, std::uint64_t expected, std::uint64_t desired, std::uint32_t access,
                            std::uint32_t source) {
  Operation operation = unpack(OperationKind::cas, address, access, source);
  operation.expected = expected;
  operation.operand = desired;
  const Result result = program().visible(operation);
  return {result.value, result.success};
}

CasResult heddle_atomic_attempt(void* address, std::uint64_t operand, std::uint64_t expected, std::uint32_t comparison,
                                std::uint32_t access, std::uint32_t source) {
  Operation operation = unpack(OperationKind::cas, address, access, source);
  const bool takenBack = operation.rmw != RmwOp::exchange;  // an exchange in vain has written what was there
  if (takenBack && !program().makesAttempts()) return {heddle_atomic_rmw(address, operand, access, source), 1};
  operation.operand = operand;
  operation.expected = expected;
  operation.comparison = static_cast<Comparison>(comparison);
  const Result result = program().visible(operation);
  return {result.value, result.success};
}

void heddle_atomic_load16(const void* address, void* result, std::uint32_t access, std::uint32_t source) {
  const Result r = program().visible(unpack(OperationKind::load, address, access, source));
  std::memcpy(result, program().wideValue(r.value).data(), 16);
}

void heddle_atomic_store16(void* address, const void* value, std::uint32_t access, std::uint32_t source) {
  Operation operation = unpack(OperationKind::store, address, access, source);
  operation.operand = program().numberOf(value);
  program().visible(operation);
}

void heddle_atomic_exchange16(void* address, const void* operand, void* old, std::uint32_t access, std::uint32_t source) {
  Operation operation = unpack(OperationKind::rmw, address, access, source);
  operation.rmw = RmwOp::exchange;
  operation.operand = program().numberOf(operand);
  const Result r = program().visible(operation);
  std::memcpy(old, program().wideValue(r.value).data(), 16);
}

std::uint64_t heddle_atomic_cas16(void* address, const void* expected, const void* desired, void* old,
                                  std::uint32_t access, std::uint32_t source) {
  Operation operation = unpack(OperationKind::cas, address, access, source);
  operation.expected = program().numberOf(expected);
  operation.operand = program().numberOf(desired);
  const Result r = program().visible(operation);
  std::memcpy(old, program().wideValue(r.value).data(), 16);
  return r.success;
}

void heddle_atomic_crosses(const void* address, std::uint64_t size, std::uint32_t source) {
  NativeProgram& p = program();
  if (p.plainMemory().checkAlive(addressOf(address), size, source) == memory::Outcome::fault) {
    p.failFault(p.plainMemory().fault(), source, true);
  }
  p.fail(ErrorKind::unsupported,
         fmt::format("an atomic access of {} bytes crosses a 16-byte boundary, so no hardware makes it at once", size), source);
}

void heddle_fence(std::uint32_t order, std::uint32_t source) {
  program().visible({.kind = OperationKind::fence, .order = static_cast<Order>(order), .source = source});
}

void heddle_fail(std::uint32_t kind, const char* message, std::uint32_t source) {
  program().fail(static_cast<ErrorKind>(kind), message ? message : "", source);
}

void heddle_loop_bound(std::uint32_t loop, std::uint32_t source) {
  program().hitBound(loop);
  program().pauseForEver(
      {.kind = OperationKind::block, .source = source, .operand = static_cast<Value>(BlockReason::loopBound)});
}

void heddle_spin(std::uint32_t, std::uint32_t source, std::uint32_t begin) {
  program().pauseForEver({.kind = OperationKind::block,
                          .source = source,
                          .operand = static_cast<Value>(BlockReason::spin),
                          .expected = begin});
}

void heddle_spin_on_mutex(std::uint32_t, std::uint32_t source, std::uint32_t begin, void* mutex) {
  program().pauseForEver({.kind = OperationKind::block,
                          .source = source,
                          .address = addressOf(mutex),
                          .operand = static_cast<Value>(BlockReason::spin),
                          .expected = begin});
}

std::uint32_t heddle_polls() {
  program().pollsNext();
  return program().makesAttempts() ? 1 : 0;
}

std::uint32_t heddle_position() { return program().position(); }

// ---- Primitives of the library models (library/primitives.h).

std::uint32_t heddle_spawn(void* (*function)(void*), void* argument) {
  const ThreadId child = program().childThread();
  program().visible({.kind = OperationKind::spawn,
                     .address = addressOf(argument),
                     .operand = child,
                     .expected = reinterpret_cast<Value>(function)});
  return child;
}

void heddle_join(std::uint32_t thread) { program().visible({.kind = OperationKind::join, .operand = thread}); }

int heddle_join_rest() { return program().visible({.kind = OperationKind::join, .weak = true}).value != 0; }

void heddle_detach(std::uint32_t thread) { program().detach(static_cast<ThreadId>(thread)); }

std::uint32_t heddle_self() { return program().self(); }

std::uint64_t* heddle_private() { return reinterpret_cast<std::uint64_t*>(privateWord(program().self())); }

void heddle_end_thread() { program().endThread(); }

void heddle_end_program(int) { program().pauseForEver({.kind = OperationKind::end, .operand = 1}); }

void heddle_lock(void* mutex) {
  program().visible({.kind = OperationKind::lock, .order = Order::acquire, .size = 4, .address = addressOf(mutex)});
}

void heddle_unlock(void* mutex) {
  program().visible({.kind = OperationKind::unlock, .order = Order::release, .size = 4, .address = addressOf(mutex)});
}

int heddle_trylock(void* mutex) {
  const Operation operation{.kind = OperationKind::cas,
                            .order = Order::acquire,
                            .failureOrder = Order::relaxed,
                            .size = 4,
                            .address = addressOf(mutex),
                            .operand = 1,
                            .expected = 0};
  const bool success = program().visible(operation).success;
  if (!success) program().noteFailedAttempt(addressOf(mutex));
  return success;
}

std::uint64_t heddle_take(void* word, std::uint32_t what, std::uint64_t operand, int orNever) {
  const auto lock = static_cast<LockOp>(what);
  const bool wide = lock == LockOp::join || lock == LockOp::leave || lock == LockOp::wakeOne || lock == LockOp::wakeAll;
  return program()
      .visible({.kind = OperationKind::lock,
                .lock = lock,
                .order = heddle::orderOf(lock),
                .size = static_cast<std::uint8_t>(wide ? 8 : 4),
                .weak = orNever != 0,
                .address = addressOf(word),
                .operand = operand})
      .value;
}

int heddle_try(void* word, std::uint32_t what) {
  const Operation operation{.kind = OperationKind::cas,
                            .lock = static_cast<LockOp>(what),
                            .order = Order::acquire,
                            .failureOrder = Order::relaxed,
                            .size = 4,
                            .address = addressOf(word)};
  const bool success = program().visible(operation).success;
  if (!success) program().noteFailedAttempt(addressOf(word));
  return success;
}

void heddle_take_part(void* word, std::uint32_t what, const void* whole, std::uint32_t part) {
  program().visible({.kind = OperationKind::lock,
                     .lock = static_cast<LockOp>(what),
                     .order = Order::acquire,
                     .size = 4,
                     .address = addressOf(word),
                     .operand = part,
                     .expected = addressOf(whole)});
}

void heddle_unlock_part(void* word, const void* whole, std::uint32_t part) {
  program().visible({.kind = OperationKind::unlock,
                     .order = Order::release,
                     .size = 4,
                     .address = addressOf(word),
                     .operand = part,
                     .expected = addressOf(whole)});
}

void heddle_leave_reading(void* word, const void* whole) {
  program().visible({.kind = OperationKind::rmw,
                     .rmw = heddle::RmwOp::sub,
                     .lock = LockOp::read,
                     .order = Order::relaxed,
                     .size = 4,
                     .address = addressOf(word),
                     .operand = heddle::kReader,
                     .expected = addressOf(whole)});
}

std::int64_t heddle_arrive(const void* barrier, std::uint64_t count, std::uint64_t weight, int drops) {
  const Result result = program().visible({.kind = OperationKind::arrive,
                                           .weak = drops != 0,
                                           .address = addressOf(barrier),
                                           .operand = count,
                                           .expected = weight});
  return result.success ? static_cast<std::int64_t>(result.value) : -1;
}

int heddle_arrivals_have_order() { return program().arrivalsHaveOrder(); }

void heddle_order_arrivals() { program().orderArrivals(); }

void heddle_depart(const void* barrier, std::uint64_t count, std::int64_t round) {
  program().visible({.kind = OperationKind::depart,
                     .address = addressOf(barrier),
                     .operand = count,
                     .expected = static_cast<Value>(round) + 1});
}

void heddle_depart_or_never(const void* barrier, std::uint64_t count) {
  program().visible(
      {.kind = OperationKind::depart, .weak = true, .address = addressOf(barrier), .operand = count, .expected = 1});
}

int heddle_has_met(const void* barrier, std::uint64_t count) { return program().hasMet(addressOf(barrier), count); }

std::uint32_t heddle_site() { return program().place(0); }

int heddle_is_idle(std::uint32_t began, std::uint32_t ended, const void* own, std::size_t n, const void* clock,
                   std::size_t m, const void* held, std::size_t k) {
  const memory::Range except[] = {{addressOf(own), n}, {addressOf(clock), m}, {addressOf(held), k}};
  return program().isIdle(began, ended, except);
}

void heddle_note_idle(const void* mutex) { program().noteIdle(addressOf(mutex)); }

void heddle_cut_wakeups() { program().cutWakeups(); }

void heddle_wait(int condition) {
  if (condition) return;
  program().pauseForEver({.kind = OperationKind::block, .operand = static_cast<Value>(BlockReason::waiting)});
}

void heddle_wait_notified(const void* address, int condition) {
  if (condition) return;
  program().pauseForEver({.kind = OperationKind::block,
                          .weak = true,
                          .address = addressOf(address),
                          .operand = static_cast<Value>(BlockReason::notification)});
}

void heddle_end_of_wait(const void* address, std::uint64_t old) {
  if (program().info().notifiesOne) program().visible(endOfWait(addressOf(address), old));
}

void heddle_notify(const void* address) { program().visible(notification(addressOf(address), false)); }
void heddle_notify_one(const void* address) { program().visible(notification(addressOf(address), true)); }

void heddle_assume_hook(int condition) {
  if (condition) return;
  program().pauseForEver({.kind = OperationKind::block, .operand = static_cast<Value>(BlockReason::assumption)});
}

std::uint64_t heddle_choose_hook(std::uint64_t n) {
  if (n == 0) program().fail(ErrorKind::misuse, "a choice among 0 values", 0);
  if (n > 0xffffffff) program().fail(ErrorKind::misuse, "a choice among more than 4,294,967,295 values", 0);
  if (n == 1) return 0;
  return program().visible({.kind = OperationKind::choose, .operand = n}).value;
}

void* heddle_allocate(std::size_t size, std::size_t alignment, std::uint32_t kind) {
  program().stopIfAsked();
  return guarded([&] {
    NativeProgram& p = program();
    p.doMore();
    const std::uint32_t source = p.origin(0);
    const std::uint32_t tag = std::exchange(heddle::native::heddle_heap_type, 0);
    return reinterpret_cast<void*>(p.plainMemory().allocate(size, alignment, heapKind(kind), source, tag));
  });
}

void heddle_free(void* address, std::uint32_t kind) {
  guarded([&] {
    if (address != nullptr) program().free(addressOf(address), heapKind(kind), program().origin(0));
  });
}

int heddle_is_initialised(const void* address, std::size_t n) {
  program().doMore();
  return !program().plainMemory().isUninitialised(addressOf(address), n);
}

std::size_t heddle_allocation_size(const void* address) {
  program().doMore();
  const memory::Allocation* const block = program().plainMemory().find(addressOf(address));
  return block && block->live && block->address == addressOf(address) ? block->size : 0;
}

void heddle_check_read(const void* address, std::size_t n) {
  guarded([&] {
    program().doMore();
    if (n != 0) program().plainRead(addressOf(address), n, program().origin(0), NativeProgram::Use::bytes);
  });
}

void heddle_check_write(void* address, std::size_t n) {
  guarded([&] {
    program().doMore();
    if (n == 0 || isOnAnyStack(addressOf(address))) return;
    if (program().plainMemory().write(addressOf(address), n, program().origin(0)) == memory::Outcome::fault) {
      program().failFault(program().plainMemory().fault(), 0, false);
    }
  });
}

void heddle_output(const char* text, std::size_t length, int) { program().print({text, length}); }

// The text is put together on the stack: it may have to be written piece by piece.
int heddle_format(char* buffer, std::size_t size, const char* format, std::va_list arguments) {
  return guarded([&] {
    if (size == 0) return std::vsnprintf(nullptr, 0, format, arguments);
    if (size > kStackBytes / 4) throw LimitError("a formatted text is too long (over 4 MB)");
    auto* const text = static_cast<char*>(alloca(size));
    const int length = std::vsnprintf(text, size, format, arguments);
    program().copy(addressOf(buffer), addressOf(text), std::min<std::size_t>(size, static_cast<std::size_t>(length) + 1),
                   program().origin(0));
    return length;
  });
}

void heddle_note(std::uint32_t bit) { program().note(bit); }

std::uint32_t heddle_noted() { return program().noted(); }

void heddle_fail_hook(std::uint32_t kind, const char* message) {
  program().fail(static_cast<ErrorKind>(kind), message ? message : "", 0);
}

void heddle_warn_hook(const char* message) {
  program().warn(message);
}

}  // extern "C"
