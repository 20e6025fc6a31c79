// Is a graph consistent, if it was before some events were added?
//
// Every edge that a model speaks of is a path of po, rf, co and rb, as long as it has no inverses and uses `loc`, `int`, `ext`, `id` and
// products only to filter. So what an event closes a cycle with is what it is reached from along these four and what it reaches: if
// it does not reach itself there is no cycle through it, and the graph is consistent (explore/order_search.h has the same
// argument). If it does, all events of every forbidden cycle through it are in its strongly connected component, and the axioms
// are evaluated on that alone: relations of a part of a graph are not larger than those of the graph, so what is forbidden there is
// forbidden in the whole.
//
// Most of what is refused is refused by one location alone: of its accesses no cycle is allowed, and they are few.
//
// `empty rmw & (rb ; co)` speaks of no cycle, but of what is next to the new write in coherence order. Any other axiom is
// evaluated on all events.
#pragma once

#include <vector>

#include "causal/causal_graph.h"
#include "model/ast.h"
#include "relations/evaluator.h"

namespace heddle::causal {

class CausalConsistency {
 public:
  // For programs with events of these classes. `exclusives`: there are read-modify-writes of two instructions. Throws CatError if
  // the model is not one for graphs with holes.
  CausalConsistency(const model::Model& model, const CausalGraph& graph, ClassSet classes, bool exclusives);

  // Is an event consistent that nothing comes after, in program order, reads-from or coherence, unless it is exclusive?
  bool allowsLast() const { return onlyCycles_; }
  // With these events, of which one was added, or changed. The others are consistent.
  bool holds(Number added, const relations::EventSet& among);

 private:
  bool isIncoherent(Number added, const relations::EventSet& among);
  bool isAtomic(Number write, const relations::EventSet& among) const;
  template <class Set>
  bool reachesItself(Number event, const relations::EventSet& among) const;
  // Finds the component of an event; false if it is not on a cycle.
  template <class Set>
  bool findComponent(Number event, const relations::EventSet& among);
  bool isOnCycle(Number event, const relations::EventSet& among);

  const CausalGraph& graph_;
  relations::Evaluator evaluator_;
  std::vector<std::size_t> ofCycles_, ofEverything_;  // axioms of the evaluator
  bool isAtomic_ = false, isCoherent_ = false;        // there is such an axiom
  bool onlyCycles_ = true;                            // or neighbours
  relations::EventSet component_, ofLocation_;
};

}  // namespace heddle::causal
