// A candidate execution, and the evaluation of a model's axioms over it straight from their meaning.
//
// An expression of a model denotes a set of events or a relation between events; the evaluator computes
// exactly that, as bit rows, for one concrete execution. `let rec` is the least fixpoint, by iteration from
// the empty relation. There is no automaton, no view and no incremental check: this is what the explorer is
// held against, so it must be evident rather than fast.
//
// One economy is worth its lines. A candidate is chosen in three steps (the threads' runs, then rf, then co),
// and most of a model's subexpressions depend only on the first or the second. Each distinct subexpression,
// over all models, is one node with the last step it depends on, and its value is kept until that step is
// chosen anew.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/ast.h"
#include "program/operation.h"
#include "relation.h"

namespace heddle::oracle {

enum class EventKind : std::uint8_t {
  read,
  write,
  fence,
  thread,  // a spawn or a join; has no memory order
};

struct Event {
  int thread = -1;     // -1: an initial write
  unsigned index = 0;  // counts from 1 in a thread
  EventKind kind = EventKind::write;
  Order order = Order::plain;
  std::optional<MachineFence> machineFence = std::nullopt;
  bool rmw = false;          // half of a read-modify-write that took place
  bool reader = false;       // of one by which a reader takes a lock or gives it back
  unsigned transaction = 0;  // which one it is in, from 1; 0: none
  bool exclusive = false;    // a load-exclusive, or a store-exclusive that has succeeded
  Address address = 0;
  unsigned size = 1;  // bytes
  Value value = 0;

  bool isInitial() const { return thread < 0; }
  bool isAccess() const { return kind == EventKind::read || kind == EventKind::write; }
  bool isPlain() const { return isAccess() && order == Order::plain; }
  bool covers(Address byte) const { return isAccess() && address <= byte && byte < address + size; }
  // Whether two accesses have a byte in common. Where all accesses of a location have one size, this is to have the
  // same address.
  bool overlaps(const Event& other) const { return covers(other.address) || other.covers(address); }
  bool operator==(const Event&) const = default;
};

struct Execution {
  std::vector<Event> events;  // the event's place here is its number in every relation
  Relation po;
  Relation rmw;
  Relation addr, data, ctrl;  // from reads to what depends on them; only where models ask
  Relation rf;
  Relation co;
};

class Evaluator {
 public:
  using Node = std::size_t;

  explicit Evaluator(const std::vector<const model::Model*>& models = {});

  // Adds an expression and all its subexpressions; equal expressions are one node.
  Node add(const model::Expr& expr);

  // The three steps of choosing a candidate; each one drops what the later ones have set.
  void setEvents(const Execution& execution);  // and what is between them without rf and co
  void setReadsFrom(const Relation& rf);
  void setCoherence(const Relation& co);                      // rb is rf^-1 ; co
  void setCoherence(const Relation& co, const Relation& rb);  // where it is not: lifted from bytes (mixed.h)
  void setExecution(const Execution& execution);

  EventSet set(Node node);
  const Relation& relation(Node node);

  // Whether every axiom of model number `model` holds; the first form looks only at the axioms that do not
  // mention co, and so needs only the first two steps.
  bool holdsWithoutCoherence(std::size_t model);
  bool holds(std::size_t model);

  // The relation by which model number `model` judges data races, or nullptr if it does not say. Needs the first two
  // steps.
  const Relation* happensBefore(std::size_t model);

 private:
  enum Step : std::uint8_t { eventsStep, readsFromStep, coherenceStep };
  enum class Base : std::uint8_t;

  struct Term {
    model::ExprKind kind;
    model::ExprType type;
    Base base;
    std::string name;
    unsigned index = 0;
    std::vector<Node> args;
    Step step = eventsStep;
    bool open = false;  // mentions a variable of an enclosing recursion, so its value cannot be kept
    std::vector<std::string> freeNames;
    std::uint64_t version = 0;
    EventSet set = 0;
    Relation relation;
  };

  struct Check {
    model::AxiomKind kind;
    Node node;
    std::uint64_t version = 0;
    bool result = false;
  };

  struct Bound {
    std::vector<EventSet> sets;
    std::vector<Relation> relations;
  };

  const Term& evaluate(Node node);
  void compute(Term& term);
  void computeSet(Term& term);
  void computeRelation(Term& term);
  void computeRecursion(Term& term);
  EventSet baseSet(Base base) const;
  EventSet machineFences(const std::string& name) const;
  Relation baseRelation(Base base) const;
  bool check(Check& check);

  std::vector<Term> terms_;
  std::map<std::string, Node> byShape_;
  std::vector<std::vector<Check>> checks_;          // by model
  std::vector<std::optional<Node>> happensBefore_;  // by model
  std::map<std::string, Bound> bound_;              // the current values of the variables of each open recursion

  std::array<std::uint64_t, 3> versions_{};
  unsigned size_ = 0;
  std::vector<Event> events_;
  Relation po_, rmw_, addr_, data_, ctrl_, rf_, co_;
  std::optional<Relation> rb_;  // where it was given
};

}  // namespace heddle::oracle
