// The coherence orders that make a graph consistent, when the graph itself does not say (rf equivalence).
//
// GetConsCO of the TruSt paper (Algorithm 2). First what every model forces: the writes-before relation (thesis section
// 4.3), here by the model's own view: a write is before another if the other, or a reader of the other, has observed
// it; and the write of a read-modify-write comes right after the one that was read. Each location's linear extensions
// are then tried, in an order that depends only on the events' names (thread, index), so that the first consistent one
// is a function of the graph. The model's other axioms are checked each time a location is complete: they are
// monotone, so what is violated then stays violated.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "explore/consistency.h"
#include "explore/observer.h"
#include "graph/graph.h"

namespace heddle::explore {

// The coherence orders of a graph, to be put back.
class SavedCoherence {
 public:
  // `without`: a write in co that will be gone by then, or kNone.
  SavedCoherence(const Graph& graph, EventId without);
  void restore(Graph& graph) const;

 private:
  std::vector<EventId> orders_;  // for each location its writes, oldest first, and kNone
};

class CoherenceFinder {
 public:
  explicit CoherenceFinder(Consistency& consistency) : consistency_(consistency) {}

  // Gives the graph its first consistent coherence order, of those that meet the demand if there is one. False: it has none,
  // and its coherence is undefined.
  bool findFirst(Graph& graph, const CoherenceDemand& demand = {});

  // Calls `visit` with the graph in each of its consistent coherence orders, then restores it.
  void forEach(Graph& graph, const std::function<void()>& visit);

  // The same, with the first order that meets the demand, if there is one.
  void forFirst(Graph& graph, const CoherenceDemand& demand, const std::function<void()>& visit);

  // The same, with one order for each way in which these locations can end: the last writes of all of them together. Until
  // `visit` returns false.
  void forEachEnd(Graph& graph, std::span<const LocationId> locations, const std::function<bool()>& visit);

 private:
  // A maximal chain of writes that read-modify-writes hold together, and what must come before it.
  struct Block {
    std::vector<EventId> writes;
    std::vector<std::size_t> before;
    bool placed = false;
  };
  struct LocationOrder {
    LocationId location;
    std::vector<Block> blocks;
  };

  bool mustPrecede(const Graph& graph, EventId earlier, EventId later) const;
  bool mayBeLast(const Graph& graph, EventId write) const;
  bool prepare(Graph& graph, const CoherenceDemand& demand);
  bool constrain(const Graph& graph, LocationOrder& order, const CoherenceDemand& demand);
  const Lane* poView(const Graph& graph, EventId id) const;
  // Extends the order; true: `visit` asked to stop.
  bool extend(Graph& graph, std::size_t location, std::size_t placed);
  bool endIn(Graph& graph, std::span<const LocationId> locations, std::vector<EventId>& last,
             const std::function<bool()>& visit);

  Consistency& consistency_;
  std::vector<LocationOrder> locations_;
  std::vector<EventId> prefix_;
  std::function<bool()> visit_;
};

}  // namespace heddle::explore
