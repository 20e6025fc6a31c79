// Graphs as observers see them, and the program.
//
// An observer that is content with the last values of locations is shown nothing until it asks (explore::Observer::takesGraphs).
//
// They know graphs of the ordinary kind (graph/graph.h). A full graph has no holes, so it can be shown as one; only its
// clocks mean less where po | rf has a cycle. A lock that waits is not shown, as it has not been taken.
//
// A native program looks at the graph whenever a thread runs. There may be holes in it then, which are not shown. What happens
// before an event has none: whatever releases comes after all that is before it in its thread, by the causal order of each
// model that comes with Heddle, and others are refused. So clocks of happens-before count the right events, and so do the indices of events that come before a
// hole. A thread that goes on in its first hole sees itself end there.
#include <algorithm>

#include "causal/causal_explorer.h"

namespace heddle::causal {

using explore::ThreadState;

// Does a thread wait for a mutex that has been released since it looked? It would have gone on.
bool CausalExplorer::isPassedOver() const {
  for (const ThreadId thread : threadsIn(ThreadState::locking)) {
    if (pending_[thread].orNever) return true;
    const CausalEvent& read = graph_[graph_.slots(thread)[at_[thread].slot].event];
    if (read.rf != graph_.lastWrite(read.location)) return true;  // or it has no source
  }
  return false;
}

// No thread can go on. False when the observer has seen enough.
bool CausalExplorer::fullGraph() {
  if (isPassedOver()) return true;
  if (remembers_ && !seen_.insert(graph_.signature(graph_.all(), kNobody)).second) return true;
  isShown_ = false;
  if (takesGraphs_) show();
  if (controlEnds_) showDependencies();
  if (happensBefore_ && !options_.judgesRaces && !statistics_.race && !replaying_) findRace();
  bool failed = false;
  for (const ThreadId thread : threadsIn(ThreadState::failed)) {
    failed = true;
    observer_.error(execution(), thread, pending_[thread]);
  }
  statistics_.errors += failed;
  bool more;
  if (someWaitInVain()) {
    ++statistics_.blocked;
    more = observer_.blocked(shown_);
  } else {
    ++statistics_.executions;
    more = observer_.execution(shown_);
  }
  return more && !(options_.stopAtError && (failed || statistics_.race));
}

Value CausalExplorer::lastValue(ByteRange bytes, Value otherwise) const {
  for (std::uint32_t l = 0; l < graph_.locations().size(); ++l) {
    const CausalLocation& location = graph_.locations()[l];
    const ByteRange of{location.address, location.size};
    if (location.accesses.isEmpty() || !of.overlaps(bytes)) continue;
    if (of.address == bytes.address && of.size == bytes.size) return graph_.valueOf(graph_.lastWrite(l), l);
    return execution().lastValue(bytes, otherwise);
  }
  return otherwise;
}

std::vector<Number> CausalExplorer::eventsByAge() const {
  std::vector<Number> events;
  graph_.all().forEach([&](std::size_t i) { events.push_back(static_cast<Number>(i)); });
  std::ranges::sort(events, {}, [&](Number event) { return graph_[event].stamp; });
  return events;
}

void CausalExplorer::show() const {
  unshow();
  isShown_ = true;
  showEvents();
  for (const CausalLocation& location : graph_.locations()) {
    if (location.accesses.isEmpty()) continue;
    EventId previous = shownLocation(location.address, location.size);
    shown_[previous].value = location.initial;
    for (Number write = location.first; write != kNobody; write = graph_[write].coNext) {
      shown_.placeAfter(shownAs_[write], previous);
      previous = shownAs_[write];
    }
  }
  for (const Number i : shownEvents_) {
    if (!graph_[i].isRead()) continue;
    const EventId id = shownAs_[i];
    shown_.setRf(id, graph_[i].rf == kInitialWrite ? shown_[id].location : shownAs_[graph_[i].rf]);
    shown_.noteRead(id);
  }
  showClocks();
  ended_ = 0;
  lastOfEnded_ = shown_.last(ended_);
}

// Its initial value is that of the graph, if it has been there before, and not asked for again.
LocationId CausalExplorer::shownLocation(Address address, unsigned size) const {
  const LocationId known = shown_.findLocation(address, size);
  return known != 0 ? known : shown_.locate(address, size, program_);
}

void CausalExplorer::showEvents() const {
  shownAs_.assign(graph_.count(), kNone);
  shownEvents_.clear();
  const auto add = [&](Number number) {
    if (number == kNobody) return;
    const CausalEvent& from = graph_[number];
    const Operation& operation = graph_.operationOf(number);
    const EventId id = shown_.append(from.thread, from.kind, from.cls);
    shownAs_[number] = id;
    shownEvents_.push_back(number);
    shown_.operation(id) = operation;
    Event& event = shown_[id];
    event.value = from.value;
    event.rmw = from.rmw;
    event.nonMaximal = from.nonMaximal;
    event.choices = from.choices;
    const bool meets = operation.kind == OperationKind::arrive || operation.kind == OperationKind::depart;
    if (from.kind == EventKind::thread) event.partner = meets ? from.round : operation.thread;
    if (meets) shown_.noteMeeting(id);
    if (operation.kind == OperationKind::spawn) shown_.setStart(operation.thread, id);
    if (operation.kind == OperationKind::join) shown_.setJoin(operation.thread, id);
    if (event.isRead() || event.isWrite()) event.location = shownLocation(operation.address, operation.size);
    if (isWatched_) std::copy_n(views_.data() + from.view, shown_.threads(), shown_.view(id, raceView()));
    event.mark = from.view / graph_.threads();  // a number that stays the same
  };
  // A thread that is spawned comes after its spawn, and before its join. Who leaves a barrier comes after who has arrived.
  const auto areShown = [&](const std::uint64_t* events) {
    for (std::size_t w = 0; w < graph_.words(); ++w) {
      for (std::uint64_t rest = events[w]; rest != 0; rest &= rest - 1) {
        const auto event = static_cast<Number>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
        if (graph_[event].kind == EventKind::thread && shownAs_[event] == kNone) return false;
      }
    }
    return true;
  };
  std::vector<std::uint32_t> next(graph_.threads(), 0);
  for (bool added = true; added;) {
    added = false;
    for (unsigned t = 0; t < graph_.threads(); ++t) {
      const auto thread = static_cast<ThreadId>(t);
      const auto& slots = graph_.slots(thread);
      if (t >= program_.initialThreads() && shown_.last(thread) == kNone) continue;
      for (; next[t] < slots.size(); ++next[t]) {
        if (slots[next[t]].event == kNobody || slots[next[t]].waits) continue;
        const Operation& operation = slots[next[t]].operation;
        if (operation.kind == OperationKind::join && next[operation.thread] < at_[operation.thread].slot) break;
        if (operation.kind == OperationKind::depart && !areShown(graph_.row(CausalGraph::kBefore, slots[next[t]].event))) break;
        add(slots[next[t]].event);
        add(slots[next[t]].write);
        added = true;
      }
    }
  }
}

// What precedes each event in po | rf, on cycles as well.
void CausalExplorer::showClocks() const {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Number i : shownEvents_) {
      const EventId id = shownAs_[i];
      const auto join = [&](EventId before) {
        if (before == kNone || isInitial(before) || !clock::someGreater(shown_.porf(before), shown_.porf(id), shown_.chunks()))
          return;
        clock::join(shown_.porf(id), shown_.porf(before), shown_.chunks());
        changed = true;
      };
      join(shown_[id].poPrev);
      if (shown_[id].isRead()) join(shown_[id].rf);
      const Operation& operation = shown_.operation(id);
      if (operation.kind == OperationKind::join) join(shown_.last(operation.thread));
      if (operation.kind == OperationKind::depart) shown_.forEachArrival(id, join);
    }
  }
}

