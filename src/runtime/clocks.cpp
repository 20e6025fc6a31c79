#include "runtime/clocks.h"

#include <algorithm>

namespace heddle::runtime {

namespace {

// The event of the thread that the clock names; kNone if it is what comes after its last event.
EventId eventAt(const ExecutionView& graph, ThreadId thread, Lane index) {
  EventId id = graph.last(thread);
  if (id == kNone || graph[id].thread != thread || graph[id].index < index) return kNone;
  while (graph[id].index > index) id = graph[id].poPrev;
  return id;
}

}  // namespace

std::size_t Clocks::numberOf(EventId id) const { return running_.tracksDependencies() ? running_.graph()[id].mark : id; }

// A thread that starts goes on after an event of the one that has started it, and does so before that one goes on.
void Clocks::noteTime() {
  const ExecutionView& graph = running_.graph();
  const EventId last = graph.last(running_.self());
  if (last == kNone) return;
  const std::size_t number = numberOf(last);
  if (times_.size() <= number) times_.resize(std::max<std::size_t>(2 * times_.size(), number + 1));
  times_[number] = threads_[graph[last].thread].state->context.time;
}

std::uint64_t Clocks::timeBefore() const {
  std::uint64_t latest = 0;
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    const auto other = static_cast<ThreadId>(t);
    const Lane before = running_.view()[t];
    if (other == running_.self() || before == 0) continue;
    const EventId id = eventAt(running_.graph(), other, before);
    if (id == kNone) {
      latest = std::max(latest, threads_[t].state->context.time);  // it has ended, and been joined
    } else if (numberOf(id) < times_.size()) {
      latest = std::max(latest, times_[numberOf(id)]);
    }
  }
  return latest;
}

std::uint64_t Clocks::time() const {
  const std::uint64_t own = running_.ownContext().time;
  if (!used_) return own;
  return std::max(own, timeBefore());
}

}  // namespace heddle::runtime
