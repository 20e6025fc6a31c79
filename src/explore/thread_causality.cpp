#include "explore/thread_causality.h"

#include <algorithm>
#include <bit>

namespace heddle::explore {

using model::Automaton;
using model::Letter;

namespace {

// Is this po & loc, within a thread at least?
bool isWithinLocation(const model::FilteredRelation& filtered) {
  if (filtered.filter != model::Filter::sameLocation) return false;
  return included(toAutomaton(model::plus(model::letter(Letter::poi))), *filtered.relation) ||
         included(toAutomaton(model::programOrder()), *filtered.relation);
}

}  // namespace

// Edges that leave the thread are left out: then fewer reads come before a write, which is on the safe side.
ThreadCausality::ThreadCausality(const Automaton& paths, const ProgramClasses& classes)
    : states_(static_cast<unsigned>(paths.states())) {
  for (const ClassSet set : paths.accept) accept_.push_back(classes.mask(set));
  for (unsigned state = 0; state < states_; ++state) {
    for (unsigned cls = 0; cls < at_.size(); ++cls) {
      if (accept_[state] >> cls & 1) at_[cls].push_back(state);
    }
  }
  for (std::uint16_t state = 0; state < states_; ++state) {
    for (const model::Transition& t : paths.transitions[state]) {
      const auto add = [&](Steps& steps) {
        const ClassMask guard = classes.mask(t.guard);
        for (unsigned cls = 0; cls < steps.size(); ++cls) {
          if (guard >> cls & 1) steps[cls].push_back({state, t.to});
        }
      };
      switch (t.letter) {
        case Letter::po:
        case Letter::poi: add(po_); break;
        case Letter::addr: add(addr_); break;
        case Letter::data: add(data_); break;
        case Letter::ctrl: add(ctrl_); break;
        case Letter::rf:
        case Letter::rfi: add(rfi_); break;
        case Letter::rmw: add(rmw_); break;
        case Letter::filtered:
          if (!isWithinLocation(paths.filtered[t.filtered])) break;
          add(poLoc_);
          hasPoLoc_ = true;
          break;
        case Letter::rfe:
        case Letter::co:
        case Letter::rb: break;
      }
    }
  }
  findSettling(classes);
}

// The states of which each keeps, at an event of any class, a step of program order into one of them.
void ThreadCausality::findSettling(const ProgramClasses& classes) {
  const ClassMask writes = classes.mask(classes.set() & heddle::classes::kWrite & ~heddle::classes::kInitial);
  const ClassMask all = classes.mask(classes.set() & model::infoOf(Letter::po).domain);
  std::vector<bool> settles(states_);
  for (unsigned state = 0; state < states_; ++state) settles[state] = (writes & ~accept_[state]) == 0;
  const auto stays = [&](unsigned state) {
    for (unsigned cls = 0; cls < po_.size(); ++cls) {
      if ((all >> cls & 1) == 0) continue;
      const auto leads = [&](const Step& step) { return step.from == state && settles[step.to]; };
      if (std::ranges::none_of(po_[cls], leads)) return false;
    }
    return true;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned state = 0; state < states_; ++state) {
      if (!settles[state] || stays(state)) continue;
      settles[state] = false;
      changed = true;
    }
  }
  for (unsigned state = 0; state < states_; ++state) {
    if (settles[state]) settling_.push_back(state);
  }
  for (unsigned cls = 0; cls < po_.size(); ++cls) {
    const auto leads = [&](const Step& step) { return step.from == 0 && settles[step.to]; };
    if (std::ranges::any_of(po_[cls], leads)) settledAtOnce_ |= ClassMask{1} << cls;
  }
}

void ThreadCausality::makeRoom(EventId id, std::uint32_t reads) {
  if (reads > 64 * words_) {
    const std::size_t words = 2 * words_;
    std::vector<Word> wider(sets_.size() * 2, 0);
    for (std::size_t set = 0; set * words_ < sets_.size(); ++set) {
      std::copy_n(sets_.data() + set * words_, words_, wider.data() + set * words);
    }
    sets_ = std::move(wider);
    words_ = words;
  }
  const std::size_t size = (id - kFirstEvent + 1) * states_ * words_;
  if (size > sets_.size()) sets_.resize(std::max(size, 2 * sets_.size()));
}

