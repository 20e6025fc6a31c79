// Small execution graphs, and what a relation means in one: the plain semantics that proofs are about.
//
// A refutation is such a graph in which the claim was evaluated and found false, so nothing that a proof attempt got
// wrong can make one. Relations are rows of bits and every operator is its definition.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/ast.h"
#include "prove/alphabet.h"

namespace heddle::prove {

inline constexpr unsigned kMostEvents = 32;

struct GraphEvent {
  unsigned cell = 0;  // what it is: class, inserted, declared sets (alphabet.h)
  int thread = -1;    // -1: an initial write
  int location = -1;  // -1: no access
  EventClass eventClass() const { return static_cast<EventClass>(classOfCell(cell)); }
  bool isRead() const { return contains(classes::kRead, eventClass()); }
  bool isWrite() const { return contains(classes::kWrite, eventClass()); }
  bool isInitial() const { return contains(classes::kInitial, eventClass()); }
};

class Relation {
 public:
  explicit Relation(unsigned size = 0) : rows_(size, 0) {}
  unsigned size() const { return static_cast<unsigned>(rows_.size()); }
  bool has(unsigned a, unsigned b) const { return (rows_[a] >> b & 1) != 0; }
  void add(unsigned a, unsigned b) { rows_[a] |= std::uint64_t{1} << b; }
  std::uint64_t& row(unsigned a) { return rows_[a]; }
  std::uint64_t row(unsigned a) const { return rows_[a]; }
  bool operator==(const Relation&) const = default;

  Relation then(const Relation& other) const;
  Relation plus() const;
  Relation inverse() const;
  bool isEmpty() const;
  bool isIrreflexive() const;

 private:
  std::vector<std::uint64_t> rows_;
};

struct Graph {
  std::vector<GraphEvent> events;
  Relation po, rf, co, rmw, addr, data, ctrl;
  std::vector<Relation> declared;

  unsigned size() const { return static_cast<unsigned>(events.size()); }
  Relation rb() const { return rf.inverse().then(co); }
};

// How a model looks at a graph. A mapping gives the machine's model other classes for the events, and hides events from
// either side.
struct View {
  std::vector<std::string> sets;       // declared, by index
  std::vector<std::string> relations;  // declared, by index
  std::vector<int> classes;            // of each event class, for this model; -1: the event does not exist for it
  bool inserted = true;                // does this model see inserted fences?

  static View plain(std::vector<std::string> sets, std::vector<std::string> relations);
  bool sees(const GraphEvent& event) const;
};

// The value of a relation, restricted to the events the view sees.
Relation evaluate(const model::Expr& relation, const Graph& graph, const View& view);
std::uint64_t evaluateSet(const model::Expr& set, const Graph& graph, const View& view);

bool holds(const model::Axiom& axiom, const Graph& graph, const View& view);

}  // namespace heddle::prove
