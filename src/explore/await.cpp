// Waiting for another value.
//
// Much of concurrent code waits until a location has a certain value: a loop that spins becomes an assumption about what
// it has read. Added too early, such a read blocks its thread, all other threads go on without it, in all their
// executions, and only later writes revisit it. So a read that its first option, the co-maximal write, would block is
// taken out again and tried later, unless no other thread can go on. Which thread is next is a function of the graph
// as before, and the algorithm works with any such function; the read is added with all its options in the end. What is
// blocked then is so because nothing more will come, or because a write has revisited the read with a value that
// blocks it.

#include "explore/explorer.h"

namespace heddle::explore {

// Would the co-maximal write block the reader, as it did before?
bool Explorer::isAwaiting(ThreadId thread) {
  if (!awaiting_.contains(thread)) return false;
  const Operation& operation = pending_[thread];
  const LocationId location = graph_.locate(operation.address, operation.size, program_);
  return graph_.location(location).coTail == blockingWrite_[thread];
}

// The read that was just added has blocked its thread. True, in any case: there is something to go on with.
bool Explorer::postpone(EventId read) {
  const ChoicePoint& frame = trail_.back();
  if (frame.kind != ChoiceKind::read || frame.spurious) return true;  // it has written, or fails of its own accord
  const ThreadId thread = graph_[read].thread;
  if (frame.cursor != graph_.location(graph_[read].location).coTail) return true;
  const int other = nextThread();
  // If all wait it is the first one's turn, whichever was tried last: a function of the graph, not of what was tried.
  if (other < 0 || (other > thread && isAwaiting(static_cast<ThreadId>(other)))) return true;
  blockingWrite_[thread] = graph_[read].rf;
  const ThreadSet awaiting = awaiting_;  // the graph will be what it was for the others
  graph_.unsetRf(read);
  leaveOption(trail_.back());
  graph_.forgetRead(read);
  dropEvent(read);
  trail_.pop_back();
  --statistics_.added;
  awaiting_ = awaiting;
  awaiting_.insert(thread);
  return true;
}

}  // namespace heddle::explore
