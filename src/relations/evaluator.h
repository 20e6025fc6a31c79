// The relations of a model over the events of one graph, evaluated by their definition.
//
// Equal expressions are one term, over all axioms, and the value of a term is kept until what it depends on changes: the events
// with their program order and dependencies, or who reads from whom, or the coherence order. So what is tried out, one write
// after the other for a read, costs what depends on it.
//
// Initial writes are left out: nothing precedes them in any relation, so no cycle contains them.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "model/ast.h"
#include "model/base_relations.h"
#include "model/event_class.h"
#include "relations/bit_matrix.h"

namespace heddle::relations {

// What the relations are about.
class Events {
 public:
  virtual std::size_t count() const = 0;
  virtual EventClass classOf(std::size_t event) const = 0;
  // `result` has the size of the graph and is empty.
  virtual void fill(model::BaseRelation relation, BitMatrix& result) const = 0;

 protected:
  ~Events() = default;
};

// What a value depends on: each on those before it, too.
enum class Level : std::uint8_t { events, readsFrom, coherence };
inline constexpr std::size_t kLevels = 3;

class Evaluator {
 public:
  using Term = std::uint32_t;

  explicit Evaluator(const Events& events) : events_(events) {}

  Term add(const model::Expr& expr);
  void addAxiom(const model::Axiom& axiom) { axioms_.push_back({axiom.kind, add(*axiom.expr)}); }

  // This has changed, and what depends on it.
  void change(Level level) {
    for (std::size_t l = static_cast<std::size_t>(level); l < kLevels; ++l) versions_[l] = ++changes_;
  }

  const BitMatrix& value(Term term);
  bool axiomsHold();

 private:
  struct Node {
    model::ExprKind kind = model::ExprKind::empty;
    Level level = Level::events;
    model::BaseRelation base = model::BaseRelation::id;
    ClassSet set, otherSet;  // bracket, product
    std::vector<Term> args;
    std::uint64_t version = 0;
    BitMatrix matrix;
    EventSet members;  // bracket
  };
  struct Check {
    model::AxiomKind kind;
    Term term;
  };

  void evaluate(Node& node);
  void evaluateSequence(Node& node);
  const EventSet& members(Term bracket);
  void fillMembers(ClassSet set, EventSet& result) const;

  const Events& events_;
  std::vector<Node> nodes_;
  std::map<std::string, Term> known_;
  std::vector<Check> axioms_;
  std::array<std::uint64_t, kLevels> versions_{};
  std::uint64_t changes_ = 0;
};

}  // namespace heddle::relations
