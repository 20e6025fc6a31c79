#include "run/litmus_threads.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/trail.h"
#include "run/kernel_tags.h"

namespace heddle::run {

namespace {

using Kind = RunEvent::Kind;

[[noreturn]] void refuseForKernel(const litmus::LitmusProgram& program, const Operation& operation, const char* why) {
  throw ProgramError(fmt::format("{}: {}", program.sourceText(operation.source), why));
}

[[noreturn]] void refuse(const litmus::LitmusProgram& program, const Operation& operation) {
  throw ProgramError(fmt::format("{}: under a model that is evaluated on complete executions a test has loads, stores, "
                                 "read-modify-writes and fences only",
                                 program.sourceText(operation.source)));
}

constexpr std::size_t kNoEvent = static_cast<std::size_t>(-1);

// One run of a thread, operation by operation.
class Runner {
 public:
  Runner(litmus::LitmusProgram& program, ThreadId thread, ReadValues& values, bool tagged)
      : program_(program), thread_(thread), values_(values), tagged_(tagged) {}

  ThreadRun run() {
    for (;;) {
      const Operation operation = program_.advance(thread_);
      if (operation.kind == OperationKind::end) return std::move(run_);
      if (operation.kind == OperationKind::block) {
        run_.end = ThreadRun::End::waiting;
        return std::move(run_);
      }
      if (run_.events.size() + 4 > kMostRunEvents) {
        run_.end = ThreadRun::End::tooLong;
        return std::move(run_);
      }
      if (program_.hasDecisions()) {
        program_.dependencies(thread_, dependencies_, deciding_);
      } else {
        program_.dependencies(thread_, dependencies_);
      }
      program_.resume(thread_, perform(operation));
    }
  }

 private:
  // What depends on a choice depends on no event.
  RunEvents eventsOf(const std::vector<std::uint32_t>& operations) const {
    RunEvents events = 0;
    for (const std::uint32_t operation : operations) {
      if (firstEvent_[operation] != kNoEvent) events |= RunEvents{1} << firstEvent_[operation];
    }
    return events;
  }

  RunEvent& add(const Operation& operation, Kind kind, Order order) {
    run_.events.push_back({.kind = kind,
                           .order = order,
                           .hasLocation = kind != Kind::fence,
                           .address = operation.address,
                           .addressFrom = eventsOf(dependencies_.address),
                           .controlFrom = eventsOf(dependencies_.control),
                           .line = program_.sourceLine(operation.source)});
    return run_.events.back();
  }

  // Before the events of an operation, and behind them: the fences that an access which orders all has in the kernel.
  void begin(const Operation& operation, Order order) {
    if (tagged_ && order == Order::seq_cst) addFullFence(operation);
    firstEvent_.push_back(run_.events.size());
  }
  void end(const Operation& operation, Order order) {
    if (tagged_ && order == Order::seq_cst) addFullFence(operation);
  }
  void addFullFence(const Operation& operation) {
    run_.events.push_back({.kind = Kind::fence,
                           .order = Order::relaxed,
                           .tags = tagBit(EventTag::mb),
                           .controlFrom = eventsOf(dependencies_.control),
                           .line = program_.sourceLine(operation.source)});
  }

  Value read(const Operation& operation, Order order, bool isUpdate) {
    return read(operation, order, isUpdate, guess(operation));
  }
  Value guess(const Operation& operation) { return values_.read(operation.address); }
  Value read(const Operation& operation, Order order, bool isUpdate, Value value) {
    RunEvent& event = add(operation, Kind::read, operation.hidesRead ? Order::plain : order);
    event.isUpdate = isUpdate;
    event.value = value;
    if (tagged_) event.tags = tagsOfRead(order);
    return value;
  }

  RunEvent& write(const Operation& operation, Order order, Value value) {
    RunEvent& event = add(operation, Kind::write, order);
    if (tagged_) {
      event.tags = tagsOfWrite(order);
      if (event.controlFrom != 0) {
        refuseForKernel(program_, operation,
                        "this write comes after a branch, and which branches it depends on is not known of tests in C11 under "
                        "a model of the kernel; write the test in the kernel's dialect");
      }
    }
    event.value = truncate(value, operation.size);
    values_.wrote(event.address, event.value);
    event.dataFrom = eventsOf(dependencies_.data);
    event.controlFrom |= eventsOf(deciding_);
    return event;
  }

  RunEvent& writeUpdate(const Operation& operation, Order order, Value value, std::size_t reads) {
    RunEvent& event = write(operation, order, value);
    event.isUpdate = true;
    event.updates = static_cast<int>(reads);
    return event;
  }

