#include "explore/thread_causality.h"

#include <algorithm>

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
}

void ThreadCausality::makeRoom(EventId id, std::uint32_t reads) {
  const std::size_t events = id - kFirstEvent + 1;
  if (reads > 64 * words_) {
    const std::size_t words = 2 * words_;
    std::vector<Word> wider(sets_.size() * 2, 0);
    for (std::size_t set = 0; set * words_ < sets_.size(); ++set) {
      std::copy_n(sets_.data() + set * words_, words_, wider.data() + set * words);
    }
    sets_ = std::move(wider);
    words_ = words;
  }
  if (events > reads_.size()) {
    reads_.resize(events);
    sets_.resize(events * states_ * words_);
  }
}

void ThreadCausality::pass(const Graph& graph, EventId from, EventId to, const Steps& steps) {
  const Word* const source = set(from, 0);
  Word* const target = set(to, 0);
  for (const Step& step : steps[graph[from].cls]) {
    for (std::size_t i = 0; i < words_; ++i) target[step.to * words_ + i] |= source[step.from * words_ + i];
  }
}

void ThreadCausality::passWithinLocation(const Graph& graph, EventId id) {
  const Event& event = graph[id];
  if (!hasPoLoc_ || event.location == 0) return;
  for (EventId before = id; graph[before].index != 1;) {
    before = graph[before].poPrev;
    if (graph[before].location == event.location) pass(graph, before, id, poLoc_);
  }
}

bool ThreadCausality::isAfterAllReads(const Graph& graph, EventId write) {
  const std::uint32_t reads = reads_[write - kFirstEvent];
  if (reads == 0) return true;
  all_.assign(words_, 0);
  for (unsigned state = 0; state < states_; ++state) {
    if (!contains(accept_[state], graph[write].cls)) continue;
    for (std::size_t i = 0; i < words_; ++i) all_[i] |= set(write, state)[i];
  }
  for (std::uint32_t i = 0; i < reads / 64; ++i) {
    if (~all_[i] != 0) return false;
  }
  return reads % 64 == 0 || (~all_[reads / 64] & ((Word{1} << reads % 64) - 1)) == 0;
}

void ThreadCausality::compute(const Graph& graph, EventId id) {
  const Event& event = graph[id];
  const bool first = event.index == 1;
  const std::uint32_t reads = (first ? 0 : reads_[event.poPrev - kFirstEvent]) + (event.isRead() ? 1 : 0);
  makeRoom(id, reads);
  reads_[id - kFirstEvent] = reads;
  std::fill_n(set(id, 0), states_ * words_, 0);
  if (event.isRead()) set(id, 0)[(reads - 1) / 64] |= Word{1} << (reads - 1) % 64;
  if (first) return;
  pass(graph, event.poPrev, id, po_);
  for (const DependencyEdges::Edge& edge : graph.dependencies()->into(id)) {
    pass(graph, edge.from, id, edge.kind == Dependency::addr ? addr_ : edge.kind == Dependency::data ? data_ : ctrl_);
  }
  if (event.isRead() && !isInitial(event.rf) && graph[event.rf].thread == event.thread) pass(graph, event.rf, id, rfi_);
  if (event.isWrite() && event.rmw) pass(graph, event.poPrev, id, rmw_);
  passWithinLocation(graph, id);
  if (event.isWrite() && !isAfterAllReads(graph, id)) throw LoadBuffering{};
}

}  // namespace heddle::explore
