#include "runtime/native_program.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

#include "runtime/fiber.h"
#include "runtime/hooks.h"
#include "runtime/places.h"
#include "runtime/sanitizer.h"

namespace heddle::native {

namespace {

NativeProgram* currentProgram = nullptr;

// The sizes that are common are no calls.
Value load(Address address, std::size_t size) {
  const auto* const bytes = reinterpret_cast<const void*>(address);
  Value value = 0;
  switch (size) {
    case 4: std::memcpy(&value, bytes, 4); break;
    case 8: std::memcpy(&value, bytes, 8); break;
    default: std::memcpy(&value, bytes, size);
  }
  return value;
}

void store(Address address, Value value, std::size_t size) {
  auto* const bytes = reinterpret_cast<void*>(address);
  switch (size) {
    case 4: std::memcpy(bytes, &value, 4); break;
    case 8: std::memcpy(bytes, &value, 8); break;
    default: std::memcpy(bytes, &value, size);
  }
}

// A thread that has not started yet.
constexpr Operation kStart{.kind = OperationKind::spawn};
bool isStart(const Operation& operation) { return operation.kind == kStart.kind && operation.operand == kStart.operand; }

}  // namespace

NativeProgram* NativeProgram::current() { return currentProgram; }

NativeProgram::NativeProgram(const ProgramInfo& info, memory::Memory& memory, Entry entry, unsigned threads)
    : info_(info),
      memory_(memory),
      entry_(std::move(entry)),
      threadCount_(threads),
      exceptionState_(reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals())),
      errors_(threads) {
  mapStacks(threads);
  currentProgram = this;
}

NativeProgram::~NativeProgram() {
  leaveStates();
  currentProgram = nullptr;
}

void NativeProgram::leaveStates() {
  for (const MarkRecord& record : marks_) states_.drop(record.state);
  marks_.clear();
  for (Thread& thread : threads_) {
    if (thread.state) states_.drop(thread.state);
    thread = {};
  }
  states_.clear();
}

void NativeProgram::reset() {
  memory_.reset();
  leaveStates();
  moved_ = 0;
  // What ended one part of the exploration must not end the next.
  raceFound_.reset();
  tooManyThreads_ = false;
  limit_.clear();
  printed_.clear();
  for (ThreadId thread = 0; thread < threadCount_; ++thread) {
    Context context;
    context.sp = prepareStack(thread, &runThread);
    setState(threads_[thread], states_.addRoot(thread, kStart, context));
  }
}

void NativeProgram::forgetFindings() {
  boundHits_.clear();
  warnings_.clear();
  detached_ = 0;
}

// The outermost function of every fiber.
void NativeProgram::runThread() {
  sanitizerIsOnFiber();
  NativeProgram& program = *currentProgram;
  const ThreadId self = program.self_;
  if (program.entry_.tlsImage != nullptr) {
    program.memory_.defineTls({static_cast<const std::byte*>(program.entry_.tlsImage), program.info_.tlsSize});
  }
  if (self != 0) {
    const Operation& spawn = program.graph_ ? program.graph_->operation(program.graph_->last(self))
                                            : program.mixed_->operation(program.mixed_->last(self));
    heddle_call_source = spawn.source;  // until the thread comes to the program's own code
    auto* const function = reinterpret_cast<void (*)(void*)>(spawn.expected);
    function(reinterpret_cast<void*>(spawn.address));
    program.endThread();
  }
  // The arguments are the program's to read and to change.
  const auto store = [&](const void* bytes, std::size_t size) {
    const Address address = program.memory_.allocate(size, 8, memory::AllocationKind::global, 0, 0);
    program.memory_.write(address, size, 0);
    std::memcpy(reinterpret_cast<void*>(address), bytes, size);
    return reinterpret_cast<char*>(address);
  };
  program.argv_.clear();
  for (const std::string& argument : program.entry_.arguments) {
    program.argv_.push_back(store(argument.c_str(), argument.size() + 1));
  }
  const int count = static_cast<int>(program.argv_.size());
  program.argv_.push_back(nullptr);
  char** const argv = reinterpret_cast<char**>(store(program.argv_.data(), program.argv_.size() * sizeof(char*)));
  program.entry_.start(count, argv, argv + count);
  program.pauseForEver({.kind = OperationKind::end, .operand = 1});
}

