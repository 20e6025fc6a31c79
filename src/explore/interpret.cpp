// The interpreter of automata: a CycleSearch for any axiom, built when a model is loaded.

#include <array>
#include <set>

#include "explore/cycle_search.h"

namespace heddle {

namespace {

using model::Automaton;
using model::Filter;
using model::Form;
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

bool passes(const Graph& graph, Filter filter, EventId from, EventId to) {
  const Event &a = graph[from], &b = graph[to];
  const bool sameLocation = a.location != 0 && a.location == b.location;
  const bool sameThread = !isInitial(from) && !isInitial(to) && a.thread == b.thread;
  switch (filter) {
    case Filter::sameLocation: return sameLocation;
    case Filter::otherLocation: return !sameLocation;
    case Filter::sameThread: return sameThread;
    case Filter::otherThread: return !sameThread;
  }
  return false;
}

// The edges of an automaton's product with the graph. Filtered letters run a search of their own, from one event
// over the automaton of the relation they filter.
class AutomatonEdges {
 public:
  explicit AutomatonEdges(const Automaton& automaton) : automaton_(automaton) {
    for (const auto& f : automaton.filtered) filtered_.push_back(std::make_unique<Filtered>(*f.relation, f.filter));
  }

  unsigned states() const { return static_cast<unsigned>(automaton_.states()); }

  template <class F>
  void successors(const Graph& graph, EventId id, unsigned state, F visit) const {
    const EventClass cls = graph[id].cls;
    for (const Transition& t : automaton_.transitions[state]) {
      if (!contains(t.guard, cls)) continue;
      if (t.letter == Letter::filtered) {
        for (const EventId next : filtered_[t.filtered]->follow(graph, id)) visit(next, t.to, t.wrap);
      } else {
        followLetter(graph, t.letter, id, [&](EventId next) { visit(next, t.to, t.wrap); });
      }
    }
  }

  const Automaton& automaton() const { return automaton_; }

 private:
  struct Filtered {
    Filtered(const Automaton& relation, Filter which)
        : edges(std::make_unique<AutomatonEdges>(relation)), filter(which) {}

    // Returned by value: the filtered relation may be in use at several places of one search.
    std::vector<EventId> follow(const Graph& graph, EventId from);

    std::unique_ptr<AutomatonEdges> edges;
    Filter filter;
    Marks marks, reported;
  };

  Automaton automaton_;
  std::vector<std::unique_ptr<Filtered>> filtered_;
};

std::vector<EventId> AutomatonEdges::Filtered::follow(const Graph& graph, EventId from) {
  const unsigned states = edges->states();
  marks.begin(std::size_t{graph.top() - kFirstEvent} * states);
  reported.begin(graph.top() - kFirstEvent);
  std::vector<std::pair<EventId, unsigned>> work;
  std::vector<EventId> found;
  const auto reach = [&](EventId next, unsigned state, bool) {
    if (!marks.insert(std::size_t{next - kFirstEvent} * states + state)) return;
    work.emplace_back(next, state);
    if (contains(edges->automaton().accept[state], graph[next].cls) && passes(graph, filter, from, next) &&
        reported.insert(next - kFirstEvent)) {
      found.push_back(next);
    }
  };
  edges->successors(graph, from, 0, reach);
  while (!work.empty()) {
    const auto [id, state] = work.back();
    work.pop_back();
    edges->successors(graph, id, state, reach);
  }
  return found;
}

void collectLetters(const Automaton& automaton, std::set<Letter>& letters) {
  for (const auto& transitions : automaton.transitions) {
    for (const Transition& t : transitions) {
      if (t.letter == Letter::filtered) {
        collectLetters(*automaton.filtered[t.filtered].relation, letters);
      } else {
        letters.insert(t.letter);
      }
    }
  }
}

// Every edge that some transition uses, whatever the state and the class.
class CoarseEdges {
 public:
  explicit CoarseEdges(const Automaton& automaton) {
    std::set<Letter> letters;
    collectLetters(automaton, letters);
    if (letters.count(Letter::rf)) {
      letters.erase(Letter::rfe);
      letters.erase(Letter::rfi);
    }
    if (letters.count(Letter::po)) {
      letters.erase(Letter::poi);
      letters.erase(Letter::rmw);
    }
    letters_.assign(letters.begin(), letters.end());
  }

  template <class F>
  void successors(const Graph& graph, EventId id, unsigned, F visit) const {
    for (const Letter letter : letters_) {
      followLetter(graph, letter, id, [&](EventId next) { visit(next, 0, true); });
    }
  }

 private:
  std::vector<Letter> letters_;
};

class InterpretedSearch final : public CycleSearch {
 public:
  explicit InterpretedSearch(const Automaton& automaton) : edges_(automaton), coarse_(automaton) {
    allWrap_ = automaton.states() == 1;
    for (const Transition& t : automaton.transitions[0]) allWrap_ &= t.wrap;
    allWrap_ &= automaton.form == Form::cycles;
  }

  bool findsCycle(const Graph& graph, std::span<const EventId> through) override {
    if (allWrap_) {  // every cycle is forbidden
      for (const EventId id : through) {
        if (returns_.returns(graph, edges_, id)) return true;
      }
      return false;
    }
    bool comesBack = false;
    for (const EventId id : through) comesBack = comesBack || coarseReturns_.returns(graph, coarse_, id);
    if (!comesBack) return false;
    return edges_.automaton().form == Form::cycles ? components_.findsCycle(graph, edges_, through)
                                                   : singleWords_.findsCycle(graph, edges_, through);
  }

 private:
  AutomatonEdges edges_;
  CoarseEdges coarse_;
  bool allWrap_;
  ReturnSearch<AutomatonEdges> returns_;
  ReturnSearch<CoarseEdges> coarseReturns_;
  ComponentSearch<AutomatonEdges> components_;
  SingleWordSearch<AutomatonEdges> singleWords_;
};

}  // namespace

std::unique_ptr<CycleSearch> interpretAutomaton(const Automaton& automaton) {
  return std::make_unique<InterpretedSearch>(automaton);
}

}  // namespace heddle
