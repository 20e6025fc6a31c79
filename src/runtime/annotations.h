// What the program says of its writes (include/heddle/heddle.h), checked.
//
//   local   nobody but the thread itself reads what it has written (thesis 9.2.1)
//   final   nobody writes the location after it: every other write of it happens before it (freezing writes, thesis 7.3.2)
//
// Each is checked when an event comes that might contradict it, whichever of the two is added last: the thread that has made
// that event fails. So the error is found before anything is left out because its thread waits, and it comes with a
// consistent execution.
//
// Nothing is left out of the exploration because of an annotation. The thesis drops executions in which a thread is blocked by an
// assumption about a final write, as it will never read another one. What the other threads do in such an execution they may do
// in no other:
//
//     x = 1 (final); spawn T; assert(0)      T: assume(x != 1)      T reads 1 or nothing, and the assertion fails
//
// and a loop that waits for ever for a final write to change is an error that would be missed. What the reduction saves is
// mostly saved already, as a read that would block its thread is added when no other thread can go on (explore/await.cpp).
#pragma once

#include "runtime/faults.h"
#include "runtime/running_thread.h"

namespace heddle::runtime {

class Annotations {
 public:
  Annotations(RunningThread& running, const Faults& faults) : running_(running), faults_(faults) {}

  // After an event of the thread that goes on. False if it contradicts an annotation: failure() is what the thread is to be
  // paused at.
  bool checkAfter();
  const Operation& failure() const { return failure_; }

 private:
  bool checkRead(EventId read);
  bool checkWrite(EventId write);
  bool contradicts(EventId write, EventId other) const;

  RunningThread& running_;
  const Faults& faults_;
  Operation failure_;
};

// The write that a plain read of the bytes finds, if it is local to another thread than this one; or kNone.
EventId lastLocalWrite(const ExecutionView& graph, ByteRange bytes, ThreadId self);
// That the running thread reads such a write.
Error readOfLocalWrite(const RunningThread& running, const Faults& faults, EventId write);

}  // namespace heddle::runtime
