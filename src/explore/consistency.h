// Consistency: views when an event is added, and the search for forbidden cycles.
//
// Views. Happens-before is kept as vector clocks, filled in once, when an event gets its place (views.h).
//
// Cycles. Each remaining axiom forbids cycles that spell a word of its automaton, so a violation is a cycle in
// the product of graph and automaton that takes a wrap transition (thesis section 4.2). The graph was consistent
// before the last addition, so a new cycle passes through a new event; it may do so in any state of the
// automaton, and the search starts there in every state. Violations are strongly connected components of the
// product with a wrap inside (Tarjan); nothing less will do where an automaton has loops of its own.
//
// Most searches do without the automaton (order_search.h). Every edge that a model speaks of is a path of po, rf, co and
// rb; if one cannot come back to the new event along these, there is no cycle at all. And if one can, along program order
// and edges between accesses of which the axiom forbids every cycle, seq_cst ones in RC11 (model::CycleAxiom::strict),
// that is a forbidden one. Where an axiom forbids them all there is no search but a clock (total_order.h).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "explore/thread_causality.h"
#include "explore/total_order.h"
#include "explore/views.h"
#include "graph/graph.h"
#include "model/compile.h"

namespace heddle::explore {

// The search for one axiom's cycles. Axioms of built-in models have generated ones (model/generate.h); this is the
// interface that those and the interpreter of automata share.
class CycleSearch {
 public:
  virtual ~CycleSearch() = default;
  // Is there a forbidden cycle through one of these events?
  virtual bool findsCycle(const Graph& graph, std::span<const EventId> through) = 0;
};

std::unique_ptr<CycleSearch> interpretAxiom(const model::CycleAxiom& axiom, const ProgramClasses& classes);

// The search that was generated for an axiom, if some built-in model has the same, and for programs of a profile
// (model::generatedProfiles); or nullptr.
std::unique_ptr<CycleSearch> generatedSearch(std::size_t profile, const model::CycleAxiom& axiom,
                                             const ProgramClasses& classes);

// Is this axiom acyclic (po | rf | co | rb), whatever the events?
bool isTotalOrder(const model::Automaton& automaton, ClassSet classes);

class Consistency {
 public:
  // `races`: the happens-before that races are judged by is needed as well. `tracksCo`: the graph's coherence order only ever grows (co
  // equivalence).
  Consistency(const model::CompiledModel& model, const Program& program, bool races, bool tracksCo)
      : Consistency(model, ProgramClasses(classesOf(program)), program.threadCount(), races, tracksCo) {}

  const ModelViews& views() const { return views_; }

  void computeViews(Graph& graph, EventId id) {
    if (computesViews_) views_.compute(graph, id);
    if (causality_) causality_->compute(graph, id);
    if (order_ && graph[id].location == 0) order_->compute(graph, id);
  }

  // Is there anything that views alone do not keep?
  bool checks() const { return checks_; }
  // These events were added in the maximal way, so the axioms still hold.
  void addedMaximally(std::span<const EventId> added) {
    if (order_) order_->addedMaximally(added);
  }
  // The write of a read-modify-write was rolled back, and with it what may have been added in the same step: its read,
  // and the write that the read was revisited by. Those stay.
  void readStays(const Graph& graph, EventId read) {
    if (order_) order_->stays(graph, read);
  }
  // A read has its old place again, after a revisit.
  void putBack(Graph& graph, EventId read) {
    computeViews(graph, read);
    if (order_) order_->compute(graph, read);
  }
  // An event is about to be added after this one, and `holds` may be asked about it.
  void prepare(Graph& graph, EventId previous) {
    if (order_) order_->prepare(graph, previous);
  }
  // Do the axioms that views do not keep hold, if they did before these events were added in this order?
  bool holds(Graph& graph, std::span<const EventId> added);
  bool holds(Graph& graph, EventId added) {
    if constexpr (kChecksOrder) return holds(graph, std::span(&added, 1));
    if (order_ && !order_->admit(graph, added)) return false;
    return searches_.empty() || findsNone(graph, std::span(&added, 1));
  }
  // The same for a graph of which nothing is known.
  bool holdsEverywhere(Graph& graph);

  // Another event is about to be added; or events are about to be deleted. What that changes is undone by rolling back to a mark made
  // before.
  void settle(Graph& graph) {
    if (order_) order_->settle(graph);
  }
  void settleAll(Graph& graph) {
    if (order_) order_->settleAll(graph);
  }
  using Mark = TotalOrder::Mark;
  Mark mark() const { return order_ ? order_->mark() : 0; }
  void rollBack(Graph& graph, Mark mark) {
    if (order_) order_->rollBack(graph, mark);
  }

 private:
  Consistency(const model::CompiledModel& model, const ProgramClasses& classes, unsigned threads, bool races, bool tracksCo);

  // In builds that check invariants the clocks of the total order are held against a search.
#ifdef HEDDLE_INVARIANTS
  static constexpr bool kChecksOrder = true;
#else
  static constexpr bool kChecksOrder = false;
#endif
  bool findsNone(const Graph& graph, std::span<const EventId> added) const;

  ModelViews views_;
  std::optional<ThreadCausality> causality_;  // if the model has dependencies
  std::optional<TotalOrder> order_;
  std::vector<std::unique_ptr<CycleSearch>> searches_;
  std::vector<EventId> everywhere_;
  bool computesViews_, checks_;
};

}  // namespace heddle::explore
