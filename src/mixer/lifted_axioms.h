// Axioms of a model on lifted relations, evaluated by their definition.
//
// The base relations are lifted from bytes: two accesses are related by rf, co or rb if they are on some byte, and by loc if they
// overlap. What is made of them is evaluated as for every other graph (relations/evaluator.h).
#pragma once

#include <cstdint>
#include <vector>

#include "mixer/mixed_graph.h"
#include "relations/evaluator.h"

namespace heddle::mixer {

class LiftedAxioms final : private relations::Events {
 public:
  LiftedAxioms() : evaluator_(*this) {}
  LiftedAxioms(const LiftedAxioms&) = delete;
  LiftedAxioms& operator=(const LiftedAxioms&) = delete;

  void add(const model::Axiom& axiom) { evaluator_.addAxiom(axiom), ++axioms_; }
  bool empty() const { return axioms_ == 0; }
  bool hold(const MixedGraph& graph);

 private:
  std::size_t count() const override { return events_.size(); }
  EventClass classOf(std::size_t event) const override { return (*graph_)[events_[event]].cls; }
  void fill(model::BaseRelation relation, const relations::EventSet& among, relations::BitMatrix& result) const override;
  void programOrder(relations::BitMatrix& result) const;
  std::size_t number(EventId id) const { return numbers_[id - kFirstEvent]; }

  relations::Evaluator evaluator_;
  std::size_t axioms_ = 0;
  const MixedGraph* graph_ = nullptr;
  relations::EventSet all_;
  std::vector<EventId> events_;  // oldest first
  std::vector<std::uint32_t> numbers_;
};

}  // namespace heddle::mixer
