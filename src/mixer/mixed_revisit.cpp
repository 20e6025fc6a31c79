// Multi-write revisits: a new write, together with older ones, makes an older read read from them all.
//
// Mixer, Algorithm 1, lines 10 to 17. When write `a` is added, read r can be revisited by a and a keep set K of writes
// that would otherwise be deleted. Of the events that were added after r those stay that precede a or a write of K in
// porf. Then every byte of r is chosen again, so that each of K and a is read somewhere. The conditions on K:
//
//   - each of K was added after r: one that was there before stays anyway. (The paper says so in its text; in its
//     algorithm K may contain any write, and the same graph would come from several keep sets.)
//   - independence: no two writes of K and a are ordered by porf, and none is porf-after r
//   - tie-breaking: each of K is to the left of a (thread_parts.h)
//   - relevance: r reads from each of K and from a after the revisit
//
// And r and the deleted events must have been added maximally, as in explore/revisit.cpp: each as a whole, in all of
// its bytes, as seen from what was there before it and what the revisit keeps. A write that has been read by an older
// read, because it has revisited it, is never deleted: that read would lose its source, or the same revisit could come
// again.
//
// A write of K that r does not see now, although r is to be maximal with K there, would have to be co-before what r
// reads. So the writes to choose K from are those at or before the sources of r, and that is nearly always none.

#include <bit>

#include "mixer/mixed_explorer.h"

