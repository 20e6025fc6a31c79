// Axioms of a model on lifted relations, evaluated by their definition.
//
// The base relations are lifted from bytes: two accesses are related by rf, co or rb if they are on some byte, and by loc if they
// overlap. What is made of them is evaluated as for every other graph (relations/evaluator.h).
//
// Where there are transactions, the axioms are lifted once more, to units (transaction_consistency.h).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "mixer/mixed_graph.h"
#include "mixer/units.h"
#include "relations/evaluator.h"

namespace heddle::mixer {

class LiftedAxioms final : private relations::Events {
 public:
  LiftedAxioms() : evaluator_(*this) {}
  LiftedAxioms(const LiftedAxioms&) = delete;
  LiftedAxioms& operator=(const LiftedAxioms&) = delete;

  void add(const model::Axiom& axiom);
  bool empty() const { return axioms_ == 0; }
  bool hold(const MixedGraph& graph);

  // The same with transactions.
  bool hold(const MixedGraph& graph, const Units& units);
  // By which races are judged, and two accesses that race; kNone: there are none.
  void setHappensBefore(const model::ExprPtr& relation) { happensBefore_ = evaluator_.add(*relation); }
  // `weak`: an access outside of transactions must not interrupt one, so it races with all that it conflicts with and is not ordered
  // with.
  std::pair<EventId, EventId> findRace(const MixedGraph& graph, const Units& units, bool weak);
  // By that relation. The graph stays as it is from the first question on until the answers are forgotten.
  bool happensBefore(const MixedGraph& graph, const Units& units, EventId first, EventId second);
  void forgetOrder() { isOrdered_ = false; }

 private:
  std::size_t count() const override { return events_.size(); }
  EventClass classOf(std::size_t event) const override { return (*graph_)[events_[event]].cls; }
  void fill(model::BaseRelation relation, const relations::EventSet& among, relations::BitMatrix& result) const override;
  void begin(const MixedGraph& graph, const Units* units);
  void programOrder(relations::BitMatrix& result) const;
  void communication(relations::BitMatrix& result) const;
  bool lift();
  bool addHardware(relations::BitMatrix& order);
  bool order(const MixedGraph& graph, const Units& units);
  void mergeUnits(relations::BitMatrix& relation, bool transactionsOnly) const;
  bool isLifted();
  std::size_t number(EventId id) const { return numbers_[id - kFirstEvent]; }

  relations::Evaluator evaluator_;
  std::size_t axioms_ = 0;
  struct Lifted {
    relations::Term first;
    std::optional<relations::Term> second;  // irreflexive (first ; second); otherwise acyclic first
  };
  std::vector<Lifted> lifted_;
  std::optional<relations::Term> happensBefore_;
  const Units* units_ = nullptr;
  relations::BitMatrix synchronization_;  // weaklift(rf | co | rb), and what the hardware adds
  bool isOrdered_ = false;                // the relations are those of a full graph
  const MixedGraph* graph_ = nullptr;
  relations::EventSet all_;
  std::vector<EventId> events_;  // oldest first
  std::vector<std::uint32_t> numbers_;
};

}  // namespace heddle::mixer
