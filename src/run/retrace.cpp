#include "run/retrace.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "memory/layout.h"
#include "runtime/carriers.h"

namespace heddle::run {

using runtime::heddle_debugger;

static_assert(runtime::HeddleDebugger::kMostThreads >= memory::kThreads);

Retrace::Retrace(explore::AnyExplorer& explorer, runtime::NativeProgram& program, const RecordedResults& results,
                 RetracePlan plan)
    : explorer_(explorer), program_(program), plan_(std::move(plan)) {
  for (unsigned t = 0; t < program_.threadCount(); ++t) results_.push_back(results.of(static_cast<ThreadId>(t)));
}

void Retrace::describe() {
  for (const std::string& event : plan_.events) events_ += event + '\n';
  events_ += plan_.problem + '\n';
  for (const std::string& name : plan_.threads) threads_ += name + '\n';
  const auto wrong = plan_.wrong ? plan_.numbers.find(*plan_.wrong) : plan_.numbers.end();
  heddle_debugger.last = wrong != plan_.numbers.end() ? wrong->second : static_cast<std::int64_t>(plan_.events.size()) + 1;
  heddle_debugger.target = heddle_debugger.last;
  heddle_debugger.events = events_.c_str();
  heddle_debugger.threads = threads_.c_str();
  heddle_debugger.code = memory::kImage;
  heddle_debugger.codeEnd = memory::kImage + memory::kImageSize;
}

bool Retrace::run() {
  describe();
  std::vector<EventId> all = plan_.relevant;
  all.insert(all.end(), plan_.others.begin(), plan_.others.end());
  if (!explorer_.takeApart(all)) return false;
  while (!runOnce()) {
    if (!explorer_.takeApart(putBack_)) return false;
  }
  return true;
}

// Runs a thread up to its next operation. False if the debugger wants to begin again.
bool Retrace::advance(ThreadId thread) {
  pending_[thread] = program_.advance(thread);
  return heddle_debugger.again == 0;
}

// It is the event's turn: its thread is paused at it.
void Retrace::comeTo(EventId id, runtime::Carriers& carriers) {
  const ExecutionView& graph = explorer_.execution();
  const ThreadId thread = graph[id].thread;
  const Operation &operation = graph.operation(id), &reached = pending_[thread];
  if (reached.kind != operation.kind || reached.address != operation.address) {
    throw std::logic_error(fmt::format("{} does not do again what it has done: it comes to {}", runtime::threadName(thread),
                                       program_.sourceText(reached.source)));
  }
  const auto number = plan_.numbers.find(id);
  if (number == plan_.numbers.end()) return;
  heddle_debugger.event = number->second;
  if (heddle_debugger.event != heddle_debugger.target) return;
  heddle_debugger.target = heddle_debugger.last;
  carriers.show(thread);
}

void Retrace::noteValue(EventId id) {
  const ExecutionView& graph = explorer_.execution();
  const Operation& operation = graph.operation(id);
  if (!graph[id].isWrite() || operation.size > sizeof(Value)) return;
  const auto [found, isNew] = valueOf_.try_emplace(operation.address, values_.size());
  if (isNew) values_.emplace_back();
  values_[found->second] = {operation.address, operation.size, graph[id].value};
  heddle_debugger.values = values_.data();
  heddle_debugger.valueCount = static_cast<std::int64_t>(values_.size());
}

bool Retrace::runOnce() {
  const ExecutionView& graph = explorer_.execution();
  runtime::Carriers carriers(plan_.threads);
  struct Carried {
    runtime::NativeProgram& program;
    ~Carried() { program.running().setCarriers(nullptr); }
  } const carried{program_};
  program_.reset();
  program_.running().setCarriers(&carriers);
  heddle_debugger.again = 0;
  values_.clear();
  valueOf_.clear();
  heddle_debugger.valueCount = 0;
  std::ranges::fill(heddle_debugger.systemThreads, 0);
  heddle_debugger.event = 0;
  putBack_.clear();
  pending_.assign(program_.threadCount(), Operation::end());
  std::vector<std::size_t> next(program_.threadCount(), 0);  // result
  // The event after which its thread goes wrong.
  EventId before = kNone;
  for (const EventId id : plan_.relevant) {
    const bool isSpawn = graph[id].kind == EventKind::thread && graph.operation(id).kind == OperationKind::spawn;
    const bool isSecondHalf = graph[id].isWrite() && graph[id].rmw;
    if (graph[id].thread == plan_.thread ? !isSecondHalf : isSpawn && graph[id].partner == plan_.thread) before = id;
  }
  if (plan_.wrong) before = kNone;
  // Of a thread that does nothing before it goes wrong there is nothing else to run.
  if ((before != kNone || plan_.wrong || plan_.thread != 0) && !advance(0)) return false;
  for (const EventId id : plan_.relevant) {
    const Event& event = graph[id];
    const Operation& operation = graph.operation(id);
    const bool isSecondHalf = event.isWrite() && event.rmw;
    if (!isSecondHalf) comeTo(id, carriers);
    explorer_.putBack(id);
    putBack_.push_back(id);
    noteValue(id);
    // A read-modify-write is done when both halves are there.
    const bool hasSecondHalf = event.isRead() && event.rmw;
    const EventId first = isSecondHalf ? event.poPrev : id;
    if (hasSecondHalf) continue;
    const ThreadId thread = event.thread;
    if (heddle_debugger.again != 0) return false;
    if (event.kind == EventKind::thread && operation.kind == OperationKind::spawn) {
      const auto child = static_cast<ThreadId>(event.partner);
      if ((id != before || child != plan_.thread) && !advance(child)) return false;
    }
    if (next[thread] == results_[thread].size()) continue;  // it goes wrong here
    program_.resume(thread, results_[thread][next[thread]++]);
    if ((first != before || thread != plan_.thread) && !advance(thread)) return false;
  }
  if (plan_.wrong) return true;
  if (!advance(plan_.thread)) return false;
  heddle_debugger.event = heddle_debugger.last;
  carriers.show(plan_.thread);
  return heddle_debugger.again == 0;
}

}  // namespace heddle::run
