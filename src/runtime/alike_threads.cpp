// Threads that a native program starts alike (explore/symmetry.cpp): which they are, and what would tell them apart.
//
// A thread starts others one right after the other, with no event in between, that run the same function with the same argument. The
// argument is the same if the function makes no use of it but to return it (instrument/ignored_arguments.h), if it is the same
// value, or if it is a heap block that nobody but the thread will know and the bytes in it are the same: that is how std::thread hands
// over what a thread is to do. What a program allocates for a thread by itself does not count, as it may look there which thread it was.
//
// What the explorer sees of such threads it compares by itself. What it does not see is looked after here, and whoever may tell one
// from the other ends the exploration, which starts again without symmetry (ToldApart):
//
//   plain memory     What the parent does between the starts, or between the joins, is before some of the threads or after some of them,
//                    and not for others. So an access that is ordered with it, but would not be if all had been started first, or joined
//                    last, is refused (Memory::knowAlike). It would be a race of one of them, and is none of another. What
//                    the parent has allocated just for the thread is its own, and as good as that of another.
//   plain accesses   to atomic locations look at the graph. Between joins they are refused, and before a start in the same step the thread
//                    that is started is alike to nobody.
//   numbers          pthread_self, gettid and the like are refused in such threads, and so is what library models do by them.
//   results          Who looks at what a thread has returned knows which thread it was.
//
// Addresses are not looked after: of the heap, of thread_locals and of local variables each thread has its own, and a program that does
// something else because one address is less than another, or by a hash of it, tells threads apart unseen.

#include "runtime/running_thread.h"

namespace heddle::runtime {

namespace {

bool isSpawn(const ExecutionView& graph, EventId id) {
  return id != kNone && graph[id].kind == EventKind::thread && graph.operation(id).kind == OperationKind::spawn;
}

bool isJoin(const ExecutionView& graph, EventId id) {
  return id != kNone && graph[id].kind == EventKind::thread && graph.operation(id).kind == OperationKind::join;
}

EventId startOf(const ExecutionView& graph, ThreadId thread) {
  const EventId first = graph.first(thread);
  return first != kNone ? graph[first].poPrev : graph.last(thread);
}

// Are both starts of alike threads, the second right after the first?
bool follows(const ExecutionView& graph, EventId first, EventId second) {
  return isSpawn(graph, first) && isSpawn(graph, second) && graph[first].thread == graph[second].thread &&
         graph.operation(first).alike() != 0 && graph.operation(first).alike() == graph.operation(second).alike();
}

// The first start of the alike threads that this is a start of.
EventId firstStart(const ExecutionView& graph, EventId start) {
  while (follows(graph, graph[start].poPrev, start)) start = graph[start].poPrev;
  return start;
}

// Is the thread one of the alike ones that this is the first start of?
bool isOneOf(const ExecutionView& graph, EventId first, ThreadId thread) {
  const EventId start = startOf(graph, thread);
  return isSpawn(graph, start) && graph.operation(start).alike() != 0 && firstStart(graph, start) == first;
}

}  // namespace

void RunningThread::setSymmetry(bool on) {
  symmetry_ = on;
  joinsAlike_ = false;
  memory_.knowAlike(nullptr, 0);
}

std::uint32_t RunningThread::giftsOf(ThreadId thread) const {
  const EventId start = startOf(*graph_, thread);
  if (!isSpawn(*graph_, start) || graph_->operation(start).alike() == 0) return 0;
  return memory::epochBits((*graph_)[start].thread, (*graph_)[start].index);
}

Address RunningThread::argumentOf(ThreadId thread) const { return graph_->operation(startOf(*graph_, thread)).argument(); }

void RunningThread::enterWithSymmetry(EventId last) {
  const ExecutionView& graph = *graph_;
  const Lane* seen = view_;
  joinsAlike_ = false;
  if (isJoin(graph, last) && graph[last].thread == self_) {
    const EventId start = startOf(graph, static_cast<ThreadId>(graph[last].partner));
    const EventId first = isSpawn(graph, start) && graph.operation(start).alike() != 0 ? firstStart(graph, start) : kNone;
    for (EventId id = first; id != kNone; id = follows(graph, id, graph[id].poNext) ? graph[id].poNext : kNone) {
      joinsAlike_ |= graph.joinOf(static_cast<ThreadId>(graph[id].partner)) == kNone;
    }
    EventId before = last;
    while (joinsAlike_ && isJoin(graph, before) && isOneOf(graph, first, static_cast<ThreadId>(graph[before].partner))) {
      before = graph[before].poPrev;
    }
    if (joinsAlike_) seen = graph.view(before, raceView_);
  }
  std::copy_n(seen, errors_.size(), common_.begin());
  forgetStarts();
  memory_.enter(self_, index_, common_.data());
  memory_.knowAlike(view_, giftsOf(self_));
}

// Whoever has seen one of the later starts of alike threads, and nothing more of their parent, has seen the first one.
void RunningThread::forgetStarts() {
  const ExecutionView& graph = *graph_;
  for (unsigned t = 0; t < graph.threads(); ++t) {
    const EventId start = startOf(graph, static_cast<ThreadId>(t));
    if (!isSpawn(graph, start) || !follows(graph, graph[start].poPrev, start)) continue;
    Lane& lane = common_[graph[start].thread];
    if (lane == graph[start].index) lane = graph[firstStart(graph, start)].index;
  }
}

// A plain access to an atomic location since the last start tells the two apart.
std::uint64_t RunningThread::takeAlike() {
  const std::uint64_t number = std::exchange(alike_, 0);
  const EventId last = graph_->last(self_);
  const bool follows = isSpawn(*graph_, last) && graph_->operation(last).alike() == number;
  return symmetry_ && !(follows && sharedAccess_) ? number : 0;
}

void RunningThread::tellNumber() {
  if (!symmetry_ || giftsOf(self_) == 0) return;
  willGiveUp(explore::ToldApart(place(0), "a thread asks for its number"));
  giveUp();
}

void RunningThread::lookAtResult(ThreadId thread) {
  if (!symmetry_ || giftsOf(thread) == 0) return;
  willGiveUp(explore::ToldApart(place(0), "what a thread has returned is looked at"));
  giveUp();
}

void RunningThread::noteSharedAccess(std::uint32_t source) {
  sharedAccess_ = true;
  if (!symmetry_ || !joinsAlike_) return;
  willGiveUp(
      explore::ToldApart(place(source), "an atomic object is accessed plainly while threads that should be alike are joined"));
  giveUp();
}

}  // namespace heddle::runtime
