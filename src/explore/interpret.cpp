// The interpreter of automata: a CycleSearch for any axiom, built when a model is loaded.

#include "explore/cycle_search.h"

namespace heddle::explore {

void ProductEdges::grow() { steps_.resize(steps_.empty() ? 256 : 2 * steps_.size()); }

namespace {

using model::Automaton;
using model::Letter;
using model::Transition;

template <class F>
void followLetter(const Graph& graph, Letter letter, EventId id, F&& visit) {
  switch (letter) {
    case Letter::po: edges::po(graph, id, visit); break;
    case Letter::poi: edges::poi(graph, id, visit); break;
    case Letter::rf: edges::rf(graph, id, visit); break;
    case Letter::rfe: edges::rfe(graph, id, visit); break;
    case Letter::rfi: edges::rfi(graph, id, visit); break;
    case Letter::co: edges::co(graph, id, visit); break;
    case Letter::rb: edges::rb(graph, id, visit); break;
    case Letter::rmw: edges::rmw(graph, id, visit); break;
    case Letter::filtered: break;
  }
}

class AutomatonEdges {
 public:
  explicit AutomatonEdges(const Automaton& automaton) : automaton_(automaton) {
    for (const auto& f : automaton.filtered) filtered_.push_back(std::make_unique<Filtered>(*f.relation, f.filter));
  }

  unsigned states() const { return static_cast<unsigned>(automaton_.states()); }
  bool accepts(unsigned state, EventClass cls) const { return contains(automaton_.accept[state], cls); }

  void successors(const Graph& graph, EventId id, unsigned state, ProductEdges& steps) const {
    const EventClass cls = graph[id].cls;
    for (const Transition& t : automaton_.transitions[state]) {
      if (!contains(t.guard, cls)) continue;
      if (t.letter == Letter::filtered) {
        for (const EventId next : filtered_[t.filtered]->follow(graph, id)) steps.add(next, t.to, t.wrap);
      } else {
        followLetter(graph, t.letter, id, [&](EventId next) { steps.add(next, t.to, t.wrap); });
      }
    }
  }

 private:
  struct Filtered {
    Filtered(const Automaton& relation, model::Filter which)
        : edges(std::make_unique<AutomatonEdges>(relation)), filter(which) {}
    std::vector<EventId> follow(const Graph& graph, EventId from) { return search.follow(graph, *edges, filter, from); }

    std::unique_ptr<AutomatonEdges> edges;
    model::Filter filter;
    FilteredSearch<AutomatonEdges> search;
  };

  Automaton automaton_;
  std::vector<std::unique_ptr<Filtered>> filtered_;
};

}  // namespace

std::unique_ptr<CycleSearch> interpretAxiom(const model::CycleAxiom& axiom) {
  return std::make_unique<ProductSearch<AutomatonEdges>>(AutomatonEdges(axiom.automaton), axiom.automaton.form, axiom.strict);
}

}  // namespace heddle::explore
