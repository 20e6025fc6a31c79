// A persistency model from a file: `pb`, as a `.cat` file defines it over the events of an execution.
//
//     let pb = (co | [W] ; po ; [F & SC] ; po ; [W])+        epochs, which seq_cst fences separate
//
// The relation is evaluated by its definition on the complete execution (relations/evaluator.h). Of its pairs those of two writes count; the
// coherence order and transitivity are added to whatever the file says. Everything that the file has besides, such as axioms, is of
// no interest here: the memory model is another file.
#pragma once

#include <vector>

#include "model/ast.h"
#include "persist/persists_before.h"
#include "relations/evaluator.h"

namespace heddle::persist {

class CatPersistency final : public PersistsBefore, private relations::Events {
 public:
  // The model defines pb, without dependencies and recursion.
  CatPersistency(IsDurable isDurable, const model::Model& model);

 private:
  void prepare(const ExecutionView& graph, ThreadId recovery) override;
  void addPredecessors(const ExecutionView& graph, EventId id, std::vector<EventId>& found) override;

  std::size_t count() const override { return events_.size(); }
  EventClass classOf(std::size_t event) const override { return (*graph_)[events_[event]].cls; }
  void fill(model::BaseRelation relation, const relations::EventSet& among, relations::BitMatrix& result) const override;
  void addProgramOrder(relations::BitMatrix& result) const;
  void addAfter(EventId id, relations::BitMatrix& result) const;
  std::size_t number(EventId id) const { return numbers_[id - kFirstEvent]; }

  relations::Evaluator evaluator_;
  relations::Term pb_;
  relations::EventSet all_;
  const ExecutionView* graph_ = nullptr;
  std::vector<EventId> events_;
  std::vector<std::uint32_t> numbers_;  // by id - kFirstEvent
};

}  // namespace heddle::persist
