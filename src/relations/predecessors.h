// What leads to some events in a relation of a model, by its definition, without the rest of the relation.
//
// A relation is followed backwards, from the end of each sequence to its beginning, as sets of events. What is intersected, or taken
// away, is followed from one event at a time: of a single event, {x | (x, y) in a & b} is the intersection of what a and b say.
#pragma once

#include <vector>

#include "model/ast.h"
#include "model/base_relations.h"
#include "model/event_class.h"
#include "relations/bit_matrix.h"
#include "relations/terms.h"

namespace heddle::relations {

// What the relations are about.
class BackwardEvents {
 public:
  virtual EventClass classOf(std::size_t event) const = 0;
  virtual const EventSet& all() const = 0;
  // Adds what leads to one of `to`.
  virtual void addPredecessors(model::BaseRelation relation, const EventSet& to, EventSet& result) const = 0;
  virtual void addPredecessors(model::BaseRelation relation, const WordSet& to, WordSet& result) const = 0;  // no more than 64

 protected:
  ~BackwardEvents() = default;
};

class Predecessors {
 public:
  explicit Predecessors(const BackwardEvents& events) : events_(events) {}

  Term add(const model::Expr& expr);
  // Adds the events that the relation leads from to one of `to`. Sets are EventSet or WordSet.
  template <class Set>
  void find(Term term, const Set& to, Set& result) const;

 private:
  template <class Set>
  Set none() const;
  template <class Set>
  void findBySingles(const TermNode& node, const Set& to, Set& result) const;
  template <class Set>
  void findClosure(Term step, const Set& to, Set& result) const;
  template <class Set>
  void findSequence(const TermNode& node, const Set& to, Set& result) const;

  const BackwardEvents& events_;
  std::vector<TermNode> nodes_;
};

extern template void Predecessors::find(Term term, const EventSet& to, EventSet& result) const;
extern template void Predecessors::find(Term term, const WordSet& to, WordSet& result) const;

}  // namespace heddle::relations