namespace heddle::mixer {

// Was the event added maximally, as seen from the events before it and those of a porf-closed prefix?
bool MixedExplorer::isMaximallyAdded(EventId id, const Lane* prefix) const {
  const Event& event = graph_[id];
  if (event.nonMaximal) return false;
  if (!event.isRead() && !event.isWrite()) return true;
  bool maximal = true;
  if (event.isWrite()) {
    graph_.forEachReader(id, graph_.access(id).bytes, [&](EventId read) { maximal = maximal && read > id; });
  }
  graph_.forEachCell(id, [&](const ByteCell& cell) {
    const EventId write = event.isRead() ? graph_.sourceOf(id, cell.bytes) : id;
    if (write > id && !graph_.inPrefix(prefix, write)) maximal = false;
    for (std::size_t i = MixedGraph::positionAfter(cell, write); i < cell.order.size() && maximal; ++i) {
      const EventId later = cell.order[i];
      maximal = later > id && !graph_.inPrefix(prefix, later);
    }
  });
  return maximal;
}

// The oldest read of another read-modify-write that takes a byte from the same write as this one's: a revisit has to
// delete all of these, or be of the oldest. kNone: there is none.
EventId MixedExplorer::oldestConflict(EventId write) const {
  EventId oldest = kNone;
  if (!graph_[write].rmw) return oldest;
  const EventId read = graph_[write].poPrev;
  graph_.forEachCell(write, [&](const ByteCell& cell) {
    const EventId next = MixedGraph::next(cell, graph_.sourceOf(read, cell.bytes));
    if (next == kNone || !graph_[next].rmw) return;
    const EventId other = graph_[next].poPrev;
    if (graph_.sourceOf(other, cell.bytes) != graph_.sourceOf(read, cell.bytes)) return;
    if (oldest == kNone || other < oldest) oldest = other;
  });
  return oldest;
}

void MixedExplorer::findRevisits(ChoicePoint& frame) {
  const EventId write = frame.event;
  const Lane* prefix = graph_.porf(write);
  const EventId conflict = oldestConflict(write);
  bool maximal = true;  // everything so far that would be deleted without a keep set
  for (EventId id = graph_[write].orderPrev; id != kNone; id = graph_[id].orderPrev) {
    if (graph_.inPrefix(prefix, id)) continue;
    maximal = maximal && isMaximallyAdded(id, prefix);
    if (!graph_[id].isRead() || !graph_.overlap(id, write)) continue;
    if (conflict != kNone && id > conflict) continue;
    if (maximal) candidates_.push_back({id, static_cast<std::uint32_t>(keeps_.size()), 0});
    findKeepSets(write, id);
  }
}

bool MixedExplorer::mayKeep(EventId write, EventId kept, EventId read) const {
  if (kept < read || graph_.inPrefix(graph_.porf(write), kept) || graph_.inPrefix(graph_.porf(kept), read)) return false;
  bool seen = true;
  graph_.forEachCell(kept, [&](const ByteCell& cell) {
    if ((graph_.access(read).bytes & cell.bytes) == 0) return;
    const std::uint32_t source = MixedGraph::positionAfter(cell, graph_.sourceOf(read, cell.bytes));
    seen = seen && MixedGraph::positionAfter(cell, kept) <= source;
  });
  return seen;
}

// The keep sets, but the empty one, with which the write can revisit the read.
void MixedExplorer::findKeepSets(EventId write, EventId read) {
  std::array<EventId, 8 * kLineBytes> possible;
  std::size_t count = 0;
  graph_.forEachCell(read, [&](const ByteCell& cell) {
    for (std::size_t i = MixedGraph::positionAfter(cell, graph_.sourceOf(read, cell.bytes)); i > 0; --i) {
      const EventId kept = cell.order[i - 1];
      bool known = false;
      for (std::size_t k = 0; k < count; ++k) known = known || possible[k] == kept;
      if (known || !mayKeep(write, kept, read)) continue;
      if (parts_.rankOf(graph_, kept) >= parts_.rankOf(graph_, write)) continue;
      if (count == possible.size()) throw LimitError("too many writes overlap one read");
      possible[count++] = kept;
    }
  });
  if (count == 0) return;
  const auto most = static_cast<std::size_t>(std::popcount(graph_.access(read).bytes)) - 1;
  std::array<std::size_t, kLineBytes> index;  // of the chosen ones, ascending
  std::array<EventId, kLineBytes> kept;
  std::size_t size = 0;
  std::size_t from = 0;
  while (true) {  // all subsets of at most so many independent writes, depth first
    if (from == count || size == most) {
      if (size == 0) return;
      from = index[--size] + 1;
      continue;
    }
    const EventId next = possible[from];
    bool independent = true;
    for (std::size_t i = 0; i < size; ++i) {
      independent = independent && !graph_.inPrefix(graph_.porf(next), kept[i]) && !graph_.inPrefix(graph_.porf(kept[i]), next);
    }
    if (!independent) {
      ++from;
      continue;
    }
    index[size] = from++;
    kept[size++] = next;
    tryKeepSet(write, read, std::span(kept).first(size));
  }
}

// What the write comes after, and what is kept with it.
const Lane* MixedExplorer::prefixOf(EventId write, std::span<const EventId> kept) {
  Lane* prefix = keptPrefix_.data();
  clock::copy(prefix, graph_.porf(write), graph_.chunks());
  for (const EventId id : kept) clock::join(prefix, graph_.porf(id), graph_.chunks());
  return prefix;
}

// Notes the revisit with this keep set, if what it affects was added maximally.
void MixedExplorer::tryKeepSet(EventId write, EventId read, std::span<const EventId> kept) {
  const Lane* prefix = prefixOf(write, kept);
  for (EventId id = graph_[write].orderPrev; id >= read; id = graph_[id].orderPrev) {
    if (!graph_.inPrefix(prefix, id) && !isMaximallyAdded(id, prefix)) return;
  }
  candidates_.push_back({read, static_cast<std::uint32_t>(keeps_.size()), static_cast<std::uint32_t>(kept.size())});
  keeps_.insert(keeps_.end(), kept.begin(), kept.end());
}

void MixedExplorer::beginRevisit(EventId write, const Candidate& candidate, bool transient) {
  ++statistics_.revisits;
  std::vector<EventId> relevant{write};
  for (std::uint32_t i = 0; i < candidate.keepCount; ++i) relevant.push_back(keeps_[candidate.keeps + i]);
  const EventId read = candidate.read;
  const Lane* prefix = prefixOf(write, std::span(relevant).subspan(1));
  savedRevisits_.push_back({setAside(write, read, prefix, true, transient), static_cast<std::uint32_t>(savedSources_.size())});
  for (const ByteSource& source : graph_.sources(read)) savedSources_.push_back(source);
  graph_.unsetSources(read);

  ChoicePoint& frame = pushChoicePoint(explore::ChoiceKind::revisit, write);
  frame.read = read;
  findPlaces(write, false);
  const std::vector<Option> placings(choices_.begin() + frame.heights.options, choices_.end());
  choices_.resize(frame.heights.options);
  for (const Option& placing : placings) {
    const bool last = isLast(placing, write);
    graph_.place(write, places(placing));
    findSources(read, relevant, placing, last);
    graph_.unplace(write);
  }
  frame.end = static_cast<std::uint32_t>(choices_.size());
}

void MixedExplorer::endRevisit(const ChoicePoint& frame) {
  const SavedRevisit saved = savedRevisits_.back();
  savedRevisits_.pop_back();
  restoreRead(frame.read, saved);
  graph_.setSources(frame.read, std::span(savedSources_).subspan(saved.firstSource));
  savedSources_.resize(saved.firstSource);
  consistency_.computeViews(graph_, frame.read);
  putBack(saved);
}

bool MixedExplorer::nextRevisit() {
  ChoicePoint& frame = trail_.back();
  if (frame.applied) {
    endOption(frame, true);
    graph_.unsetSources(frame.read);
    graph_.unplace(frame.event);
  }
  if (frame.next == frame.end) {
    endRevisit(frame);
    popChoicePoint();
    return false;
  }
  ++statistics_.added;
  const Option option = choices_[frame.next++];
  beginOption(frame);
  graph_.place(frame.event, places(option));
  connect(frame.read, sources(option), option.spurious);
  const EventId read = frame.read;
  program_.rewind(graph_[read].thread, graph_[read].mark);
  if (savedRevisits_.back().transient) {
    checkRaces(graph_[frame.event].poPrev);
    checkRaces(frame.event);
    resumeRevisitor(frame.event);
  }
  return goOn(read);
}

}  // namespace heddle::mixer