// Those of a full graph, in the order of its events.
void CausalExplorer::showDependencies() const {
  for (const Number number : shownEvents_) {
    const Slot& slot = graph_.slotOf(number);
    if (slot.write == number) {
      shown_.dependencies()->addWriteOf(shownAs_[slot.event], shownAs_[number]);
    } else {
      shown_.dependencies()->add(shown_, shownAs_[number], slot.dependencies);
    }
  }
}

void CausalExplorer::unshow() const {
  for (EventId id = shown_.newest(); id != kNone; id = shown_.newest()) {
    const Event& event = shown_[id];
    if (event.isRead()) {
      shown_.unsetRf(id);
      shown_.forgetRead(id);
    } else if (event.isWrite()) {
      shown_.unplace(id);
    }
    const Operation& operation = shown_.operation(id);
    if (operation.kind == OperationKind::spawn) shown_.setStart(operation.thread, kNone);
    if (operation.kind == OperationKind::join) shown_.setJoin(operation.thread, kNone);
    shown_.removeNewest();
  }
}

// What happens before the event, as the program wants to know it.
void CausalExplorer::computeView(Number event) {
  if (!isWatched_) return;
  graph_[event].view = static_cast<std::uint32_t>(views_.size());
  views_.resize(views_.size() + graph_.threads(), 0);
  Lane* const view = views_.data() + graph_[event].view;
  relations::EventSet to, before;
  to.reset(graph_.count());
  before.reset(graph_.count());
  to.set(event);
  predecessors_.find(*happensBefore_, to, before);
  before.set(event);
  const auto raise = [&](ThreadId thread, std::uint32_t index) {
    view[thread] = std::max(view[thread], static_cast<Lane>(index));
  };
  before.forEach([&](std::size_t i) {
    const auto number = static_cast<Number>(i);
    if (graph_[number].thread != graph_[event].thread && graph_.hasHoleBefore(number)) {
      throw LeftOut{"what a release lets others see would have to be done again after they have seen it"};
    }
    raise(graph_[number].thread, graph_.indexOf(number));
    // What a thread did after its last event happens before its join, too.
    const Operation& operation = graph_.operationOf(number);
    if (operation.kind == OperationKind::join) raise(operation.thread, graph_.eventsOf(operation.thread) + 1);
  });
}

