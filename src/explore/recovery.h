// What runs after a crash, and what it finds of durable memory.
//
// Recovery is one more thread (thesis, 8.3). It begins where an execution is complete, and its reads of durable memory are choice
// points like others: which writes had persisted. A crash before that leaves nothing that a crash at the end could not leave,
// because what persists is closed downwards. Its events come after all others, so nothing revisits them, and when they have all
// been taken back the execution is as it was.
//
// A program may also end while some of its threads wait for ever: nobody waits for those. Such an execution is as complete as another
// one. Which these are the front end knows, as it knows why threads wait.
//
//     crash      the first event of the thread: comes after everything
//     recover    a read of durable memory; src/persist says which writes it may find
//     store      a write of durable memory, if recovery may write; flushes and fences are events then, too. To memory models
//                these are nothing: nobody else is there
//     crash      the same thread begins anew, as if it had crashed on the way
#pragma once

#include "graph/execution_view.h"

namespace heddle::explore {

class Recovery {
 public:
  // Which thread of the program it is. Nobody else starts it.
  virtual ThreadId thread() const = 0;

  // Nothing more happens in the execution, though some threads wait. Is it complete nevertheless, so that it crashes?
  virtual bool crashesWhileSomeWait() const { return false; }
  // A complete execution has crashed. What was said of another one is void.
  virtual void begin(const ExecutionView& graph) = 0;
  // How many writes this read, the newest event, may find: at least one. They are numbered.
  virtual std::uint32_t choices(const ExecutionView& graph, EventId read) = 0;
  // The value of the write with that number.
  virtual Value found(const ExecutionView& graph, EventId read, std::uint32_t choice) = 0;
  // Recovery goes on from this event in another way: what came after it was taken back.
  virtual void resumeAfter(EventId event) = 0;

 protected:
  ~Recovery() = default;
};

}  // namespace heddle::explore
