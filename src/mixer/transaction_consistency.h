// Consistency of graphs with transactions: the axioms of a model, lifted to units.
//
// Chong, Sorensen and Wickerson, "The Semantics of Transactions and Weak Memory in x86, Power, ARM, and C++", PLDI 2018. With txn for
// "in the same transaction" and com = rf | co | rb,
//
//     weaklift(r)   = txn ; (r \ txn) ; txn         between transactions
//     stronglift(r) = txn? ; (r \ txn) ; txn?       between transactions and all others
//
// What is asked of a graph, for every model (docs/models.md, Transactions):
//
//   synchronization   transactions that conflict happen before each other: po gains weaklift(com), as it has the order of the
//                     critical sections of a lock
//   isolation         acyclic stronglift(com), and acyclic stronglift(po | rf)
//   the model         its axioms, with that po. `acyclic r` also of stronglift(r), `irreflexive (r ; s)` of stronglift(r) and
//                     stronglift(s). The begin and the end of a transaction are in T, as spawns and joins are, so a model of a
//                     machine has a full fence there.
//
// Under sc that is one demand: acyclic stronglift(po | com). And where that holds everything else does, as no axiom forbids an
// interleaving. So the search for such a cycle comes first, and it is short: the graph was consistent before the unit was added, so
// the cycle goes through it.
#pragma once

#include <memory>
#include <vector>

#include "explore/marks.h"
#include "explore/views.h"
#include "mixer/lifted_axioms.h"
#include "mixer/units.h"

namespace heddle::mixer {

class TransactionConsistency {
 public:
  TransactionConsistency(const model::CompiledModel& model, const Program& program, bool races);

  const explore::ModelViews& views() const { return views_; }
  void computeViews(MixedGraph& graph, EventId id) const { views_.compute(graph, id); }

  // Is the graph consistent, if it was without this unit?
  bool isConsistent(const MixedGraph& graph, const Units& units, EventId unit);

  // Two accesses that race in a full graph; kNone: there are none.
  std::pair<EventId, EventId> findRace(const MixedGraph& graph, const Units& units, bool weakIsolation) {
    return axioms_->findRace(graph, units, weakIsolation);
  }
  // Of a full graph.
  bool happensBefore(const MixedGraph& graph, const Units& units, EventId first, EventId second) {
    return axioms_->happensBefore(graph, units, first, second);
  }
  void forgetOrder() { axioms_->forgetOrder(); }

 private:
  bool comesBack(const MixedGraph& graph, const Units& units, EventId unit);

  explore::ModelViews views_;
  bool total_;                            // acyclic (po | rf | co | rb) is an axiom
  std::unique_ptr<LiftedAxioms> axioms_;  // stays where it is: its evaluator knows it by its address

  explore::Marks reached_;
  std::vector<EventId> work_;
};

}  // namespace heddle::mixer
