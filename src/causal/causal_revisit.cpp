// Revisits: a new write makes an older read read from it.
//
// What was added after the read and is not in the prefix of the write (causal_order.h) is taken out, if all of it, and the read,
// was added in the maximal way: then the same graph without the revisit is explored once, and so is this one.
//
// That rests on it that any event can be added to any graph in some way. A store-exclusive that succeeds cannot, if another has
// come in between, although a revisit may take that one out again. So in programs with store-exclusives, and in some with
// compare-exchanges (causal_conditional.cpp), nothing has to be maximal, and every graph that a revisit has made, and every full
// graph, is remembered (thesis 5.8).
#include <algorithm>

#include "causal/causal_explorer.h"

namespace heddle::causal {

using explore::ThreadState;
using relations::EventSet;

// What stays if the write revisits the read: the write, what is in its prefix, and what is not newer than the read.
EventSet CausalExplorer::keptBy(Number write, Number read, const EventSet& prefix) const {
  EventSet kept = prefix;
  const std::uint32_t stamp = graph_[read].stamp;
  graph_.all().forEach([&](std::size_t i) {
    if (graph_[static_cast<Number>(i)].stamp <= stamp) kept.set(i);
  });
  kept.set(write);
  return kept;
}

// The write has no place yet.
void CausalExplorer::findRevisits(Number write) {
  candidates_.clear();
  const Number own = graph_.slotOf(write).event;  // of the same read-modify-write
  graph_.locations()[graph_[write].location].accesses.forEach([&](std::size_t i) {
    if (graph_[static_cast<Number>(i)].isRead() && i != own) candidates_.push_back(static_cast<Number>(i));
  });
  if (candidates_.empty()) return;
  std::ranges::sort(candidates_, std::greater(), [&](Number read) { return graph_[read].stamp; });
  EventSet prefix;
  order_.findPrefix(write, prefix);
  EventSet none;
  none.reset(graph_.count());
  findRevisits(write, prefix, none);
  if (!controlEnds_) return;
  noticeLeftOut(write, prefix);
  forEachFlip(write, prefix, [&](const EventSet& without, const EventSet& flipped) { findRevisits(write, without, flipped); });
}

// Is there a read that the write comes after, but not by the model, as it is written there?
void CausalExplorer::noticeLeftOut(Number write, const EventSet& prefix) {
  if (std::ranges::none_of(candidates_, [&](Number read) { return prefix.test(read); })) return;
  const std::vector<Number> succeeded = successesIn(prefix, write);
  const EventSet used = prefixWithout(write, succeeded, order_), ofModel = prefixWithout(write, succeeded, *orderOfModel_);
  for (const Number read : candidates_) {
    if (!used.test(read) || ofModel.test(read)) continue;
    leftOut_ = "a thread takes a way, or writes a value, because of what is read at " +
               program_.sourceText(graph_.operationOf(read).source) + ", and the model lets that read see what follows from it";
  }
}

// `flipped`: compare-exchanges that go so that they can fail (causal_conditional.cpp).
void CausalExplorer::findRevisits(Number write, const EventSet& prefix, const EventSet& flipped) {
  for (const Number read : candidates_) {
    if (prefix.test(read)) continue;
    const EventSet kept = keptBy(write, read, prefix);
    bool flips = true;
    flipped.forEach([&](std::size_t i) { flips = flips && (i == read || !kept.test(i)); });
    if (!flips) continue;
    if (remembers_ ? keepSources(read, kept) : areMaximal(write, read, kept, prefix)) offerRevisit(write, read, kept);
  }
}

// Do all that stay keep what they read from?
bool CausalExplorer::keepSources(Number read, const EventSet& kept) const {
  bool all = true;
  kept.forEach([&](std::size_t i) {
    const CausalEvent& event = graph_[static_cast<Number>(i)];
    if (i != read && event.isRead() && event.rf < kInitialWrite && !kept.test(event.rf)) all = false;
  });
  return all;
}

// In all places of the write that are consistent.
void CausalExplorer::offerRevisit(Number write, Number read, const EventSet& kept) {
  const CausalEvent old = graph_[read];
  const std::uint32_t location = graph_[write].location;
  graph_.setSource(read, write);
  const bool fixed = graph_[write].rmw;
  const auto number = static_cast<std::uint32_t>(kept_.size());
  kept_.push_back(kept);
  for (const bool spurious : {false, true}) {
    takeEffect(read, false);
    if (spurious && !mayFailSpuriously(read)) break;
    takeEffect(read, spurious);
    Number after = fixed ? graph_[graph_.slotOf(write).event].rf : graph_.lastWrite(location, kept);
    while (true) {
      graph_.place(write, after);
      const bool known = remembers_ && !remembered_.insert(graph_.signature(kept, write)).second;
      if (!known && consistency_.holds(write, kept) && consistency_.holds(read, kept) &&
          (!isConditional(read) || staysBehind(read, kept))) {
        offer({.other = after, .read = read, .spurious = spurious, .kept = number});
      } else if (!known) {
        ++statistics_.rejected;
      }
      graph_.unplace(write);
      if (fixed || after == kInitialWrite) break;
      after = graph_.previousWrite(after, kept);
    }
  }
  graph_.setSource(read, old.rf);
  graph_[read] = old;
}

// Was all that goes, and the read, added in the maximal way? What is refused at once comes first, then what may well not be.
bool CausalExplorer::areMaximal(Number write, Number read, const EventSet& kept, const EventSet& prefix) {
  EventSet gone = graph_.all();
  gone.subtract(kept.data());
  gone.set(read);
  bool refused = false;
  EventSet doubtful;
  doubtful.reset(graph_.count());
  gone.forEach([&](std::size_t i) {
    const CausalEvent& event = graph_[static_cast<Number>(i)];
    refused = refused || event.nonMaximal;
    const Number at = event.isRead() ? event.rf : event.isWrite() ? static_cast<Number>(i) : kNobody;
    if (at != kNobody && at != graph_.lastWrite(event.location)) doubtful.set(i);
  });
  if (refused) return false;
  gone.subtract(doubtful.data());
  for (EventSet* set : {&doubtful, &gone}) {
    while (!set->isEmpty()) {
      if (!isMaximal(static_cast<Number>(set->takeFirst()), write, prefix)) return false;
    }
  }
  return true;
}

// A read that was there before it?
bool CausalExplorer::hasRevisited(Number write) const {
  const std::uint64_t* const readers = graph_.row(CausalGraph::kReaders, write);
  for (std::size_t w = 0; w < graph_.words(); ++w) {
    for (std::uint64_t rest = readers[w]; rest != 0; rest &= rest - 1) {
      const auto reader = static_cast<Number>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
      if (graph_[reader].stamp < graph_[write].stamp) return true;
    }
  }
  return false;
}

// Was the event added in the maximal way, as seen from what was there before it and from the prefix of the write?
bool CausalExplorer::isMaximal(Number number, Number write, const EventSet& prefix) {
  const CausalEvent& event = graph_[number];
  if (!event.isRead() && !event.isWrite()) return true;
  if (event.isWrite() && hasRevisited(number)) return false;
  const Number half = graph_.slotOf(number).write;
  if (half == number) return true;  // judged with its read
  EventSet previous = prefix;
  graph_.all().forEach([&](std::size_t i) {
    if (graph_[static_cast<Number>(i)].stamp < event.stamp) previous.set(i);
  });
  previous.set(number);
  previous.clear(write);
  if (half != kNobody) previous.clear(half);
  if (!keepSources(kNobody, previous)) return false;
  if (graph_.nextWrite(event.location, event.isRead() ? event.rf : number, previous) == kNobody) return true;
  return event.isRead() ? isMaximalRead(number, previous) : isMaximalWrite(number, previous);
}

bool CausalExplorer::isMaximalRead(Number read, const EventSet& previous) {
  const CausalEvent actual = graph_[read];
  for (Number source = graph_.lastWrite(actual.location, previous); source != actual.rf;
       source = graph_.previousWrite(source, previous)) {
    const bool could = couldRead(read, source, previous);
    graph_.setSource(read, actual.rf);
    graph_[read] = actual;
    if (could) return false;
  }
  return true;
}

bool CausalExplorer::couldRead(Number read, Number source, const EventSet& previous) {
  graph_.setSource(read, source);
  takeEffect(read, false);
  return withItsWrite(read, [&](Number write) {
    EventSet both = previous;
    if (write != kNobody) both.set(write);
    return (write == kNobody || consistency_.holds(write, both)) && consistency_.holds(read, both);
  });
}

// A read-modify-write is judged with its write in place, be it there or not. `judge` is given the write, or kNobody.
bool CausalExplorer::withItsWrite(Number read, const std::function<bool(Number)>& judge) {
  if (!graph_[read].rmw) return judge(kNobody);
  const Number half = graph_.slotOf(read).write;
  const Number place = half == kNobody ? kNobody : graph_[half].coPrev;
  if (place != kNobody) graph_.unplace(half);
  const Number write = half == kNobody ? appendWriteOf(read) : half;
  graph_.place(write, graph_[read].rf);
  const bool good = judge(write);
  graph_.unplace(write);
  if (half == kNobody) graph_.remove(write);
  if (place != kNobody) graph_.place(half, place);
  return good;
}

bool CausalExplorer::isMaximalWrite(Number write, const EventSet& previous) {
  const Number actual = graph_.previousWrite(write, previous), place = graph_[write].coPrev;
  graph_.unplace(write);
  bool maximal = true;
  for (Number after = graph_.lastWrite(graph_[write].location, previous); maximal && after != actual;
       after = graph_.previousWrite(after, previous)) {
    graph_.place(write, after);
    maximal = !consistency_.holds(write, previous);
    graph_.unplace(write);
  }
  graph_.place(write, place);
  return maximal;
}

// The write has its place.
void CausalExplorer::applyRevisit(Number write, const Option& option) {
  const Number read = option.read;
  keptReads_.push_back({read, graph_[read], graph_.slotOf(read).result, graph_.slotOf(read).waits});
  graph_.setSource(read, write);
  removeAllBut(kept_[option.kept]);
  if (meets_) checkDepartures();
  takeEffect(read, option.spurious);
  computeView(write);
  computeView(read);
  // Threads go back to where they lose something, or are not there any more.
  for (unsigned t = 0; t < at_.size(); ++t) {
    const auto thread = static_cast<ThreadId>(t);
    const ThreadAt& at = at_[t];
    if (state_[t] == ThreadState::absent) continue;
    if (t >= program_.initialThreads() && !graph_.isSpawned(thread)) {
      leaveThread(thread);
      continue;
    }
    std::uint32_t first = 0;
    while (first < at.slot && graph_.isComplete(thread, first)) ++first;
    if (thread == graph_[read].thread) first = std::min(first, graph_[read].slot);
    if (first < at.slot || state_[t] == ThreadState::locking) rewind(thread, first);
  }
  finishRead(read);
  // What the write has led to comes after it, for plain memory as well.
  settle(graph_[write].thread);
  for (unsigned t = 0; t < at_.size(); ++t) settle(static_cast<ThreadId>(t));
}

}  // namespace heddle::causal