// The graph as the thread sees it that goes on at its first hole. Several may run after a step, which see the same graph each with
// its own end.
void CausalExplorer::showTo(ThreadId thread) {
  if (isShown_) {
    shown_.endAt(ended_, lastOfEnded_);
  } else {
    show();
  }
  EventId last = kNone;
  const std::vector<Slot>& slots = graph_.slots(thread);
  if (const std::uint32_t at = at_[thread].slot; at != 0) {
    last = shownAs_[slots[at - 1].write != kNobody ? slots[at - 1].write : slots[at - 1].event];
  } else {
    graph_.all().forEach([&](std::size_t i) {
      const Operation& operation = graph_.operationOf(static_cast<Number>(i));
      if (operation.kind == OperationKind::spawn && operation.thread == thread) last = shownAs_[i];
    });
  }
  ended_ = thread;
  lastOfEnded_ = shown_.last(thread);
  shown_.endAt(thread, last);
}

// Two accesses of different threads to one location, a write among them and a plain one, that happens-before does not order.
void CausalExplorer::findRace() {
  const auto isAccess = [&](Number i) { return graph_[i].isRead() || graph_[i].isWrite(); };
  const auto isPlain = [&](Number i) { return contains(classes::kPlain, graph_[i].cls); };
  bool any = false;
  graph_.all().forEach([&](std::size_t i) { any = any || isPlain(static_cast<Number>(i)); });
  if (!any) return;
  const std::vector<Number> events = eventsByAge();
  std::vector<relations::EventSet> before(graph_.count());
  for (const Number event : events) {
    if (!isAccess(event)) continue;
    relations::EventSet to;
    to.reset(graph_.count());
    to.set(event);
    before[event].reset(graph_.count());
    predecessors_.find(*happensBefore_, to, before[event]);
  }
  for (auto i = events.begin(); i != events.end(); ++i) {
    for (auto j = i + 1; j != events.end(); ++j) {
      const CausalEvent &a = graph_[*i], &b = graph_[*j];
      if (a.thread == b.thread || !isAccess(*i) || !isAccess(*j)) continue;
      if (a.location != b.location || (a.isRead() && b.isRead()) || (!isPlain(*i) && !isPlain(*j))) continue;
      if (before[*j].test(*i) || before[*i].test(*j)) continue;
      statistics_.race = true;
      const ExecutionView& shown = execution();
      observer_.race(shown, {shownAs_[*i], shownAs_[*j]});
      return;
    }
  }
}

}  // namespace heddle::causal
