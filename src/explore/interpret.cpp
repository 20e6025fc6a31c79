// The interpreter of automata: a CycleSearch for any axiom, built when a model is loaded.

#include "explore/cycle_search.h"
#include "explore/state_set_search.h"

namespace heddle::explore {

void ProductEdges::grow() { steps_.resize(steps_.empty() ? 256 : 2 * steps_.size()); }

namespace {

using model::Automaton;
using model::Letter;

template <class F>
void followLetter(const Graph& graph, Letter letter, EventId id, F&& visit) {
  switch (letter) {
#define LETTER(name, ...) \
  case Letter::name: edges::name(graph, id, visit); break;
#include "model/base_names.def"
    case Letter::filtered: break;
  }
}

class AutomatonEdges {
 public:
  AutomatonEdges(const Automaton& automaton, const ProgramClasses& classes) {
    for (const auto& transitions : automaton.transitions) {
      auto& steps = steps_.emplace_back();
      for (const auto& t : transitions) steps.push_back({classes.mask(t.guard), t.letter, t.filtered, t.wrap, t.to});
    }
    for (const ClassSet accept : automaton.accept) accept_.push_back(classes.mask(accept));
    for (const auto& f : automaton.filtered) filtered_.push_back(std::make_unique<Filtered>(*f.relation, classes, f.filter));
  }

  unsigned states() const { return static_cast<unsigned>(steps_.size()); }
  bool accepts(unsigned state, EventClass cls) const { return contains(accept_[state], cls); }

  void successors(const Graph& graph, EventId id, unsigned state, ProductEdges& steps) const {
    const EventClass cls = graph[id].cls;
    for (const Step& t : steps_[state]) {
      if (!contains(t.guard, cls)) continue;
      if (t.letter == Letter::filtered) {
        for (const EventId next : filtered_[t.filtered]->follow(graph, id)) steps.add(next, t.to, t.wrap);
      } else {
        followLetter(graph, t.letter, id, [&](EventId next) { steps.add(next, t.to, t.wrap); });
      }
    }
  }

  // Steps along a letter, to what is in `within`.
  template <class Visit>
  void follow(const Graph& graph, Letter letter, std::uint8_t filtered, EventId id, const OrderSearch& within,
              const Visit& visit) const {
    if (letter != Letter::filtered) return followLetter(graph, letter, id, visit);
    filtered_[filtered]->follow(graph, id, &within, visit);
  }

 private:
  struct Step {  // model::Transition
    ClassMask guard;
    Letter letter;
    std::uint8_t filtered;
    bool wrap;
    std::uint16_t to;
  };
  struct Filtered {
    Filtered(const Automaton& relation, const ProgramClasses& classes, model::Filter which)
        : edges(std::make_unique<AutomatonEdges>(relation, classes)), filter(which) {}
    std::vector<EventId> follow(const Graph& graph, EventId from) { return search.follow(graph, *edges, filter, from); }
    template <class Visit>
    void follow(const Graph& graph, EventId from, const OrderSearch* within, const Visit& visit) {
      search.follow(graph, *edges, filter, from, within, visit);
    }

    std::unique_ptr<AutomatonEdges> edges;
    model::Filter filter;
    FilteredSearch<AutomatonEdges> search;
  };

  std::vector<std::vector<Step>> steps_;  // by state
  std::vector<ClassMask> accept_;         // by state
  std::vector<std::unique_ptr<Filtered>> filtered_;
};

// Through one event by sets of states, if there are many: with few of them the product has less to be looked up.
class InterpretedSearch final : public ProductSearch<AutomatonEdges> {
 public:
  InterpretedSearch(const model::CycleAxiom& axiom, const ProgramClasses& classes)
      : ProductSearch(AutomatonEdges(axiom.automaton, classes), axiom, classes),
        isLarge_(axiom.automaton.states() > kFewStates),
        sets_(axiom.automaton, classes) {}

 protected:
  bool findsCycleThrough(const Graph& graph, EventId id, const OrderSearch& within) override {
    if (!isLarge_) return ProductSearch::findsCycleThrough(graph, id, within);
    return sets_.returns(graph, id, within,
                         [&](const Graph&, Letter letter, std::uint8_t filtered, EventId from, const auto& visit) {
                           edges().follow(graph, letter, filtered, from, within, visit);
                         });
  }

 private:
  static constexpr std::size_t kFewStates = 32;

  bool isLarge_;
  StateSetSearch sets_;
};

}  // namespace

std::unique_ptr<CycleSearch> interpretAxiom(const model::CycleAxiom& axiom, const ProgramClasses& classes) {
  return std::make_unique<InterpretedSearch>(axiom, classes);
}

}  // namespace heddle::explore
