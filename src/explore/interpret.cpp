// The interpreter of automata: a CycleSearch for any axiom, built when a model is loaded.

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_map>

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

// Is this program order, between all events that it has? It has those of a program, or of a part of one.
bool isProgramOrder(const Automaton& relation) {
  ClassSet classes;
  for (const auto& transitions : relation.transitions) {
    for (const model::Transition& t : transitions) classes |= t.guard;
  }
  for (const ClassSet accept : relation.accept) classes |= accept;
  const Automaton order = restrictTo(toAutomaton(model::plus(model::letter(Letter::po))), classes);
  return included(order, relation) && included(relation, order);
}

// Program order between accesses of one location, which is most of what is filtered: along the threads, without an automaton. What
// is reached is known by its first event in each thread, as in order_search.h.
class LocationOrder {
 public:
  // `within`: the part of the graph that is of interest. Whatever lies between two of its events is in it, too.
  template <class Visit>
  void follow(const Graph& graph, EventId from, const OrderSearch* within, const Visit& visit) {
    const LocationId location = graph[from].location;
    if (location == 0) return;
    std::fill_n(first_.begin(), graph.threads(), kNever);
    const auto reach = [&](EventId next) {
      const Event& event = graph[next];
      Lane& first = first_[event.thread];
      if (event.index >= first) return;
      work_.push_back({next, first});
      first = event.index;
    };
    work_.clear();
    edges::po(graph, from, reach);
    while (!work_.empty()) {
      const Stretch stretch = work_.back();
      work_.pop_back();
      EventId id = stretch.from;
      do {
        const Event& event = graph[id];
        if (within && !within->isInComponent(event)) break;
        if (event.location == location) visit(id);
        if (event.poNext == kNone || event.rmw || event.kind == EventKind::thread) edges::po(graph, id, reach);
        id = event.poNext;
      } while (id != kNone && graph[id].index < stretch.end);
    }
  }

 private:
  struct Stretch {
    EventId from;
    Lane end;  // the index, in its thread, of the event where it ends
  };
  std::array<Lane, Graph::kMaxThreads> first_;
  std::vector<Stretch> work_;
};

class AutomatonEdges {
 public:
  AutomatonEdges(const Automaton& automaton, const ProgramClasses& classes) {
    for (const auto& transitions : automaton.transitions) {
      ClassMask leaving = 0;
      std::vector<ClassMask> guards;
      for (const auto& t : transitions) leaving |= guards.emplace_back(classes.mask(t.guard));
      for (unsigned cls = 0; cls < kNumbers; ++cls) {
        begin_.push_back(static_cast<std::uint32_t>(steps_.size()));
        if ((leaving >> cls & 1) == 0) continue;
        for (std::size_t i = 0; i < guards.size(); ++i) {
          const model::Transition& t = transitions[i];
          if ((guards[i] >> cls & 1) != 0) steps_.push_back({t.letter, t.filtered, t.wrap, t.to});
        }
      }
    }
    begin_.push_back(static_cast<std::uint32_t>(steps_.size()));
    for (const ClassSet accept : automaton.accept) accept_.push_back(classes.mask(accept));
    for (const auto& f : automaton.filtered) filtered_.push_back(std::make_unique<Filtered>(*f.relation, classes, f.filter));
  }

  unsigned states() const { return static_cast<unsigned>(accept_.size()); }
  bool accepts(unsigned state, EventClass cls) const { return contains(accept_[state], cls); }