void NativeProgram::settleMemory() {
  if (moved_ == 0) return;
  std::array<memory::Memory::Target, memory::kThreads> targets;
  std::size_t count = 0;
  for (; moved_ != 0; moved_ &= moved_ - 1) {
    const auto thread = static_cast<ThreadId>(std::countr_zero(moved_));
    targets[count++] = {thread, threads_[thread].position};
  }
  memory_.moveTo({targets.data(), count});
}

void NativeProgram::setState(Thread& thread, State* state) {
  State* const old = std::exchange(thread.state, state);
  if (old && old->root == state->root) return;
  states_.take(state);
  if (old) states_.drop(old);
}

// ---- Steps.

// Where the thread stands in happens-before.
template <class AnyGraph>
void NativeProgram::stand(const AnyGraph& graph, ThreadId thread) {
  const EventId last = graph.last(thread);
  index_ = 1;
  view_ = zeroClock_.data();
  if (last == kNone) return;
  view_ = graph.view(last, raceView_);
  if (graph[last].thread == thread) index_ = static_cast<std::uint16_t>(graph[last].index + 1);
}

inline void NativeProgram::enter(ThreadId thread) {
  heddle_call_source = threads_[thread].state->context.callSource;
  if (graph_ != nullptr) {
    stand(*graph_, thread);
  } else {
    stand(*mixed_, thread);
  }
  if (usesTime_) noteTime(thread);
  memory_.enter(thread, index_, view_);
  self_ = thread;
  if (!allowsRaces_) return;
  if (graph_ != nullptr) {
    orderLives(*graph_);
  } else {
    orderLives(*mixed_);
  }
}

void NativeProgram::allowRaces() {
  allowsRaces_ = true;
  memory_.allowRaces(lives_.data());
}

// What is before the thread's next event in happens-before or in po | rf.
template <class AnyGraph>
void NativeProgram::orderLives(const AnyGraph& graph) {
  const EventId last = graph.last(self_);
  for (unsigned t = 0; t < threadCount_; ++t) {
    lives_[t] = last == kNone ? Lane{0} : std::max(view_[t], graph.porf(last)[t]);
  }
}

// Between the pause at an access and its event there may have been plain reads, which a write conflicts with, and the end of
// the object's life.
inline bool NativeProgram::checkAfter(const Operation& operation, Result result) {
  const bool failed = operation.kind == OperationKind::cas && !result.success && !isAttempt(operation);
  const bool write = operation.kind != OperationKind::load && !failed;
  return (!write && memory_.isStillAtomic(operation.address)) || checkAgain(operation, write);
}

Operation NativeProgram::advance(ThreadId thread) {
  settleMemory();
  enter(thread);
  Thread& t = threads_[thread];
  if (t.checked != memory_.changes() && !checkAfter(t.state->operation, t.result)) return failed_;
  if (allowsRaces_ && findsUninitialised(t.state->operation)) {
    const Operation& read = t.state->operation;
    memory::Fault fault;
    fault.kind = memory::FaultKind::uninitialised;
    fault.address = read.address;
    fault.size = read.size;
    return failureOf(fault, read.source, read.kind != OperationKind::load);
  }
  State* const next = takeStep(thread);
  setState(t, next);
  const bool good = checkBefore(next->operation);
  t.position = memory_.position(thread);
  // A compare-exchange was checked as a read.
  t.checked = next->operation.kind == OperationKind::cas ? 0 : memory_.changes();
  return good ? next->operation : failed_;
}

// Takes a remembered step if there is one, with its accesses done again; otherwise runs native code.
State* NativeProgram::takeStep(ThreadId thread) {
  Thread& t = threads_[thread];
#ifdef HEDDLE_INVARIANTS
  const Edge* same = nullptr;
  State* const next = states_.find(t.state, t.result, [&](const Edge& edge) { return wouldRepeat(*(same = &edge)); });
  if (next) return checkStep(thread, *same);
#else
  State* const next = states_.find(t.state, t.result, [&](const Edge& edge) {
    return edge.accessCount == 0 || (wouldRepeat(edge) && repeatAccesses(edge));
  });
  if (next) return next;
#endif
  return runStep(thread);
}