void ThreadCausality::pass(const Graph& graph, EventId from, EventId to, const Steps& steps) {
  const Word* const source = set(from, 0);
  Word* const target = set(to, 0);
  for (const Step& step : steps[graph[from].cls]) {
    for (std::size_t i = firstWord_; i < words_; ++i) target[step.to * words_ + i] |= source[step.from * words_ + i];
  }
}

// Events without an open read before them have nothing to pass on.
void ThreadCausality::passWithinLocation(const Graph& graph, EventId id) {
  const Event& event = graph[id];
  if (!hasPoLoc_ || event.location == 0) return;
  const std::uint32_t settled = reads_[event.poPrev - kFirstEvent].settled;
  for (EventId before = event.poPrev; reads_[before - kFirstEvent].all > settled; before = graph[before].poPrev) {
    if (graph[before].location == event.location) pass(graph, before, id, poLoc_);
    if (graph[before].index == 1) break;
  }
}

// The sets of an event with open reads, its own included.
void ThreadCausality::takeSets(const Graph& graph, EventId id) {
  const Event& event = graph[id];
  const std::uint32_t reads = reads_[id - kFirstEvent].all;
  makeRoom(id, reads);
  std::fill_n(set(id, 0), states_ * words_, 0);
  if (event.isRead()) set(id, 0)[(reads - 1) / 64] |= Word{1} << (reads - 1) % 64;
  if (event.index == 1 || reads_[event.poPrev - kFirstEvent].areSettled()) return;
  const std::uint32_t settled = reads_[event.poPrev - kFirstEvent].settled;
  const auto passFrom = [&](EventId from, const Steps& steps) {
    if (reads_[from - kFirstEvent].all > settled) pass(graph, from, id, steps);
  };
  pass(graph, event.poPrev, id, po_);
  for (const DependencyEdges::Edge& edge : graph.dependencies()->into(id)) {
    passFrom(edge.from, edge.kind == Dependency::addr ? addr_ : edge.kind == Dependency::data ? data_ : ctrl_);
  }
  if (event.isRead() && !isInitial(event.rf) && graph[event.rf].thread == event.thread) passFrom(event.rf, rfi_);
  if (event.isWrite() && event.rmw) pass(graph, event.poPrev, id, rmw_);
  passWithinLocation(graph, id);
}

// The first read, from this one on, that is in none of these states' sets.
std::uint32_t ThreadCausality::firstMissing(EventId id, std::uint32_t from, const std::vector<unsigned>& states) {
  const std::uint32_t reads = reads_[id - kFirstEvent].all;
  for (; from < reads; from = (from / 64 + 1) * 64) {
    Word found = (Word{1} << from % 64) - 1;
    for (const unsigned state : states) found |= set(id, state)[from / 64];
    if (~found != 0) return std::min(reads, from / 64 * 64 + static_cast<std::uint32_t>(std::countr_one(found)));
  }
  return reads;
}

void ThreadCausality::compute(const Graph& graph, EventId id) {
  const Event& event = graph[id];
  if (id - kFirstEvent >= reads_.size()) reads_.resize(2 * (id - kFirstEvent + 1));
  Reads& reads = reads_[id - kFirstEvent];
  reads = event.index == 1 ? Reads{0, 0} : reads_[event.poPrev - kFirstEvent];
  if (event.isRead()) {
    if (reads.areSettled() && contains(settledAtOnce_, event.cls)) ++reads.settled;
    ++reads.all;
  }
  if (reads.areSettled()) return;
  firstWord_ = reads.settled / 64;
  takeSets(graph, id);
  reads.settled = firstMissing(id, reads.settled, settling_);
  if (event.isWrite() && firstMissing(id, reads.settled, at_[event.cls]) != reads.all) throw LoadBuffering{};
}

}  // namespace heddle::explore
