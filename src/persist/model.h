// Persistency models: which writes to durable memory may have persisted when a program crashed.
//
// A snapshot is what recovery has found so far. For each run of bytes that accesses treat alike it has one part, which says which
// write had persisted last there; the writes after it in coherence order had not. A model answers one question: may all of this
// have been so at once? It need not know what else recovery is going to read. Whatever a model allows must have an answer for
// every other location, too, so that recovery never comes to an end because nothing is left to find.
//
//     part      bytes, and their writes in coherence order:   initial   w1   w2   w3
//     position  how many of them had persisted:                 0       1    2    3
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "graph/execution_view.h"

namespace heddle::persist {

struct Part {
  ByteRange bytes;
  std::vector<EventId> writes;  // in coherence order, without the initial one
  std::uint32_t position = 0;

  EventId found() const { return position == 0 ? kNone : writes[position - 1]; }
  // The first write that had not persisted, or kNone.
  EventId lost() const { return position < writes.size() ? writes[position] : kNone; }
};

using Snapshot = std::span<const Part>;
using IsDurable = std::function<bool(Address)>;

class Model {
 public:
  virtual ~Model() = default;
  // Another execution, which is complete. `recovery` is the thread that runs after it.
  virtual void begin(const ExecutionView& graph, ThreadId recovery) = 0;
  virtual bool allows(Snapshot snapshot) = 0;
  // Where happens-before is among the views of an event, for models that ask.
  virtual void setHappensBefore(std::size_t /*view*/) {}
};

// The durable writes of an execution that the program knows to have persisted: those before Flush::everything in po | rf.
std::vector<EventId> knownPersisted(const ExecutionView& graph, ThreadId recovery, const IsDurable& isDurable);

}  // namespace heddle::persist