#ifdef HEDDLE_INVARIANTS
// Runs native code where a remembered step would have done, and holds the one against the other.
State* NativeProgram::checkStep(ThreadId thread, const Edge& edge) {
  State* const next = edge.to;
  const std::vector<PlainAccess> accesses(edge.accesses, edge.accesses + edge.accessCount);
  states_.take(next);
  runNatively(thread);
  const Thread& t = threads_[thread];
  // Of the stack only the size: there may be anything in places that are no longer in use.
  const char* different = nullptr;
  if (!remembers_) different = "effects";
  if (!(t.operation == next->operation)) different = "operation";
  if (std::memcmp(&t.context, &next->context, sizeof t.context) != 0) different = "context";
  if (!std::ranges::equal(accesses_, accesses, [](const PlainAccess& a, const PlainAccess& b) {
        return a.address == b.address && a.value == b.value && a.size == b.size && a.kind == b.kind;
      })) {
    different = "accesses";
  }
  const bool same = different == nullptr;
  if (!same && t.operation.kind != OperationKind::error) {
    fmt::print(stderr, "internal error: a remembered step of thread {} has other {} than it has now (at {})\n", thread,
               different, sourceText(t.operation.source));
    std::abort();
  }
  State* const reached = same ? next : states_.addRoot(thread, t.operation, t.context);
  if (same) states_.adopt(next);  // and go on with what is really there
  setState(threads_[thread], reached);
  states_.drop(next);
  return reached;
}
#endif

// Would the step read what it read before?
bool NativeProgram::wouldRepeat(const Edge& edge) {
  const std::span<const PlainAccess> accesses(edge.accesses, edge.accessCount);
  return std::ranges::all_of(accesses, [](const PlainAccess& access) {
    return !access.isCompared() || load(access.address, access.size) == access.value;
  });
}

// Does the plain accesses of a step. If one cannot be done, all are taken back.
bool NativeProgram::repeatAccesses(const Edge& edge) {
  const std::uint32_t height = memory_.height();
  for (std::uint32_t i = 0; i < edge.accessCount; ++i) {
    const PlainAccess& access = edge.accesses[i];
    memory::Outcome outcome = memory::Outcome::ok;
    switch (access.kind) {
      case PlainAccess::Kind::look: break;
      case PlainAccess::Kind::read:
      case PlainAccess::Kind::ownRead: outcome = memory_.read(access.address, access.size, access.source); break;
      case PlainAccess::Kind::peek:
        outcome = memory_.read(access.address, access.size, access.source, memory::Memory::kMayBeUninitialised);
        break;
      case PlainAccess::Kind::write:
        outcome = memory_.write(access.address, access.size, access.source);
        if (outcome == memory::Outcome::ok) store(access.address, access.value, access.size);
    }
    if (outcome == memory::Outcome::ok) continue;
    memory_.takeBack(height);
    return false;
  }
  return true;
}

State* NativeProgram::runStep(ThreadId thread) {
  if (states_.areLarge()) cutStates();
  runNatively(thread);
  const Thread& t = threads_[thread];
  State* const from = t.state;
  if (!remembers_ || t.operation.kind == OperationKind::error || !states_.hasRoom(from, t.result)) {
    return states_.addRoot(thread, t.operation, t.context);
  }
  return states_.add(from, t.result, accesses_, t.operation, t.context);
}

