#include "explore/consistency.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "model/generate.h"

namespace heddle::explore {

using model::Letter;

bool isTotalOrder(const model::Automaton& automaton, ClassSet classes) {
  if (automaton.form != model::Form::cycles || automaton.states() != 1) return false;
  std::set<Letter> letters;
  for (const model::Transition& t : automaton.transitions[0]) {
    if (!t.wrap || (t.guard & classes) != (infoOf(t.letter).domain & classes)) return false;
    letters.insert(t.letter);
  }
  return letters == std::set<Letter>{Letter::po, Letter::rf, Letter::co, Letter::rb};
}

Consistency::Consistency(const model::CompiledModel& model, const ProgramClasses& classes, unsigned threads, bool races,
                         bool tracksCo)
    : views_(model, classes, threads, races) {
  if (model.hasDependencies)
    causality_.emplace(mergeSameWords(restrictTo(*model.pathsInThread, classes.set())), classes, model.controlEnds);
  for (const model::CycleAxiom& axiom : cycleAxioms(model, classes.set())) {
    if (tracksCo && !order_ && isTotalOrder(axiom.automaton, classes.set())) {
      order_.emplace(views_.addOne(), threads);
      if (!kChecksOrder) continue;
    }
    std::unique_ptr<CycleSearch> search;
    if (!model.interpreted) {
      const auto& profiles = model::generatedProfiles();
      std::size_t profile = 0;
      while (profile < profiles.size() && !(classes.set() & ~profiles[profile]).empty()) ++profile;
      search = generatedSearch(profile, axiom, classes);
    }
    searches_.push_back(search ? std::move(search) : interpretAxiom(axiom, classes));
  }
  computesViews_ = views_.areComputed();
  checks_ = order_ || !searches_.empty();
}

bool Consistency::holds(Graph& graph, std::span<const EventId> added) {
  const bool ordered = !order_ || order_->admit(graph, added);
  if (!kChecksOrder) return ordered && findsNone(graph, added);
  const bool none = findsNone(graph, added);
  if (order_ && !ordered && none) throw std::logic_error("the clocks of the total order find a cycle where there is none");
  if (order_ && ordered && !none && searches_.size() == 1) throw std::logic_error("the clocks of the total order miss a cycle");
  return ordered && none;
}

bool Consistency::findsNone(const Graph& graph, std::span<const EventId> added) const {
  return std::ranges::none_of(searches_, [&](const auto& search) { return search->findsCycle(graph, added); });
}

bool Consistency::holdsEverywhere(Graph& graph) {
  if (searches_.empty()) return true;
  everywhere_.clear();
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) everywhere_.push_back(id);
  return holds(graph, everywhere_);
}

}  // namespace heddle::explore
