// Time, as the threads of the program see it.
//
// Each thread has a clock, which library models move (library/clock.h). What it shows is part of the thread's state, so it
// goes back with the thread, but it is no plain memory: to sleep changes nothing that a loop could come back from. No
// clock ever shows less than another one has shown before, in happens-before. For that the time at each event is kept, and
// a thread that looks at its clock looks at the last event of each other thread that happens before.

#include <algorithm>

#include "runtime/native_program.h"

namespace heddle::native {

namespace {

// The event of the thread that the clock names; kNone if it is what comes after its last event.
template <class AnyGraph>
EventId eventAt(const AnyGraph& graph, ThreadId thread, Lane index) {
  EventId id = graph.last(thread);
  if (id == kNone || graph[id].thread != thread || graph[id].index < index) return kNone;
  while (graph[id].index > index) id = graph[id].poPrev;
  return id;
}

}  // namespace

// The thread is about to go on after its last event. One that starts does so before the thread that has started it goes on.
void NativeProgram::noteTime(ThreadId thread) {
  const EventId last = graph_ ? graph_->last(thread) : mixed_->last(thread);
  if (last == kNone) return;
  if (times_.size() <= last) times_.resize(std::max<std::size_t>(2 * times_.size(), last + 1));
  times_[last] = threads_[graph_ ? (*graph_)[last].thread : (*mixed_)[last].thread].state->context.time;
}

template <class AnyGraph>
std::uint64_t NativeProgram::timeBefore(const AnyGraph& graph) const {
  std::uint64_t latest = 0;
  for (unsigned t = 0; t < threadCount_; ++t) {
    const auto other = static_cast<ThreadId>(t);
    if (other == self_ || view_[t] == 0) continue;
    const EventId id = eventAt(graph, other, view_[t]);
    if (id == kNone) {
      latest = std::max(latest, threads_[t].state->context.time);  // it has ended, and been joined
    } else if (id < times_.size()) {
      latest = std::max(latest, times_[id]);
    }
  }
  return latest;
}

std::uint64_t NativeProgram::time() {
  doMore();
  const std::uint64_t own = threads_[self_].context.time;
  if (!usesTime_) return own;
  return std::max(own, graph_ ? timeBefore(*graph_) : timeBefore(*mixed_));
}

void NativeProgram::setTime(std::uint64_t time) {
  usesTime_ = true;
  threads_[self_].context.time = time;
}

}  // namespace heddle::native

extern "C" {

std::uint64_t heddle_time() { return heddle::native::NativeProgram::current()->time(); }
void heddle_set_time(std::uint64_t time) { heddle::native::NativeProgram::current()->setTime(time); }

}  // extern "C"