  Result perform(const Operation& operation) {
    Result result;
    switch (operation.kind) {
      case OperationKind::load:
        begin(operation, operation.order);
        if (operation.isExclusive) exclusive_ = run_.events.size();
        result.value = read(operation, operation.order, operation.isExclusive);
        end(operation, operation.order);
        return result;
      case OperationKind::store:
        begin(operation, operation.order);
        if (operation.isExclusive) {
          writeUpdate(operation, operation.order, operation.operand(), exclusive_);
        } else {
          write(operation, operation.order, operation.operand());
        }
        end(operation, operation.order);
        return result;
      case OperationKind::fence: fence(operation); return result;
      case OperationKind::choose:
        firstEvent_.push_back(kNoEvent);
        result.value = values_.choose(operation.choices());
        return result;
      case OperationKind::rmw: {
        begin(operation, operation.order);
        result.value = read(operation, operation.order, true);
        const std::size_t reads = run_.events.size() - 1;
        RunEvent& event = writeUpdate(operation, operation.order,
                                      applyRmw(operation.rmw, result.value, operation.operand(), operation.size), reads);
        if (operation.rmw != RmwOp::exchange) event.dataFrom |= RunEvents{1} << reads;
        end(operation, operation.order);
        return result;
      }
      case OperationKind::cas: return compareAndExchange(operation);
      default: refuse(program_, operation);
    }
  }

  void fence(const Operation& operation) {
    firstEvent_.push_back(run_.events.size());
    RunEvent& event = add(operation, Kind::fence, operation.order);
    event.machineFence = operation.machineFence();
    if (!tagged_) return;
    if (operation.order == Order::seq_cst) event.tags = tagBit(EventTag::mb);
    if (operation.order == Order::acquire || operation.order == Order::release || operation.order == Order::acq_rel) {
      refuseForKernel(
          program_, operation,
          "the kernel has no such fence; use a seq_cst fence, which is smp_mb(), or an acquire or a release access");
    }
  }

  Result compareAndExchange(const Operation& operation) {
    if (operation.isAttempt()) refuse(program_, operation);
    Result result;
    result.value = guess(operation);
    result.success = operation.expects(result.value);
    if (result.success && operation.mayFailSpuriously) result.success = values_.choose(2) == 0;
    const Order order = result.success ? operation.order : operation.failureOrder;
    begin(operation, order);
    read(operation, order, result.success, result.value);
    if (result.success) {
      const std::size_t reads = run_.events.size() - 1;
      // By this order a model knows one instruction that both acquires and releases (models/armv8.cat).
      const bool full = program_.hasDecisions() && operation.order == Order::seq_cst;
      RunEvent& event = writeUpdate(operation, full ? Order::acq_rel : operation.order, operation.operand(), reads);
      if (tagged_) event.controlFrom |= RunEvents{1} << reads;
    }
    end(operation, order);
    return result;
  }

  litmus::LitmusProgram& program_;
  const ThreadId thread_;
  ReadValues& values_;
  const bool tagged_;
  ThreadRun run_;
  Dependencies dependencies_;
  std::vector<std::uint32_t> deciding_;
  std::vector<std::size_t> firstEvent_;  // of each operation so far
  std::size_t exclusive_ = 0;            // the last load-exclusive
};

}  // namespace

LitmusThreads::LitmusThreads(const litmus::Test& test, bool tagged)
    : program_(*test.program), tagged_(tagged), registers_(test.program->threadCount()) {
  if (tagged && !test.model.empty()) {
    throw ProgramError("the model is about primitives of the Linux kernel, and the test is in assembly");
  }
  if (program_.hasMixedSizes()) throw ProgramError("accesses of different sizes are not supported under this model");
  if (program_.hasTransactions()) throw ProgramError("transactions are not supported under this model");
  if (program_.initialThreads() != program_.threadCount())
    throw ProgramError("created threads are not supported under this model");
  program_.trackDependencies();
  for (const litmus::Observable& o : test.observables) {
    if (o.isRegister) registers_[o.thread] = std::max<std::size_t>(registers_[o.thread], o.slot + 1);
  }
}

std::vector<InitialValue> LitmusThreads::locations() const {
  std::vector<InitialValue> result;
  for (const litmus::CompiledLocation& location : program_.locations()) {
    for (std::uint64_t i = 0; i < location.count; ++i) {
      const Address address = location.address + i * location.type.size;
      result.push_back({address, program_.initialValue(address, location.type.size)});
    }
  }
  return result;
}

ThreadRun LitmusThreads::run(unsigned thread, ReadValues& values) const {
  program_.reset();
  ThreadRun run = Runner(program_, static_cast<ThreadId>(thread), values, tagged_).run();
  for (unsigned slot = 0; slot < registers_[thread]; ++slot) {
    run.registers.push_back(program_.registerValue(static_cast<ThreadId>(thread), slot));
  }
  return run;
}

}  // namespace heddle::run
