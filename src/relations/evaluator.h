// The relations of a model over some events of a graph, evaluated by their definition.
//
// Equal expressions are one term, over all axioms. Terms are evaluated when they are needed, and nothing is evaluated for a
// sequence of which a part is empty: without fences what a model says of fences costs nothing. Only rows of the events in
// question are looked at, so a few events of a large graph cost what a small graph does.
//
// Initial writes are left out: nothing precedes them in any relation, so no cycle contains them.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "model/ast.h"
#include "model/base_relations.h"
#include "model/event_class.h"
#include "relations/bit_matrix.h"
#include "relations/terms.h"

namespace heddle::relations {

// What the relations are about: events that are numbered, from 0 to a number below `count`.
class Events {
 public:
  virtual std::size_t count() const = 0;
  virtual EventClass classOf(std::size_t event) const = 0;
  // Is it known that there is no pair of it?
  virtual bool isEmpty(model::BaseRelation /*relation*/) const { return false; }
  // Among these events. Their rows of `result` are empty; the others mean nothing.
  virtual void fill(model::BaseRelation relation, const EventSet& among, BitMatrix& result) const = 0;

 protected:
  ~Events() = default;
};

class Evaluator {
 public:
  explicit Evaluator(const Events& events) : events_(events) {}

  Term add(const model::Expr& expr);
  // Returns its number.
  std::size_t addAxiom(const model::Axiom& axiom) {
    axioms_.push_back({axiom.kind, add(*axiom.expr)});
    return axioms_.size() - 1;
  }

  // From now on it is about these events, as they are now.
  void begin(const EventSet& among);

  bool holds(std::size_t axiom);
  bool axiomsHold();
  bool related(Term term, std::size_t from, std::size_t to) {
    const Node& node = value(term);
    return !node.isEmpty && node.matrix.test(from, to);
  }

 private:
  struct Node : TermNode {
    explicit Node(TermNode term) : TermNode(std::move(term)) {}

    std::uint64_t version = 0, membersVersion = 0;
    bool isEmpty = true;
    BitMatrix matrix;
    EventSet members;  // bracket
  };
  struct Check {
    model::AxiomKind kind;
    Term term;
  };

  const Node& value(Term term);
  bool hasMembers(Node& bracket);
  void fillMembers(ClassSet set, EventSet& result) const;
  // With as many words to a row; 0: any number.
  template <std::size_t kWords>
  void evaluate(Node& node);
  template <std::size_t kWords>
  void evaluateSequence(Node& node);
  template <std::size_t kWords>
  void compose(BitMatrix& result, const BitMatrix& with);
  template <std::size_t kWords>
  void close(BitMatrix& result);
  template <std::size_t kWords>
  bool hasRows(const BitMatrix& matrix) const;
  bool hasLoop(const BitMatrix& matrix) const;
  bool hasCycle(const BitMatrix& matrix);
  // Calls visit(row of the result, row of the argument).
  template <std::size_t kWords, class F>
  void combine(BitMatrix& result, const BitMatrix& arg, F&& visit);

  const Events& events_;
  EventSet among_, left_;
  std::vector<std::uint64_t> row_;
  std::vector<Node> nodes_;
  std::map<TermNode, Term> known_;
  std::vector<Check> axioms_;
  std::uint64_t version_ = 0;
};

}  // namespace heddle::relations
