// A model's axioms and flags evaluated over an execution, by their definitions.
//
// Every expression of the model, each once however often it is used, is a node whose value is kept until what it depends on
// changes: the events, reads-from, or coherence. A `let rec` is computed from nothing, its definitions one after the other and
// again until none changes: the least solution where they only add. Where they also take away (`\`, `~`), that order is the
// meaning, as it is in the field's tools.
//
// Relations::Evaluator is for graphs under construction and for models without sets of tags, `domain` and recursion.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "enumerate/execution.h"
#include "model/ast.h"

namespace heddle::enumerate {

// What a value depends on: each on those before it, too.
enum class Level : std::uint8_t { events, readsFrom, coherence };

class Evaluator {
 public:
  // The execution is looked at whenever something is asked. Throws CatError for a model that says what cannot be evaluated.
  Evaluator(const model::Model& model, const Execution& execution);

  // This has changed, and what depends on it.
  void change(Level level) {
    for (std::size_t l = static_cast<std::size_t>(level); l < 3; ++l) changed_[l] = ++clock_;
  }

  bool axiomsHold();
  bool axiomHolds(std::size_t axiom) { return holds(axioms_[axiom]); }
  // The same of an execution that is still to get more rf and co: those axioms that can then only get worse.
  bool growingAxiomsHold();
  std::size_t flags() const { return flags_.size(); }
  bool isRaised(std::size_t flag) { return holds(flags_[flag]); }
  // Another relation of the model: of which to ask for the pairs. Throws CatError.
  std::size_t addRelation(const model::ExprPtr& relation) {
    asked_.push_back(add(relation));
    return asked_.size() - 1;
  }
  const relations::BitMatrix& pairs(std::size_t relation) { return value(asked_[relation]).matrix; }
  // The pairs that a flag is about.
  const relations::BitMatrix& pairsOf(std::size_t flag) { return value(flags_[flag].node).matrix; }

 private:
  using Node = std::uint32_t;

  // A matrix for a relation; for a set its members.
  struct Term {
    model::ExprKind kind = model::ExprKind::empty;
    bool isSet = false;
    Level level = Level::events;
    bool grows = true;  // with rf and co
    model::BaseRelation base = model::BaseRelation::id;
    bool valuesDiffer = false;  // base: the relation between events of different values
    bool isTag = false;         // base: a set of tags, or of classes
    EventTags tags = 0;
    ClassSet classes;
    std::vector<Node> args;
    std::uint32_t group = 0, index = 0;  // recursion
    std::uint64_t groups = 0;            // whose variables it has in it
    std::uint64_t computed = 0;          // when
    relations::BitMatrix matrix;
    relations::EventSet members;
  };
  struct Group {
    std::vector<Node> variables, definitions;
    Level level = Level::events;
    std::uint64_t outer = 0;  // groups whose variables its definitions have
    std::uint64_t changed = 0, computed = 0;
  };
  struct Check {
    model::AxiomKind kind;
    Node node;
    bool negated;
  };

  Node add(const model::ExprPtr& expr);
  void addBase(Term& term, const model::Expr& expr);
  std::uint32_t addGroup(const model::Expr& expr);
  Check addCheck(const model::Axiom& axiom);
  bool holds(const Check& check);
  bool isCurrent(std::uint64_t computed, Level level, std::uint64_t groups) const;
  const Term& value(Node node);
  void compute(Term& term);
  void computeBase(Term& term);
  void computeSet(Term& term);
  void computeRelation(Term& term);
  void computeSequence(Term& term);
  void solve(Group& group);

  const Execution& execution_;
  std::vector<Term> terms_;
  std::vector<Group> groups_;
  std::unordered_map<const model::Expr*, Node> known_;
  std::vector<model::ExprPtr> kept_;  // so that addresses stay theirs
  std::unordered_map<std::string, std::uint32_t> groupOf_;
  std::vector<Check> axioms_, flags_;
  std::vector<Node> asked_;
  std::uint64_t changed_[3] = {};
  std::uint64_t clock_ = 0;
};

}  // namespace heddle::enumerate
