// Revisits of whole units.
//
// When unit u is complete, each older unit v that has read from outside and does not precede u in porf can be revisited by u and a
// keep set K of units that would otherwise be taken out. v and what was added after it go, except what u and K come after in porf.
// Then u is placed, in all ways, and the thread of v goes through its body again. The conditions on K are those of mixed_revisit.cpp:
//
//   - each of K was added after v: what was there before stays anyway
//   - no two of K and u are ordered by porf, and none is porf-after v
//   - each of K is to the left of u
//   - v reads from each of K and from u after the revisit. This is known at the end of its body only
//
// And v and all that is taken out must have been added maximally, with the first choice of everything: then there is one graph, and no
// other, from which this revisit is made. A unit is maximal if each read from outside reads the last write that was there when the unit
// was added, or that is kept; and if its writes were last when they were placed. Stamps (units.h) say what was there.

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "mixer/transaction_explorer.h"

namespace heddle::mixer {

bool TransactionExplorer::readsOutside(EventId unit) const {
  bool reads = false;
  units_.forEachEvent(unit, [&](EventId id) {
    if (!graph_[id].isRead()) return;
    for (const ByteSource& source : graph_.sources(id)) {
      reads = reads || isInitial(source.write) || units_.first(source.write) != unit;
    }
  });
  return reads;
}

bool TransactionExplorer::readsFrom(EventId reader, EventId writer) const {
  bool reads = false;
  units_.forEachEvent(reader, [&](EventId id) {
    if (!graph_[id].isRead()) return;
    graph_.forEachSource(id, [&](EventId write) { reads = reads || units_.first(write) == writer; });
  });
  return reads;
}

// Might the unit read what the other one writes, in some run of its body?
bool TransactionExplorer::mayRead(EventId reader, EventId writer) const {
  const bool transaction = units_.isTransaction(reader);
  bool may = false;
  units_.forEachEvent(writer, [&](EventId id) {
    if (!graph_[id].isWrite() || may) return;
    const Operation& write = graph_.operation(id);
    may = transaction ? program_.mayRead(graph_.operation(reader), write.address, write.size) : graph_.overlap(reader, id);
  });
  return may;
}

// Could a run of the body differ from the one that is there, if the other unit is kept? Not if nothing is chosen in it, and whatever it
// reads has one write. Then it does not read from the other unit either.
bool TransactionExplorer::mayDiffer(EventId reader, EventId writer) const {
  bool may = false;
  units_.forEachEvent(reader, [&](EventId id) {
    const Operation& operation = graph_.operation(id);
    may = may || operation.kind == OperationKind::choose || operation.mayFailSpuriously;
    if (!graph_[id].isRead() || may) return;
    graph_.forEachCell(id, [&](const ByteCell& cell) {
      const EventId source = graph_.sourceOf(id, cell.bytes);
      if (isInitial(source)) {
        may = may || std::ranges::any_of(cell.order, [&](EventId write) { return units_.first(write) != reader; });
      } else {
        may = may || units_.first(source) != reader;
      }
    });
    units_.forEachEvent(writer, [&](EventId write) { may = may || (graph_[write].isWrite() && graph_.overlap(write, id)); });
  });
  return may;
}

// Does the unit, if it is being run again for a revisit, read from all units that it was revisited by?
bool TransactionExplorer::isRelevant(EventId unit) const {
  std::size_t level = trail_.size();
  while (level > 0 && trail_[level - 1].kind != explore::ChoiceKind::revisit && units_.first(trail_[level - 1].event) == unit) {
    --level;
  }
  if (level == 0 || trail_[level - 1].kind != explore::ChoiceKind::revisit) return true;
  const ChoicePoint& revisit = trail_[level - 1];
  const Candidate& candidate = candidates_[revisit.candidate];
  if (!readsFrom(unit, units_.first(revisit.event))) return false;
  for (std::uint32_t i = 0; i < candidate.keepCount; ++i) {
    if (!readsFrom(unit, keeps_[candidate.keeps + i])) return false;
  }
  return true;
}

// Was the unit added maximally, as seen from the units before it and those of a porf-closed prefix?
bool TransactionExplorer::isMaximallyAdded(EventId unit, const Lane* prefix) const {
  const EventId stamp = units_.stamp(unit);
  bool maximal = true;
  units_.forEachEvent(unit, [&](EventId id) {
    const Event& event = graph_[id];
    const bool waits = event.isWrite() && graph_.access(id).waits;
    if (event.nonMaximal) maximal = false;
    if ((!event.isRead() && !event.isWrite()) || waits || !maximal) return;
    if (event.isWrite()) {
      graph_.forEachReader(id, graph_.access(id).bytes, [&](EventId read) {
        const EventId reader = units_.first(read);
        maximal = maximal && (reader == unit || units_.stamp(reader) > id);
      });
    }
    graph_.forEachCell(id, [&](const ByteCell& cell) {
      const EventId write = event.isRead() ? graph_.sourceOf(id, cell.bytes) : id;
      const EventId since = event.isRead() ? stamp : id;
      if (event.isRead() && !isInitial(write)) {
        if (units_.first(write) == unit) return;
        if (write > since && !graph_.inPrefix(prefix, write)) maximal = false;
      }
      for (std::size_t i = MixedGraph::positionAfter(cell, write); i < cell.order.size() && maximal; ++i) {
        const EventId later = cell.order[i];
        maximal = units_.first(later) == unit || (later > since && !graph_.inPrefix(prefix, later));
      }
    });
  });
  return maximal;
}

// What the unit comes after, and what is kept with it.
const Lane* TransactionExplorer::prefixOf(EventId unit, std::span<const EventId> kept) {
  Lane* prefix = keptPrefix_.data();
  clock::copy(prefix, graph_.porf(units_.last(unit)), graph_.chunks());
  for (const EventId id : kept) clock::join(prefix, graph_.porf(units_.last(id)), graph_.chunks());
  return prefix;
}

void TransactionExplorer::findRevisits(EventId unit) {
  unitsInOrder_.clear();
  for (EventId id = graph_.newest(); id != kNone; id = graph_[id].orderPrev) {
    if (units_.first(id) == id) unitsInOrder_.push_back(id);
  }
  const Lane* prefix = graph_.porf(units_.last(unit));
  const unsigned rank = parts_.rankOf(graph_, unit);
  std::vector<EventId> kept;
  for (const EventId read : unitsInOrder_) {
    if (graph_.inPrefix(prefix, read) || !readsOutside(read) || !mayRead(read, unit) || !mayDiffer(read, unit)) continue;
    mayBeKept_.clear();
    for (const EventId other : unitsInOrder_) {
      if (other == unit || units_.isOpen(other) || units_.isAborted(other) || units_.stamp(other) < units_.stamp(read))
        continue;
      const Lane* own = graph_.porf(units_.last(other));
      if (graph_.inPrefix(prefix, other) || graph_.inPrefix(own, read) || !mayRead(read, other)) continue;
      if (parts_.rankOf(graph_, other) < rank) mayBeKept_.push_back(other);
    }
    tryKeepSet(unit, read, {});
    findKeepSets(unit, read, 0, kept);
  }
}

// The keep sets that add to these, from one of those that may be kept on.
void TransactionExplorer::findKeepSets(EventId unit, EventId read, std::size_t from, std::vector<EventId>& kept) {
  // A single access reads no more units than bytes.
  const auto bytes = static_cast<std::size_t>(std::popcount(graph_.access(read).bytes));
  if (!units_.isTransaction(read) && kept.size() + 1 >= bytes) return;
  for (std::size_t i = from; i < mayBeKept_.size(); ++i) {
    const EventId next = mayBeKept_[i];
    const bool independent = std::ranges::none_of(kept, [&](EventId other) {
      return graph_.inPrefix(graph_.porf(units_.last(next)), other) || graph_.inPrefix(graph_.porf(units_.last(other)), next);
    });
    if (!independent) continue;
    kept.push_back(next);
    tryKeepSet(unit, read, kept);
    findKeepSets(unit, read, i + 1, kept);
    kept.pop_back();
  }
}

// Notes the revisit with this keep set, if what it takes out was added maximally.
void TransactionExplorer::tryKeepSet(EventId unit, EventId read, std::span<const EventId> kept) {
  const Lane* prefix = prefixOf(unit, kept);
  alignas(16) std::array<Lane, Trail::kMaxThreads> oldest;  // what is taken out of each thread
  clock::fill(oldest.data(), kNever, graph_.chunks());
  const auto goes = [&](EventId id) {
    return id == read || (units_.stamp(id) > units_.stamp(read) && !graph_.inPrefix(prefix, id));
  };
  for (const EventId id : unitsInOrder_) {
    if (!goes(id)) continue;
    if (!isMaximallyAdded(id, prefix)) return;
    Lane& lane = oldest[graph_[id].thread];
    lane = std::min(lane, static_cast<Lane>(graph_[id].index));
  }
  for (const EventId id : unitsInOrder_) {
    if (!goes(id) && clock::someAtLeast(graph_.porf(units_.lastSoFar(id)), oldest.data(), graph_.chunks())) return;
  }
  candidates_.push_back({read, static_cast<std::uint32_t>(keeps_.size()), static_cast<std::uint32_t>(kept.size())});
  keeps_.insert(keeps_.end(), kept.begin(), kept.end());
}

void TransactionExplorer::beginRevisit(const ChoicePoint& frame, std::uint32_t which) {
  ++statistics_.revisits;
  const Candidate candidate = candidates_[which];
  const EventId last = frame.event, unit = units_.first(last), stamp = units_.stamp(candidate.unit);
  const bool transient = frame.transient;
  const Lane* prefix = prefixOf(unit, std::span(keeps_).subspan(candidate.keeps, candidate.keepCount));
  takenOut_.push_back({static_cast<std::uint32_t>(deleted_.size()), static_cast<std::uint32_t>(savedThreads_.size())});
  std::array<EventId, Trail::kMaxThreads> oldest;  // that is taken out of each affected thread
  ThreadSet affected, unspawned;
  for (EventId id = graph_.newest(), previous; id != kNone; id = previous) {
    previous = graph_[id].orderPrev;
    const EventId of = units_.first(id);
    if (of != candidate.unit && (units_.stamp(of) < stamp || graph_.inPrefix(prefix, of))) continue;
    const Event& event = graph_[id];
    oldest[event.thread] = id;
    affected.insert(event.thread);
    if (event.kind == EventKind::thread && graph_.operation(id).kind == OperationKind::spawn) {
      affected.insert(static_cast<ThreadId>(event.partner));
      unspawned.insert(static_cast<ThreadId>(event.partner));
    }
    graph_.detach(id);
    deleted_.push_back(id);
  }
  const ThreadId own = graph_[last].thread;
  if (transient) affected.insert(own);
  for (const ThreadId thread : affected) {
    saveThread(thread);
    if (transient && thread == own) continue;
    if (unspawned.contains(thread)) {
      unstart(thread);
    } else {
      program_.rewind(thread, graph_[oldest[thread]].mark);
      setPending(thread, graph_.operation(oldest[thread]));
    }
  }
  ChoicePoint& revisit = pushChoicePoint(explore::ChoiceKind::revisit, last);
  revisit.stamp = stamp;
  revisit.candidate = which;
  revisit.transient = transient;
  findPlaces(unit);
  revisit.end = static_cast<std::uint32_t>(choices_.size());
}

void TransactionExplorer::endRevisit() {
  const TakenOut taken = takenOut_.back();
  takenOut_.pop_back();
  for (std::size_t i = deleted_.size(); i > taken.firstDeleted; --i) graph_.reattach(deleted_[i - 1]);
  deleted_.resize(taken.firstDeleted);
  restoreThreads(taken.firstThread);
}

// Bounded waste (Mixer, section 5, in place of Theorem 4.4): a chain of revisits none of which leads to a full graph is no longer than
// the number of threads, as each keeps the last unit of another one. Checked in debug builds. A unit that has a place always
// leads to a full graph.
#ifdef HEDDLE_INVARIANTS
void TransactionExplorer::noteFruit() {
  ChoicePoint& frame = trail_.back();
  const unsigned chain = frame.fruitful ? 0 : frame.fruitless + 1;
  if (chain > graph_.threads()) throw std::logic_error("a fruitless chain is longer than the number of threads");
  frame.fruitful = false;
  frame.fruitless = 0;
  for (std::size_t level = trail_.size() - 1; level-- > 0;) {
    if (trail_[level].kind != explore::ChoiceKind::revisit) continue;
    trail_[level].fruitless = std::max(trail_[level].fruitless, chain);
    return;
  }
}
#else
void TransactionExplorer::noteFruit() {}
#endif

bool TransactionExplorer::nextRevisit() {
  ChoicePoint& frame = trail_.back();
  const EventId unit = units_.first(frame.event);
  if (frame.applied) noteFruit();
  if (frame.applied) unplace(unit);
  frame.applied = false;
  if (frame.next == frame.end) {
    endRevisit();
    popChoicePoint();
    return false;
  }
  ++statistics_.added;
  place(unit, choices_[frame.next++]);
  frame.applied = true;
  if (frame.transient) resumeAfter(frame.event);
  return true;
}

}  // namespace heddle::mixer