void NativeProgram::runNatively(ThreadId thread) {
  Thread& t = threads_[thread];
  State* const from = t.state;
  states_.restore(from);
  t.context = from->context;
  heddle_epoch = memory_.epoch();
  heddle_tls = memory::tlsOf(thread);
  *exceptionState_ = t.context.exceptions;
  remembers_ = !isStart(from->operation);
  accesses_.clear();
  segmentsRun_.store(segmentsRun_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  running_ = true;
  sanitizerLeavesExplorer(thread);
  heddle_switch(&schedulerSp_, t.context.sp);
  sanitizerIsInExplorer();
  running_ = false;
  t.context.exceptions = *exceptionState_;
  *exceptionState_ = {};
  t.context.callSource = heddle_call_source;
  if (std::exchange(stops_, false)) throw StopHere();
  if (raceFound_) throw RaceFound(*raceFound_);
  if (tooManyThreads_) throw TooManyThreads("the program starts many threads");
  if (std::exchange(crowded_, false)) throw CrowdedBarrier();
  if (!limit_.empty()) throw LimitError(limit_);
  for (PlainAccess& access : accesses_) {
    if (access.kind == PlainAccess::Kind::write) access.value = load(access.address, access.size);
  }
}

void NativeProgram::cutStates() {
  for (const MarkRecord& record : marks_) states_.keep(record.state);
  for (const Thread& thread : threads_) states_.keep(thread.state);
  for (const MarkRecord& record : marks_) states_.cut(record.state);
  for (const Thread& thread : threads_) {
    if (thread.state) states_.cut(thread.state);
  }
}

Mark NativeProgram::mark(ThreadId thread) {
  const Thread& t = threads_[thread];
  states_.take(t.state);
  marks_.push_back({t.state, memory_.logTop(), t.position, thread});
  return static_cast<Mark>(marks_.size() - 1);
}

void NativeProgram::rewind(ThreadId thread, Mark mark) {
  Thread& t = threads_[thread];
  const MarkRecord& record = marks_[mark];
  setState(t, record.state);
  t.checked = 0;
  if (t.position != record.position) {
    t.position = record.position;
    moved_ |= std::uint64_t{1} << thread;
  }
}

void NativeProgram::release(Mark mark) {
  settleMemory();
  const std::size_t logTop = marks_[mark].logTop;
  memory_.truncate(logTop);
  while (!printed_.empty() && printed_.back().logTop > logTop) printed_.pop_back();
  while (marks_.size() > mark) {
    states_.drop(marks_.back().state);
    marks_.pop_back();
  }
}

std::vector<Operation> NativeProgram::operations() const {
  std::vector<Operation> operations = info_.operations;
  if (plainLoads_) operations.push_back({.kind = OperationKind::load, .order = Order::plain});
  return operations;
}

Value NativeProgram::initialValue(Address address, unsigned size) const {
  if (size <= sizeof(Value)) return memory_.initialValue(address, size);
  std::array<std::byte, 16> bytes;
  memory_.initialBytes(address, bytes);
  return const_cast<NativeProgram*>(this)->numberOf(bytes.data());
}

Wide NativeProgram::bytesOfNumber(Value number) const {
  Wide bytes = 0;
  std::memcpy(&bytes, wideValues_[number].data(), sizeof bytes);
  return bytes;
}

Value NativeProgram::numberOf(const void* wide) {
  std::array<std::byte, 16> bytes;
  std::memcpy(bytes.data(), wide, sizeof bytes);
  const auto [it, added] = wideNumbers_.emplace(bytes, wideValues_.size());
  if (added) wideValues_.push_back(bytes);
  return it->second;
}

std::string NativeProgram::locationName(Address address, unsigned size) const {
  return names_ ? names_->name(address, size) : fmt::format("{:#x}", address);
}

bool NativeProgram::hasEnded(ThreadId thread) const {
  const State* const state = threads_[thread].state;
  return state && state->operation.kind == OperationKind::end && state->operation.operand == 0;
}

std::string NativeProgram::sourceText(std::uint32_t source) const {
  if (source == 0 || source >= info_.sources.size()) return "unknown place";
  const std::uint32_t own = ownFrame(info_, source);
  const Source& s = info_.sources[own != 0 ? own : source];
  return fmt::format("{}:{}", s.file, s.line);
}

std::string NativeProgram::output() const {
  std::string text;
  for (const Printed& printed : printed_) {
    if (memory_.isLive(printed.segment)) text += printed.text;
  }
  return text;
}

}  // namespace heddle::native
