#include "runtime/native_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/fiber.h"
#include "runtime/hooks.h"
#include "runtime/places.h"
#include "runtime/sanitizer.h"

namespace heddle::runtime {

namespace {

// A thread that has not started yet.
constexpr Operation kStart = Operation::spawn(0);
bool isStart(const Operation& operation) { return operation.kind == kStart.kind && operation.thread == kStart.thread; }

}  // namespace

NativeProgram::NativeProgram(const ProgramInfo& info, memory::Memory& memory, Entry entry, unsigned threads)
    : info_(info),
      memory_(memory),
      entry_(std::move(entry)),
      threadCount_(threads),
      running_(info, memory, threads),
      dependentMemory_(memory, dependencySets_, &heddle_note_control),
      recorder_(memory, dependentMemory_),
      faults_(memory, running_, modes_),
      afterCrash_(memory, running_, recorder_, faults_, wideValues_),
      atomics_(memory, running_, faults_, modes_),
      annotations_(running_, faults_),
      plain_(memory, running_, recorder_, faults_, wideValues_, modes_, afterCrash_),
      lives_(info, memory, running_, recorder_, faults_, plain_, modes_),
      idleWaits_(memory, running_),
      clocks_({threads_.data(), threads}, running_),
      output_(memory),
      markedRounds_(memory, running_, faults_, findings_) {
  mapStacks(threads);
  current_ = this;
}

NativeProgram::~NativeProgram() {
  leaveStates();
  current_ = nullptr;
}

void NativeProgram::judgeRaces() {
  allowRaces();
  modes_.racesJudged = true;
  memory_.leaveFreesOpen();
}

void NativeProgram::allowRaces() {
  modes_.racesAllowed = true;
  memory_.allowRaces(running_.order());
}

void NativeProgram::expectCrash(bool recoveryWrites) {
  afterCrash_.expect(static_cast<ThreadId>(threadCount_ - 1), entry_.durable, entry_.disk, recoveryWrites);
  running_.setAfterCrash(&afterCrash_);
}

void NativeProgram::leaveStates() {
  for (const MarkRecord& record : marks_) states_.drop(record.state);
  marks_.clear();
  for (PausedThread& thread : threads_) {
    if (thread.state) states_.drop(thread.state);
    thread = {};
  }
  states_.clear();
}

// For every step; nearly always the thread stays in the tree of the same root.
[[gnu::always_inline]] inline void NativeProgram::setState(PausedThread& thread, State* state) {
  State* const old = std::exchange(thread.state, state);
  if (old && old->root == state->root) [[likely]]
    return;
  states_.take(state);
  if (old) states_.drop(old);
}

void NativeProgram::reset() {
  memory_.reset();
  leaveStates();
  moved_.clear();
  output_.clear();
  dependentMemory_.clear();
  for (ThreadId thread = 0; thread < threadCount_; ++thread) {
    Context context;
    context.sp = prepareStack(thread, &runThread);
    setState(threads_[thread], states_.addRoot(thread, kStart, context));
  }
}

// ---- Threads, on their fibers.

// The outermost function of every fiber.
void NativeProgram::runThread() {
  sanitizerIsOnFiber();
  NativeProgram& program = *current_;
  RunningThread& running = program.running_;
  program.defineTls();
  std::ranges::fill(heddle_argument_dependencies, kIndependent);
  if (running.self() == 0) program.runMain();
  if (program.afterCrash_.isNow()) program.runRecovery();
  const Operation& spawn = running.graph().operation(running.graph().last(running.self()));
  heddle_call_source = spawn.source;  // until the thread comes to the program's own code
  auto* const function = reinterpret_cast<void (*)(void*)>(spawn.function());
  function(reinterpret_cast<void*>(spawn.argument()));
  program.endThread();
}

// The arguments are the program's to read and to change.
void NativeProgram::runMain() {
  const auto store = [&](const void* bytes, std::size_t size) {
    const Address address = memory_.allocate(size, 8, memory::AllocationKind::global, 0, 0);
    memory_.write(address, size, 0);
    std::memcpy(reinterpret_cast<void*>(address), bytes, size);
    return reinterpret_cast<char*>(address);
  };
  argv_.clear();
  for (const std::string& argument : entry_.arguments) argv_.push_back(store(argument.c_str(), argument.size() + 1));
  const int count = static_cast<int>(argv_.size());
  argv_.push_back(nullptr);
  char** const argv = reinterpret_cast<char**>(store(argv_.data(), argv_.size() * sizeof(char*)));
  entry_.start(count, argv, argv + count);
  running_.pauseForEver(Operation::endProgram());
}

void NativeProgram::runRecovery() {
  running_.guard([&] { afterCrash_.begin(); });
  startAgain();
  if (running_.guard([&] { return afterCrash_.crashAgain(); })) {
    defineTls();
    startAgain();
  }
  endThread();
}

void NativeProgram::startAgain() {
  if (entry_.constructors != nullptr) {
    afterCrash_.setConstructing(true);
    entry_.constructors();
    afterCrash_.setConstructing(false);
  }
  entry_.recovery();
}

void NativeProgram::defineTls() {
  if (entry_.tlsImage == nullptr) return;
  memory_.defineTls({static_cast<const std::byte*>(entry_.tlsImage), info_.tlsSize});
}

void NativeProgram::endThread() {
  running_.guard([&] { lives_.endOfThread(); });
  running_.pauseForEver(Operation::end());
}

ThreadId NativeProgram::childThread() {
  const ThreadId child = threadNumbers_.of(running_.self(), running_.ownContext().children++);
  if (child >= threadCount_ - (afterCrash_.isExpected() ? 1u : 0u)) {
    running_.willGiveUp(TooManyThreads());
    running_.giveUp();
  }
  return child;
}

void NativeProgram::note(std::uint32_t bit) {
  if ((notes_ & bit) != 0) return;
  notes_ |= bit;
  recorder_.stop();
  states_.beginEra();
}

// ---- Steps.

void NativeProgram::moveMemory() {
  const ThreadId first = moved_.first();
  moved_.eraseFirst();
  if (moved_.empty()) {  // the usual case
    const memory::Memory::Target target{first, threads_[first].position};
    return memory_.moveTo({&target, 1});
  }
  std::array<memory::Memory::Target, memory::kThreads> targets;
  std::size_t count = 0;
  targets[count++] = {first, threads_[first].position};
  for (const ThreadId thread : moved_) targets[count++] = {thread, threads_[thread].position};
  moved_.clear();
  memory_.moveTo({targets.data(), count});
}

Operation NativeProgram::advance(ThreadId thread) { return goOn(thread); }

void NativeProgram::proceed(ThreadId thread, Result result, Operation& next) {
  PausedThread& t = threads_[thread];
  t.result = result;
  if (State* const last = takeLastStep(thread)) {
    setState(t, last);
    next = last->operation;
  } else {
    next = goOn(thread);
  }
}

void NativeProgram::proceedFrom(Mark mark, ThreadId thread, Result result, Operation& next) {
  NativeProgram::rewind(thread, mark);
  NativeProgram::proceed(thread, result, next);
}

// Where a remembered step leads that goes from a load to the thread's end without a plain access on the way, or nullptr if this
// step may be another. Such a step leaves everything as it is. Most full graphs differ in one of these.
inline State* NativeProgram::takeLastStep(ThreadId thread) const {
#ifdef HEDDLE_INVARIANTS
  return nullptr;  // all steps are held against native ones
#endif
  const PausedThread& t = threads_[thread];
  if (!moved_.empty() || t.state->operation.kind != OperationKind::load || !memory_.isStillAtomic(t.state->operation.address) ||
      memory_.showsBytes() || modes_.racesAllowed || info_.marksWrites || clocks_.areUsed()) {
    return nullptr;
  }
  State* const next = states_.findWithoutAccesses(t.state, t.result);
  return next && isFinal(next->operation) ? next : nullptr;
}

const Operation& NativeProgram::goOn(ThreadId thread) {
  settleMemory();
  PausedThread& t = threads_[thread];
  running_.enter(thread, t.state->context.callSource, modes_.racesAllowed);
  clocks_.noteEvent();
  atomics_.setAddress(t.state->context.tracking.address);
  if (t.checked != memory_.changes() && !atomics_.checkAfter(t.state->operation, t.result)) return atomics_.failure();
  if (modes_.racesAllowed && !atomics_.checkInitialised(t.state->operation)) return atomics_.failure();
  if (info_.marksWrites && !annotations_.checkAfter()) return annotations_.failure();
  State* const next = takeStep(thread);
  setState(t, next);
  atomics_.setAddress(next->context.tracking.address);
  const bool good = atomics_.checkBefore(next->operation);
  t.position = memory_.position(thread);
  // A compare-exchange was checked as a read.
  t.checked = next->operation.kind == OperationKind::cas ? 0 : memory_.changes();
  return good ? next->operation : atomics_.failure();
}

// Takes a remembered step if there is one, with its accesses done again; otherwise runs native code.
State* NativeProgram::takeStep(ThreadId thread) {
  const PausedThread& t = threads_[thread];
#ifdef HEDDLE_INVARIANTS
  const Edge* same = nullptr;
  State* const next = states_.find(t.state, t.result, [&](const Edge& edge) { return recorder_.wouldRepeat(*(same = &edge)); });
  if (next) return checkStep(thread, *same);
#else
  State* const next = states_.find(t.state, t.result, [&](const Edge& edge) {
    return edge.accessCount == 0 || (recorder_.wouldRepeat(edge) && recorder_.repeat(edge));
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
  const Operation& operation = running_.operation();
  const Context& context = running_.context();
  // Of the stack only the size: there may be anything in places that are no longer in use.
  const char* different = nullptr;
  if (!recorder_.isRecording()) different = "effects";
  if (!(operation == next->operation)) different = "operation";
  if (std::memcmp(&context, &next->context, sizeof context) != 0) different = "context";
  if (!std::ranges::equal(recorder_.accesses(), accesses, [](const PlainAccess& a, const PlainAccess& b) {
        return a.address == b.address && a.value == b.value && a.size == b.size && a.kind == b.kind;
      })) {
    different = "accesses";
  }
  const bool same = different == nullptr;
  if (!same && operation.kind != OperationKind::error) {
    fmt::print(stderr, "internal error: a remembered step of thread {} has other {} than it has now (at {})\n", thread,
               different, sourceText(operation.source));
    std::abort();
  }
  State* const reached = same ? next : states_.addRoot(thread, operation, context);
  if (same) states_.adopt(next);  // and go on with what is really there
  setState(threads_[thread], reached);
  states_.drop(next);
  return reached;
}
#endif

State* NativeProgram::runStep(ThreadId thread) {
  if (states_.areLarge()) cutStates();
  runNatively(thread);
  const PausedThread& t = threads_[thread];
  const Operation& operation = running_.operation();
  if (!recorder_.isRecording() || operation.kind == OperationKind::error || !states_.hasRoom(t.state, t.result)) {
    return states_.addRoot(thread, operation, running_.context());
  }
  return states_.add(t.state, t.result, recorder_.accesses(), operation, running_.context());
}

void NativeProgram::runNatively(ThreadId thread) {
  const PausedThread& t = threads_[thread];
  states_.restore(t.state);
  recorder_.begin(!isStart(t.state->operation));
  dependentMemory_.forgetCopy();
  running_.run(t.state->context, t.result);
  recorder_.finish();
}

void NativeProgram::cutStates() {
  for (const MarkRecord& record : marks_) states_.keep(record.state);
  for (const PausedThread& thread : threads_) states_.keep(thread.state);
  for (const MarkRecord& record : marks_) states_.cut(record.state);
  for (const PausedThread& thread : threads_) {
    if (thread.state) states_.cut(thread.state);
  }
}

// ---- Dependencies.

bool NativeProgram::trackDependencies() {
  if (!info_.tracksDependencies) return false;
  running_.trackDependencies(dependencySets_);
  return true;
}

void NativeProgram::dependencies(ThreadId thread, Dependencies& result) const {
  const Tracking& tracking = threads_[thread].state->context.tracking;
  const auto list = [&](DependencySet set, std::vector<std::uint32_t>& numbers) {
    if (set == kIndependent) return numbers.clear();
    const auto operations = dependencySets_[set];
    numbers.assign(operations.begin(), operations.end());
  };
  list(tracking.address, result.address);
  list(tracking.data, result.data);
  list(tracking.control, result.control);
}

Mark NativeProgram::mark(ThreadId thread) {
  const PausedThread& t = threads_[thread];
  states_.take(t.state);
  marks_.push_back({t.state, memory_.logTop(), t.position, thread});
  return static_cast<Mark>(marks_.size() - 1);
}

void NativeProgram::rewind(ThreadId thread, Mark mark) {
  PausedThread& t = threads_[thread];
  const MarkRecord& record = marks_[mark];
  setState(t, record.state);
  t.checked = 0;
  if (t.position != record.position) {
    t.position = record.position;
    moved_.insert(thread);
  }
}

void NativeProgram::takeBack(ThreadId thread, Mark mark) {
  NativeProgram::rewind(thread, mark);
  NativeProgram::release(mark);
}

void NativeProgram::release(Mark mark) {
  settleMemory();
  const std::size_t logTop = marks_[mark].logTop;
  memory_.truncate(logTop);
  output_.release(logTop);
  while (marks_.size() > mark) {
    states_.drop(marks_.back().state);
    marks_.pop_back();
  }
}

std::vector<Operation> NativeProgram::operations() const {
  std::vector<Operation> operations = info_.operations;
  if (modes_.plainLoads) operations.push_back(Operation::load(0, 4, Order::plain));
  return operations;
}

Value NativeProgram::initialValue(Address address, unsigned size) const {
  if (size <= sizeof(Value)) return memory_.initialValue(address, size);
  std::array<std::byte, 16> bytes;
  memory_.initialBytes(address, bytes);
  return const_cast<NativeProgram*>(this)->wideValues_.numberOf(bytes.data());
}

// Addresses of a thread's own memory, and of what its parent has made for it.
Value NativeProgram::image(Value value, ThreadId from, ThreadId to) const {
  if (value - memory::heapOf(from) < memory::kHeapSize) return value - memory::heapOf(from) + memory::heapOf(to);
  if (value - memory::framesOf(from) < memory::kFramesSize) return value - memory::framesOf(from) + memory::framesOf(to);
  if (value - memory::tlsOf(from) < memory::kTlsSize) return value - memory::tlsOf(from) + memory::tlsOf(to);
  const std::uint32_t gifts = running_.giftsOf(from), others = running_.giftsOf(to);
  if (gifts == 0 || others == 0 || memory_.epochOfBlock(value) != gifts) return value;
  const Value other = value - running_.argumentOf(from) + running_.argumentOf(to);
  return memory_.epochOfBlock(other) == others ? other : value;
}

Wide NativeProgram::bytesOfNumber(Value number) const {
  Wide bytes = 0;
  std::memcpy(&bytes, wideValues_[number].data(), sizeof bytes);
  return bytes;
}

bool NativeProgram::hasEnded(ThreadId thread) const {
  const State* const state = threads_[thread].state;
  return state && state->operation.kind == OperationKind::end && !state->operation.endsProgram;
}

std::string NativeProgram::sourceText(std::uint32_t source) const {
  if (source == 0 || source >= info_.sources.size()) return "unknown place";
  const std::uint32_t own = ownFrame(info_, source);
  const Source& s = info_.sources[own != 0 ? own : source];
  return fmt::format("{}:{}", s.file, s.line);
}

}  // namespace heddle::runtime
