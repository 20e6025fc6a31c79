// The rf equivalence (TruSt, Algorithm 2): executions that differ only in co count as one.
//
// The graph still has a coherence order at all times, as a witness that there is a consistent one: new writes go last,
// and an rf choice that the witness does not allow makes us look for another (coherence.h), which is put back when
// the choice is left. Two things change in the algorithm: a write has one place only, and whether a revisit starts
// from a maximal extension is judged by an order that is a function of what the revisit keeps: the first consistent
// coherence order of the kept events, with the deleted writes after it in the order of their insertion. The read and
// the revisiting write do not belong to what is kept here: what the read reads now must not influence the answer, or
// two graphs with the same result would both be its maximal extension.

#include "explore/explorer.h"

namespace heddle::explore {

// Has the read's thread observed a write that comes after the one it reads from in every coherence order? A quick way
// to see that there is none.
bool Explorer::isOverwritten(EventId read) const {
  const EventId source = graph_[read].rf;
  for (EventId w = graph_.location(graph_[read].location).coTail; !isInitial(w); w = graph_[w].coPrev) {
    if (w == source || !graph_.observed(poView(read), w)) continue;
    if (isInitial(source) || graph_.observed(poView(w), source)) return true;
  }
  return false;
}

// Looks for a coherence order for the graph as it is. `transient`: a write that leaves the graph before the option does.
bool Explorer::findCoherence(EventId transient) {
  savedCoherence_.emplace_back(graph_, transient);
  const SavedCoherence before(graph_, kNone);
  if (finder_.findFirst(graph_)) {
    trail_.back().reordered = true;
    return true;
  }
  before.restore(graph_);
  savedCoherence_.pop_back();
  return false;
}

void Explorer::restoreCoherence(ChoicePoint& frame) {
  frame.reordered = false;
  savedCoherence_.back().restore(graph_);
  savedCoherence_.pop_back();
}

bool Explorer::isMaximalExtension(EventId write, EventId read) {
  const Lane* prefix = graph_.porf(write);
  const auto before = [&](EventId source, EventId id) {
    return isInitial(source) || source < id || graph_.inPrefix(prefix, source);
  };
  std::vector<EventId> deleted;  // newest first
  for (EventId id = graph_[write].orderPrev;; id = graph_[id].orderPrev) {
    if (!graph_.inPrefix(prefix, id)) {
      const Event& event = graph_[id];
      if (event.nonMaximal || (event.isRead() && !before(event.rf, id))) return false;
      if (id != read) deleted.push_back(id);
    }
    if (id == read) break;
  }
  // What can be said without an order of the kept writes: a deleted read must read from the last deleted write of its
  // location, if there is one before it.
  std::vector<EventId> last(graph_.locations(), kNone);
  for (std::size_t i = deleted.size(); i > 0; --i) {
    const Event& event = graph_[deleted[i - 1]];
    if (event.isWrite()) last[event.location] = deleted[i - 1];
    if (event.isRead() && last[event.location] != kNone && event.rf != last[event.location]) return false;
  }
  for (const EventId id : deleted) graph_.detach(id);
  const EventId oldRf = graph_[read].rf;
  graph_.unsetRf(read);
  const SavedCoherence kept(graph_, kNone);
  bool maximal = finder_.findFirst(graph_);
  if (maximal) {
    for (LocationId l = 1; l < graph_.locations(); ++l) last[l] = graph_.location(l).coTail;
    maximal = oldRf == last[graph_[read].location];
    for (std::size_t i = deleted.size(); maximal && i > 0; --i) {
      const Event& event = graph_[deleted[i - 1]];
      if (event.isWrite()) last[event.location] = deleted[i - 1];
      if (event.isRead()) maximal = event.rf == last[event.location];
    }
  }
  kept.restore(graph_);
  graph_.setRf(read, oldRf);
  consistency_.putBack(graph_, read);
  for (std::size_t i = deleted.size(); i > 0; --i) graph_.reattach(deleted[i - 1]);
  return maximal;
}

}  // namespace heddle::explore
