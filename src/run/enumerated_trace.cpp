#include "run/enumerated_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "trace/reorder.h"

namespace heddle::run {

namespace {

class EnumeratedTracer {
  using Event = enumerate::Event;
  using Execution = enumerate::Execution;
  using BaseRelation = model::BaseRelation;

 public:
  EnumeratedTracer(const litmus::Test& test, const enumerate::End& end) : test_(test), end_(end), execution_(*end.execution) {}

  trace::Execution trace() {
    number();
    trace::Execution result;
    for (std::size_t t = 0; t < end_.runs.size(); ++t) {
      result.threads.push_back(test_.kernel ? fmt::format("P{}", t) : test_.program->threadName(static_cast<ThreadId>(t)));
    }
    for (const std::size_t event : order_) result.events.push_back(describe(event));
    for (std::size_t i = 0; i < execution_.size() && execution_.events[i].thread < 0; ++i) {
      trace::Coherence coherence{.location = nameOf(execution_.events[i].address), .writes = {}};
      for (const std::size_t write : inCoherence(i)) coherence.writes.push_back(numbers_[write]);
      if (!coherence.writes.empty()) result.coherence.push_back(std::move(coherence));
    }
    trace::readAsInterleaving(result);
    return result;
  }

 private:
  // After those that come before it in its thread and what it reads from. Where load buffering closes a circle, program order
  // goes first.
  void number() {
    numbers_.assign(execution_.size(), 0);
    std::vector<std::size_t> next, last;  // by thread
    std::size_t at = static_cast<std::size_t>(
        std::ranges::find_if(execution_.events, [](const Event& e) { return e.thread >= 0; }) - execution_.events.begin());
    for (const ThreadRun* run : end_.runs) {
      next.push_back(at);
      last.push_back(at += run->events.size());
    }
    const auto isReady = [&](std::size_t event) {
      const std::size_t from = sourceOf(event);
      return from == kNone || execution_.events[from].thread < 0 || numbers_[from] != 0;
    };
    for (;;) {
      std::size_t chosen = kNone;
      for (std::size_t t = 0; t < next.size(); ++t) {
        if (next[t] == last[t]) continue;
        if (chosen == kNone) chosen = t;
        if (!isReady(next[t])) continue;
        chosen = t;
        break;
      }
      if (chosen == kNone) return;
      const std::size_t event = next[chosen]++;
      order_.push_back(event);
      numbers_[event] = static_cast<unsigned>(order_.size());
    }
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t sourceOf(std::size_t read) const {
    for (std::size_t write = 0; write < execution_.size(); ++write) {
      if (execution_[BaseRelation::rf].test(write, read)) return write;
    }
    return kNone;
  }

  std::vector<std::size_t> inCoherence(std::size_t initial) const {
    std::vector<std::size_t> writes;
    for (std::size_t i = 0; i < execution_.size(); ++i) {
      if (execution_[BaseRelation::co].test(initial, i)) writes.push_back(i);
    }
    std::ranges::sort(writes, [&](std::size_t a, std::size_t b) { return execution_[BaseRelation::co].test(a, b); });
    return writes;
  }

  std::string nameOf(Address address) const {
    if (!test_.kernel) return test_.program->locationName(address, 1);
    const auto& locations = test_.kernel->program().locations;
    const auto found = std::ranges::find(locations, address, &litmus::KernelLocation::address);
    return found == locations.end() ? fmt::format("{:#x}", address) : found->name;
  }

  // An address is shown by its name.
  std::string valueOf(Value value) const {
    const bool isAddress = std::ranges::any_of(
        execution_.events, [&](const Event& event) { return event.thread < 0 && event.address == value && value > 0xffff; });
    return isAddress ? nameOf(value) : fmt::format("{}", static_cast<std::int64_t>(value));
  }

  static std::string orderOf(const RunEvent& event) {
    if (event.tags == 0) return trace::orderName(event.order);
    std::string name(kEventTagNames[static_cast<std::size_t>(std::countr_zero(event.tags))]);
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return name;
  }

  trace::Event describe(std::size_t number) const {
    const Event& event = execution_.events[number];
    std::size_t first = number;
    while (first > 0 && execution_.events[first - 1].thread == event.thread) --first;
    const RunEvent& of = end_.runs[static_cast<std::size_t>(event.thread)]->events[number - first];
    trace::Event shown;
    shown.thread = static_cast<ThreadId>(event.thread);
    shown.index = static_cast<unsigned>(number - first + 1);
    shown.number = numbers_[number];
    shown.reads = event.isRead;
    shown.writes = event.isWrite;
    shown.kind = event.isRead ? trace::loadKind(of.order) : event.isWrite ? trace::storeKind(of.order) : trace::Kind::fence;
    shown.order = orderOf(of);
    if (of.machineFence) shown.order = trace::fenceName(Operation::fence(*of.machineFence));
    if (event.hasLocation) shown.location = nameOf(event.address);
    if (event.isRead || event.isWrite) shown.value = valueOf(event.value);
    if (event.isRead) {
      const std::size_t from = sourceOf(number);
      shown.from = from == kNone ? 0 : numbers_[from];
    }
    if (event.isWrite) {
      for (std::size_t i = 0; i < execution_.size(); ++i) {
        const bool before = execution_[BaseRelation::co].test(i, number);
        if (before && numbers_[i] != 0 && (shown.coAfter == 0 || isAfter(i, shown.coAfter))) shown.coAfter = numbers_[i];
      }
    }
    shown.place.file = test_.file;
    shown.place.line = of.line;
    return shown;
  }

  bool isAfter(std::size_t write, unsigned other) const { return execution_[BaseRelation::co].test(order_[other - 1], write); }

  const litmus::Test& test_;
  const enumerate::End& end_;
  const Execution& execution_;
  std::vector<unsigned> numbers_;   // 0: an initial write
  std::vector<std::size_t> order_;  // events, by number
};

}  // namespace

trace::Execution traceOf(const litmus::Test& test, const enumerate::End& end) { return EnumeratedTracer(test, end).trace(); }

}  // namespace heddle::run