  void successors(const Graph& graph, EventId id, unsigned state, ProductEdges& steps) const {
    const std::uint32_t* const begin = begin_.data() + state * kNumbers + graph[id].cls;
    for (const Step& t : std::span(steps_).subspan(begin[0], begin[1] - begin[0])) {
      if (t.letter == Letter::filtered) {
        filtered_[t.filtered]->follow(graph, id, nullptr, [&](EventId next) { steps.add(next, t.to, t.wrap); });
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
  static constexpr unsigned kNumbers = 64;  // of classes

  struct Step {  // model::Transition
    Letter letter;
    std::uint8_t filtered;
    bool wrap;
    std::uint16_t to;
  };
  struct Filtered {
    Filtered(const Automaton& relation, const ProgramClasses& classes, model::Filter which)
        : edges(std::make_unique<AutomatonEdges>(relation, classes)), filter(which) {
      if (which == model::Filter::sameLocation && isProgramOrder(relation)) order.emplace();
    }
    // `visit` must not follow the same letter.
    template <class Visit>
    void follow(const Graph& graph, EventId from, const OrderSearch* within, const Visit& visit) {
      if (order) return order->follow(graph, from, within, visit);
      search.follow(graph, *edges, filter, from, within, visit);
    }

    std::unique_ptr<AutomatonEdges> edges;
    model::Filter filter;
    std::optional<LocationOrder> order;  // instead of these
    FilteredSearch<AutomatonEdges> search;
  };

  std::vector<Step> steps_;           // by state, and by the class of the event that is left
  std::vector<std::uint32_t> begin_;  // the first of each
  std::vector<ClassMask> accept_;     // by state
  std::vector<std::unique_ptr<Filtered>> filtered_;
};

// The search through one event, for graphs in which cycles through it have events of some classes only. By sets of states, if there
// are many: with few of them the product has less to be looked up, unless a search begins in each state anew, for single words.
class PartSearch {
 public:
  PartSearch(const model::CycleAxiom& axiom, const ProgramClasses& classes) : edges_(axiom.automaton, classes) {
    const bool isLarge = axiom.automaton.states() > kFewStates;
    if (isLarge || axiom.automaton.form == model::Form::singleCycles) sets_.emplace(axiom.automaton, classes);
  }

  bool findsCycleThrough(const Graph& graph, EventId id, const OrderSearch& within) {
    if (sets_) {
      return sets_->returns(graph, id, within,
                            [&](const Graph&, Letter letter, std::uint8_t filtered, EventId from, const auto& visit) {
                              edges_.follow(graph, letter, filtered, from, within, visit);
                            });
    }
    return components_.findsCycle(graph, edges_, std::span(&id, 1), &within);
  }

 private:
  static constexpr std::size_t kFewStates = 32;

  AutomatonEdges edges_;
  std::optional<StateSetSearch> sets_;
  ComponentSearch<AutomatonEdges> components_;
};

// The events that cycles can be made of are often of few classes: without a seq_cst fence among them most of what a model says is
// empty. So there is an automaton for each set of classes that comes up; classes that the axiom does not tell apart are one.
class InterpretedSearch final : public ProductSearch<AutomatonEdges> {
 public:
  InterpretedSearch(const model::CycleAxiom& axiom, const ProgramClasses& classes)
      : ProductSearch(AutomatonEdges(axiom.automaton, classes), axiom, classes), axiom_(axiom), classes_(classes) {
    std::map<std::vector<bool>, ClassMask> alike;
    for (unsigned cls = 0; cls < kMostClasses; ++cls) {
      const auto eventClass = static_cast<EventClass>(cls);
      if (!heddle::contains(classes.set(), eventClass)) continue;
      const EventClass number = classes.number(eventClass);
      std::vector<bool> roles;
      addRoles(axiom.automaton, eventClass, roles);
      ClassMask& group = alike[roles];
      group |= ClassMask{1} << number;
      byNumber_[number] = ClassSet::of(cls);
    }
    for (const auto& [roles, group] : alike) groups_.push_back(group);
  }

 protected:
  bool findsCycleThrough(const Graph& graph, EventId id, const OrderSearch& within) override {
    PartSearch* const part = partFor(within.componentClasses(graph));
    return part && part->findsCycleThrough(graph, id, within);
  }

 private:
  // Where events of a class are, or are not.
  static void addRoles(const Automaton& automaton, EventClass cls, std::vector<bool>& roles) {
    for (const auto& transitions : automaton.transitions) {
      for (const model::Transition& t : transitions) roles.push_back(heddle::contains(t.guard, cls));
    }
    for (const ClassSet accept : automaton.accept) roles.push_back(heddle::contains(accept, cls));
    for (const model::FilteredRelation& f : automaton.filtered) addRoles(*f.relation, cls, roles);
  }

  // nullptr if events of these classes cannot break the axiom.
  PartSearch* partFor(ClassMask present) {
    if (present == lastPresent_) return lastPart_;
    lastPresent_ = present;
    ClassMask key = 0;
    for (const ClassMask group : groups_) {
      if ((group & present) != 0) key |= group;
    }
    const auto [place, isNew] = parts_.try_emplace(key);
    if (isNew) {
      ClassSet among;
      for (unsigned number = 0; number < byNumber_.size(); ++number) {
        if ((key >> number & 1) != 0) among |= byNumber_[number];
      }
      if (const auto restricted = restrictedTo(axiom_, among)) {
        place->second = std::make_unique<PartSearch>(*restricted, classes_);
      }
    }
    return lastPart_ = place->second.get();
  }

  model::CycleAxiom axiom_;
  ProgramClasses classes_;
  std::array<ClassSet, 64> byNumber_;
  std::vector<ClassMask> groups_;
  std::unordered_map<ClassMask, std::unique_ptr<PartSearch>> parts_;
  ClassMask lastPresent_ = 0;
  PartSearch* lastPart_ = nullptr;
};

}  // namespace

std::unique_ptr<CycleSearch> interpretAxiom(const model::CycleAxiom& axiom, const ProgramClasses& classes) {
  return std::make_unique<InterpretedSearch>(axiom, classes);
}

}  // namespace heddle::explore
