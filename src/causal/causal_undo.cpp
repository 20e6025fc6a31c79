// Going back: what an alternative of a step has changed is put back as it was, in the opposite order.
//
// The event of a step goes when the step goes. What else there is to put back is on four stacks:
//
//     threads   that have run or were rewound: what they were paused at
//     marks     of operations that threads have come by again
//     removed   events that a revisit has taken out
//     reads     that were revisited: what they have read before
#include "causal/causal_explorer.h"

namespace heddle::causal {

using explore::ThreadState;

// The thread is about to be changed.
void CausalExplorer::keep(ThreadId thread) {
  if (height_ == 0 || keptIn_[thread] == changes_) return;
  keptIn_[thread] = changes_;
  keptThreads_.push_back({thread, state_[thread], at_[thread], pending_[thread]});
}

void CausalExplorer::setMark(ThreadId thread, std::uint32_t number, Mark mark) {
  Mark& old = graph_.slots(thread)[number].mark;
  if (old == mark) return;
  if (height_ != 0) keptMarks_.push_back({thread, number, old});
  old = mark;
}

// Others than writes first, so that the writes that they read from are there again when they are.
void CausalExplorer::removeAllBut(const relations::EventSet& kept) {
  relations::EventSet rest = graph_.all();
  for (const bool writes : {false, true}) {
    rest.forEach([&](std::size_t i) {
      const auto event = static_cast<Number>(i);
      if (kept.contains(i) || graph_[event].isWrite() != writes) return;
      if (removedCount_ == removed_.size()) removed_.emplace_back();
      graph_.takeOut(event, removed_[removedCount_++]);
    });
  }
}

void CausalExplorer::undo(const Frame& frame) {
  const Before& before = frame.before;
  if (keptReads_.size() != before.reads) {
    while (removedCount_ != before.removed) graph_.putBack(removed_[--removedCount_]);
    const KeptRead& kept = keptReads_.back();
    graph_.setSource(kept.read, kept.event.rf);
    graph_[kept.read] = kept.event;
    graph_.slotOf(kept.read).result = kept.result;
    graph_.slotOf(kept.read).waits = kept.waits;
    keptReads_.pop_back();
  }
  if (frame.kind == StepKind::write) graph_.unplace(frame.event);
  for (; keptMarks_.size() != before.marks; keptMarks_.pop_back()) {
    const KeptMark& kept = keptMarks_.back();
    graph_.slots(kept.thread)[kept.slot].mark = kept.mark;
  }
  for (; keptThreads_.size() != before.threads; keptThreads_.pop_back()) {
    const KeptThread& kept = keptThreads_.back();
    const bool wasThere = kept.state != ThreadState::absent, isThere = state_[kept.thread] != ThreadState::absent;
    if (wasThere && (!isThere || at_[kept.thread].mark != kept.at.mark)) program_.rewind(kept.thread, kept.at.mark);
    if (!wasThere && isThere) program_.rewind(kept.thread, startMarks_[kept.thread]);
    at_[kept.thread] = kept.at;
    pending_[kept.thread] = kept.pending;
    setState(kept.thread, kept.state);
  }
  views_.resize(before.views);
  unwritten_ = before.unwritten;
}

}  // namespace heddle::causal
