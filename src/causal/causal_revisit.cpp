// Revisits: a new write makes an older read read from it.
//
// What was added after the read and is not in the prefix of the write (causal_order.h) is taken out, if all of it, and the read,
// was added in the maximal way: then the same graph without the revisit is explored once, and so is this one.
//
// That rests on it that any event can be added to any graph in some way. A store-exclusive that succeeds cannot, if another has
// come in between, although a revisit may take that one out again. So in programs with store-exclusives nothing has to be
// maximal, and every graph that a revisit has made, and every full graph, is remembered (thesis 5.8).
#include <algorithm>

#include "causal/causal_explorer.h"
#include "explore/read_effect.h"

namespace heddle::causal {

using explore::ThreadState;
using relations::EventSet;

namespace {

// The same event in a graph that has fewer of them.
Number sameEvent(const CausalGraph& from, Number event, const CausalGraph& to) {
  const CausalEvent& of = from[event];
  const Slot& slot = to.slots(of.thread)[of.slot];
  return from.slots(of.thread)[of.slot].event == event ? slot.event : slot.write;
}

// What stays if the write revisits the read: the write, what is in its prefix, and what is not newer than the read.
EventSet keptBy(const CausalGraph& graph, Number write, Number read, const EventSet& prefix) {
  EventSet kept = prefix;
  for (Number i = 0; i < graph.count(); ++i) {
    if (graph[i].stamp <= graph[read].stamp) kept.set(i);
  }
  kept.set(write);
  return kept;
}

}  // namespace

// `graph` has the write, without a place.
void CausalExplorer::findRevisits(const CausalGraph& graph, Number write, std::vector<Option>& options) {
  EventSet prefix;
  bool known = false;
  for (Number read = static_cast<Number>(graph.count()); read > 0;) {
    --read;
    if (!graph[read].isRead() || graph[read].location != graph[write].location) continue;
    if (graph.slotOf(read).write == write) continue;
    if (!known) {
      trial_ = graph;
      evaluator_.change(relations::Level::events);
      order_.findPrefix(write, prefix);
      known = true;
    }
    if (prefix.test(read)) continue;
    const EventSet kept = keptBy(graph, write, read, prefix);
    bool maximal = true;
    for (Number i = 0; i < graph.count() && maximal; ++i) {
      if (remembers_) {  // what stays keeps what it reads from
        const bool loses = graph[i].isRead() && graph[i].rf < kInitialWrite && !kept.test(graph[i].rf);
        maximal = i == read || !kept.test(i) || !loses;
      } else if (i == read || !kept.test(i)) {
        maximal = isMaximal(graph, i, write, prefix);
      }
    }
    if (maximal) offerRevisit(graph, write, {.source = read, .isRevisit = true, .kept = kept}, options);
  }
}

// In all places of the write that are consistent.
void CausalExplorer::offerRevisit(const CausalGraph& graph, Number write, const Option& option, std::vector<Option>& options) {
  CausalGraph rest = graph.restrictedTo(option.kept);
  const Number newWrite = sameEvent(graph, write, rest), newRead = sameEvent(graph, option.source, rest);
  rest.setSource(newRead, newWrite);
  const std::uint32_t location = rest[newWrite].location;
  std::size_t first = 0, last = rest.locations()[location].order.size();
  if (rest[newWrite].rmw) first = last = rest.positionAfter(location, rest[rest.slotOf(newWrite).event].rf);
  for (const bool spurious : {false, true}) {
    takeEffect(rest, newRead, false);
    const Operation& operation = rest[newRead].operation;
    if (spurious && !(rest[newRead].rmw && operation.mayFailSpuriously && options_.spurious)) break;
    takeEffect(rest, newRead, spurious);
    for (std::size_t position = last + 1; position > first; --position) {
      rest.place(newWrite, position - 1);
      const bool known = remembers_ && !remembered_.insert(rest.signature(newWrite)).second;
      if (!known && isConsistent(rest)) {
        Option& offered = options.emplace_back(option);
        offered.spurious = spurious;
        offered.position = position - 1;
      } else if (!known) {
        ++statistics_.rejected;
      }
      rest.unplace(newWrite);
    }
  }
}

// Was the event added in the maximal way, as seen from what was there before it and from the prefix of the write?
bool CausalExplorer::isMaximal(const CausalGraph& graph, Number event, Number write, const EventSet& prefix) {
  const CausalEvent& of = graph[event];
  if (of.nonMaximal) return false;
  if (!of.isRead() && !of.isWrite()) return true;
  const Number half = graph.slotOf(event).write;
  EventSet previous = prefix;
  for (Number i = 0; i < graph.count(); ++i) {
    if (graph[i].stamp < of.stamp) previous.set(i);
    // A write that has revisited a read that was there before it.
    if (of.isWrite() && graph[i].isRead() && graph[i].rf == event && graph[i].stamp < of.stamp) return false;
  }
  if (half == event) return true;  // judged with its read
  previous.set(event);
  previous.clear(write);
  if (half != kNobody) previous.clear(half);
  for (Number i = 0; i < graph.count(); ++i) {
    if (previous.test(i) && graph[i].isRead() && graph[i].rf < kInitialWrite && !previous.test(graph[i].rf)) return false;
  }
  const std::vector<Number>& order = graph.locations()[of.location].order;
  const std::size_t after = graph.positionAfter(of.location, of.isRead() ? of.rf : event);
  if (std::none_of(order.begin() + static_cast<std::ptrdiff_t>(after), order.end(),
                   [&](Number w) { return previous.test(w); })) {
    return true;
  }
  CausalGraph then = graph.restrictedTo(previous);
  const Number same = sameEvent(graph, event, then);
  return of.isRead() ? isMaximalRead(std::move(then), same) : isMaximalWrite(std::move(then), same);
}

bool CausalExplorer::isMaximalRead(CausalGraph previous, Number read) {
  const Number actual = previous[read].rf;
  const std::vector<Number> order = previous.locations()[previous[read].location].order;
  for (std::size_t i = order.size() + 1; i > 0; --i) {
    const Number source = i == 1 ? kInitialWrite : order[i - 2];
    if (source == actual) return true;
    CausalGraph other = previous;
    other.setSource(read, source);
    takeEffect(other, read, false);
    if (other[read].rmw) other.place(appendWriteOf(other, read), i - 1);
    if (isConsistent(other)) return false;
  }
  return false;
}

bool CausalExplorer::isMaximalWrite(CausalGraph previous, Number write) {
  const std::uint32_t location = previous[write].location;
  const std::size_t actual = previous.positionAfter(location, write) - 1;
  previous.unplace(write);
  for (std::size_t position = previous.locations()[location].order.size(); position > actual; --position) {
    CausalGraph other = previous;
    other.place(write, position);
    if (isConsistent(other)) return false;
  }
  return true;
}

void CausalExplorer::applyRevisit(Number write, const Option& option) {
  const CausalGraph graph = std::move(now_.graph);
  now_.graph = graph.restrictedTo(option.kept);
  const Number newWrite = sameEvent(graph, write, now_.graph), read = sameEvent(graph, option.source, now_.graph);
  now_.graph.place(newWrite, option.position);
  now_.graph.setSource(read, newWrite);
  takeEffect(now_.graph, read, option.spurious);
  computeView(newWrite);
  computeView(read);
  // Threads go back to where they lose something, or are not there any more.
  std::vector<bool> spawned(now_.threads.size(), false);
  for (unsigned t = 0; t < program_.initialThreads(); ++t) spawned[t] = true;
  for (Number i = 0; i < now_.graph.count(); ++i) {
    const Operation& operation = now_.graph[i].operation;
    if (operation.kind == OperationKind::spawn) spawned[operation.thread] = true;
  }
  for (unsigned t = 0; t < now_.threads.size(); ++t) {
    const auto thread = static_cast<ThreadId>(t);
    ThreadAt& at = now_.threads[t];
    if (at.state == ThreadState::absent) continue;
    if (!spawned[t]) {
      program_.rewind(thread, startMarks_[t]);
      at = {};
      continue;
    }
    std::uint32_t first = 0;
    while (first < at.slot && now_.graph.isComplete(thread, first)) ++first;
    if (thread == now_.graph[read].thread) first = std::min(first, now_.graph[read].slot);
    if (first < at.slot || at.state == ThreadState::locking) rewind(thread, first);
  }
  finishRead(read);
  // What the write has led to comes after it, for plain memory as well.
  settle(now_.graph[newWrite].thread);
  for (unsigned t = 0; t < now_.threads.size(); ++t) settle(static_cast<ThreadId>(t));
}

}  // namespace heddle::causal
