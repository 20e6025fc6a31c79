// Persistency models that are an order: `pb`, persists-before (thesis, chapter 8).
//
// What has persisted is closed downwards under pb. So a snapshot is possible iff nothing that it says was lost comes before, or is,
// something that it says was found. This is the thesis's axiom  [REC] ; rb ; pb? ; rf ; [REC] = 0, which is as good as a
// snapshot of all locations (Theorem 3): whatever is not read is what the least such snapshot has.
//
// Two orders are built in. Of both pb contains the coherence order.
//
//   weakest   pb = co                      every location for itself
//   strict    pb = (po | rf | co | rb)+    writes persist in the order in which they are made
//
// Under sc the second is an order. Under weaker models it may have cycles; what is on one persists together.
//
// What comes before a write is found by walking back from it, once, and only if recovery may find that write: what it does not
// read costs nothing.
#pragma once

#include <unordered_map>
#include <vector>

#include "persist/model.h"
#include "relations/bit_matrix.h"

namespace heddle::persist {

class PersistsBefore : public Model {
 public:
  explicit PersistsBefore(IsDurable isDurable) : isDurable_(std::move(isDurable)) {}

  void begin(const ExecutionView& graph, ThreadId recovery) final;
  bool allows(Snapshot snapshot) final;

 protected:
  // Another execution; and what comes right before an event, in an order whose transitive closure is pb.
  virtual void prepare(const ExecutionView& /*graph*/, ThreadId /*recovery*/) {}
  virtual void addPredecessors(const ExecutionView& graph, EventId id, std::vector<EventId>& found) = 0;
  // What every such order contains: the writes right before a write.
  static void addCoherence(const ExecutionView& graph, EventId write, std::vector<EventId>& found);

 private:
  const relations::EventSet& before(EventId write);
  bool isBefore(EventId id, EventId write) { return before(write).test(id - kFirstEvent); }

  IsDurable isDurable_;
  const ExecutionView* graph_ = nullptr;
  std::vector<EventId> known_;
  std::unordered_map<EventId, relations::EventSet> before_;  // of each write: itself, and what persists before it
  std::vector<EventId> open_;
};

class WeakestPersistency final : public PersistsBefore {
 public:
  using PersistsBefore::PersistsBefore;

 private:
  void addPredecessors(const ExecutionView& graph, EventId id, std::vector<EventId>& found) override;
};

class StrictPersistency final : public PersistsBefore {
 public:
  using PersistsBefore::PersistsBefore;

 private:
  void prepare(const ExecutionView& graph, ThreadId recovery) override;
  void addPredecessors(const ExecutionView& graph, EventId id, std::vector<EventId>& found) override;

  std::unordered_map<EventId, std::vector<EventId>> readers_;  // of the write, or of the initial one
};

}  // namespace heddle::persist
