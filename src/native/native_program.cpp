#include "native/native_program.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "native/fiber.h"
#include "native/hooks.h"

namespace heddle::native {

namespace {

constexpr std::size_t kMostStackCopies = std::size_t{1} << 36;  // address space; used only as far as marks go

NativeProgram* currentProgram = nullptr;

}  // namespace

NativeProgram* NativeProgram::current() { return currentProgram; }

NativeProgram::NativeProgram(const ProgramInfo& info, memory::Memory& memory, Entry entry, unsigned threads)
    : info_(info),
      memory_(memory),
      entry_(std::move(entry)),
      threadCount_(threads),
      stacks_(kMostStackCopies),
      exceptionState_(reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals())) {
  mapStacks();
  currentProgram = this;
}

NativeProgram::~NativeProgram() { currentProgram = nullptr; }

void NativeProgram::reset() {
  memory_.reset();
  marks_.clear();
  top_ = 0;
  noted_ = released_ = moved_ = 0;
  printed_.clear();
  for (ThreadId thread = 0; thread < threadCount_; ++thread) {
    threads_[thread] = {};
    threads_[thread].context.sp = prepareStack(thread, &runThread);
  }
}

// The outermost function of every fiber.
void NativeProgram::runThread() {
  NativeProgram& program = *currentProgram;
  const ThreadId self = program.self_;
  if (program.entry_.tlsImage != nullptr) {
    program.memory_.defineTls({static_cast<const std::byte*>(program.entry_.tlsImage), program.info_.tlsSize});
  }
  if (self != 0) {
    const Operation& spawn = program.graph_ ? program.graph_->operation(program.graph_->last(self))
                                            : program.mixed_->operation(program.mixed_->last(self));
    auto* const function = reinterpret_cast<void (*)(void*)>(spawn.expected);
    function(reinterpret_cast<void*>(spawn.address));
    program.pauseForEver({.kind = OperationKind::end});
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

std::size_t NativeProgram::stackBytes(ThreadId thread, const Context& context) {
  return stackTop(thread) - reinterpret_cast<Address>(context.sp) + context.arena;
}

void NativeProgram::putBack(ThreadId thread) {
  Thread& t = threads_[thread];
  std::memcpy(t.context.sp, &stacks_[t.data], stackBytes(thread, t.context));
  t.noted = false;
  noted_ &= ~(std::uint64_t{1} << thread);
  released_ &= ~(std::uint64_t{1} << thread);
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

Operation NativeProgram::advance(ThreadId thread) {
  Thread& t = threads_[thread];
  if (t.noted) putBack(thread);
  settleMemory();
  if (graph_ != nullptr) {
    stand(*graph_, thread);
  } else {
    stand(*mixed_, thread);
  }
  memory_.enter(thread, index_, view_);
  heddle_epoch = memory_.epoch();
  heddle_tls = memory::tlsOf(thread);
  heddle_call_source = t.context.callSource;
  self_ = thread;
  *exceptionState_ = t.context.exceptions;
  segmentsRun_.store(segmentsRun_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  running_ = true;
  heddle_switch(&schedulerSp_, t.context.sp);
  running_ = false;
  t.context.exceptions = *exceptionState_;
  *exceptionState_ = {};
  t.context.callSource = heddle_call_source;
  t.position = memory_.position(thread);
  if (tooManyThreads_) throw TooManyThreads("the program starts many threads");
  if (!limit_.empty()) throw LimitError(limit_);
  return t.operation;
}

Mark NativeProgram::mark(ThreadId thread) {
  Thread& t = threads_[thread];
  MarkRecord record{.context = t.context,
                    .data = t.data,
                    .top = top_,
                    .logTop = memory_.logTop(),
                    .position = t.position,
                    .thread = thread};
  if (!t.noted || ((released_ >> thread) & 1)) {
    while (released_ != 0) putBack(static_cast<ThreadId>(std::countr_zero(released_)));
    const std::size_t size = stackBytes(thread, t.context);
    record.data = top_;
    std::memcpy(&stacks_[top_], t.context.sp, size);
    top_ += (size + 15) & ~std::size_t{15};
    if (top_ > kMostStackCopies / 2) throw LimitError("the stacks of the program's threads are too large to keep");
  }
  marks_.push_back(record);
  return static_cast<Mark>(marks_.size() - 1);
}

void NativeProgram::rewind(ThreadId thread, Mark mark) {
  Thread& t = threads_[thread];
  const MarkRecord& record = marks_[mark];
  const std::uint64_t bit = std::uint64_t{1} << thread;
  t.context = record.context;
  t.data = record.data;
  t.noted = true;
  noted_ |= bit;
  released_ &= ~bit;
  if (t.position != record.position) {
    t.position = record.position;
    moved_ |= bit;
  }
}

void NativeProgram::release(Mark mark) {
  settleMemory();
  const MarkRecord& record = marks_[mark];
  memory_.truncate(record.logTop);
  while (!printed_.empty() && printed_.back().logTop > record.logTop) printed_.pop_back();
  top_ = record.top;
  for (std::uint64_t rest = noted_; rest != 0; rest &= rest - 1) {
    const int thread = std::countr_zero(rest);
    if (threads_[thread].data >= top_) released_ |= std::uint64_t{1} << thread;
  }
  marks_.resize(mark);
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

std::string NativeProgram::sourceText(std::uint32_t source) const {
  if (source == 0 || source >= info_.sources.size()) return "unknown place";
  const Source& s = info_.sources[source];
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
