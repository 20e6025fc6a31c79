// Graphs as observers see them, and the program.
//
// They know graphs of the ordinary kind (graph/graph.h). A full graph has no holes, so it can be shown as one; only its
// clocks mean less where po | rf has a cycle. A lock that waits is not shown, as it has not been taken.
//
// A native program looks at the graph whenever a thread runs. There may be holes in it then, which are not shown. What happens
// before an event has none: whatever releases comes after all that is before it in its thread, by the causal order of each
// model that comes with Heddle, and others are refused. So clocks of happens-before count the right events, and so do the indices of events that come before a
// hole. A thread that goes on in its first hole sees itself end there.
#include "causal/causal_explorer.h"

namespace heddle::causal {

using explore::ThreadState;

// Does a thread wait for a mutex that has been released since it looked? It would have gone on.
bool CausalExplorer::isPassedOver() const {
  for (unsigned t = 0; t < now_.threads.size(); ++t) {
    if (now_.threads[t].state != ThreadState::locking) continue;
    if (now_.threads[t].pending.orNever) return true;
    const CausalEvent& read = now_.graph[now_.graph.slots(static_cast<ThreadId>(t))[now_.threads[t].slot].event];
    const std::size_t after = now_.graph.positionAfter(read.location, read.rf);
    if (after != now_.graph.locations()[read.location].order.size()) return true;
  }
  return false;
}

// No thread can go on. False when the observer has seen enough.
bool CausalExplorer::fullGraph() {
  if (isPassedOver()) return true;
  if (remembers_ && !seen_.insert(now_.graph.signature(kNobody)).second) return true;
  for (unsigned t = 0; t < now_.threads.size(); ++t) {
    pending_[t] = now_.threads[t].pending;
    setState(static_cast<ThreadId>(t), now_.threads[t].state);
  }
  unshow();
  show();
  if (happensBefore_ && !statistics_.race && !replaying_) findRace();
  bool failed = false;
  for (unsigned t = 0; t < now_.threads.size(); ++t) {
    if (now_.threads[t].state != ThreadState::failed) continue;
    failed = true;
    observer_.error(shown_, static_cast<ThreadId>(t), now_.threads[t].pending);
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

void CausalExplorer::show() {
  const CausalGraph& graph = now_.graph;
  shownAs_.assign(graph.count(), kNone);
  const auto add = [&](Number number) {
    if (number == kNobody) return;
    const CausalEvent& from = graph[number];
    const EventId id = shown_.append(from.thread, from.kind, from.cls);
    shownAs_[number] = id;
    shown_.operation(id) = from.operation;
    Event& event = shown_[id];
    event.value = from.value;
    event.rmw = from.rmw;
    event.nonMaximal = from.nonMaximal;
    event.choices = from.choices;
    if (from.kind == EventKind::thread) event.partner = from.operation.thread;
    if (from.operation.kind == OperationKind::spawn) shown_.setStart(from.operation.thread, id);
    if (from.operation.kind == OperationKind::join) shown_.setJoin(from.operation.thread, id);
    if (event.isRead() || event.isWrite())
      event.location = shown_.locate(from.operation.address, from.operation.size, program_);
    if (isWatched_) std::copy_n(views_.data() + from.view, shown_.threads(), shown_.view(id, raceView()));
    event.mark = from.view / graph.threads();  // a number that stays the same
  };
  // A thread that is spawned comes after its spawn, and before its join.
  std::vector<std::uint32_t> next(graph.threads(), 0);
  for (bool added = true; added;) {
    added = false;
    for (unsigned t = 0; t < graph.threads(); ++t) {
      const auto thread = static_cast<ThreadId>(t);
      const auto& slots = graph.slots(thread);
      if (t >= program_.initialThreads() && shown_.last(thread) == kNone) continue;
      for (; next[t] < slots.size(); ++next[t]) {
        if (slots[next[t]].event == kNobody || slots[next[t]].waits) continue;
        const Operation& operation = slots[next[t]].operation;
        if (operation.kind == OperationKind::join && next[operation.thread] < now_.threads[operation.thread].slot) break;
        add(slots[next[t]].event);
        add(slots[next[t]].write);
        added = true;
      }
    }
  }
  for (const CausalLocation& location : graph.locations()) {
    EventId previous = shown_.locate(location.address, location.size, program_);
    shown_[previous].value = location.initial;
    for (const Number write : location.order) {
      shown_.placeAfter(shownAs_[write], previous);
      previous = shownAs_[write];
    }
  }
  for (Number i = 0; i < graph.count(); ++i) {
    const EventId id = shownAs_[i];
    if (!graph[i].isRead() || id == kNone) continue;
    shown_.setRf(id, graph[i].rf == kInitialWrite ? shown_[id].location : shownAs_[graph[i].rf]);
    shown_.noteRead(id);
  }
  // What precedes each event in po | rf, on cycles as well.
  for (bool changed = true; changed;) {
    changed = false;
    for (Number i = 0; i < graph.count(); ++i) {
      const EventId id = shownAs_[i];
      if (id == kNone) continue;
      const auto join = [&](EventId before) {
        if (before == kNone || isInitial(before) || !clock::someGreater(shown_.porf(before), shown_.porf(id), shown_.chunks()))
          return;
        clock::join(shown_.porf(id), shown_.porf(before), shown_.chunks());
        changed = true;
      };
      join(shown_[id].poPrev);
      if (graph[i].isRead()) join(shown_[id].rf);
      if (graph[i].operation.kind == OperationKind::join) join(shown_.last(graph[i].operation.thread));
    }
  }
}

void CausalExplorer::unshow() {
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
  CausalGraph& graph = now_.graph;
  graph[event].view = static_cast<std::uint32_t>(views_.size());
  views_.resize(views_.size() + graph.threads(), 0);
  Lane* const view = views_.data() + graph[event].view;
  trial_ = graph;
  evaluator_.change(relations::Level::events);
  const relations::BitMatrix& order = evaluator_.value(*happensBefore_);
  const auto raise = [&](ThreadId thread, std::uint32_t index) {
    view[thread] = std::max(view[thread], static_cast<Lane>(index));
  };
  for (Number i = 0; i < graph.count(); ++i) {
    if (i != event && !order.test(i, event)) continue;
    if (graph[i].thread != graph[event].thread && graph.hasHoleBefore(i)) {
      throw ProgramError(
          "the model lets others see a release, or what a fence releases, before what comes before it in its thread: programs "
          "cannot be checked under it, only litmus tests");
    }
    raise(graph[i].thread, graph.indexOf(i));
    // What a thread did after its last event happens before its join, too.
    const Operation& operation = graph[i].operation;
    if (operation.kind == OperationKind::join) raise(operation.thread, graph.eventsOf(operation.thread) + 1);
  }
}

// The graph as the thread sees it that goes on at its first hole.
void CausalExplorer::showTo(ThreadId thread) {
  unshow();
  show();
  EventId last = kNone;
  const std::vector<Slot>& slots = now_.graph.slots(thread);
  if (const std::uint32_t at = now_.threads[thread].slot; at != 0) {
    last = shownAs_[slots[at - 1].write != kNobody ? slots[at - 1].write : slots[at - 1].event];
  } else {
    for (Number i = 0; i < now_.graph.count(); ++i) {
      const Operation& operation = now_.graph[i].operation;
      if (operation.kind == OperationKind::spawn && operation.thread == thread) last = shownAs_[i];
    }
  }
  shown_.endAt(thread, last);
}

// Two accesses of different threads to one location, a write among them and a plain one, that happens-before does not order.
void CausalExplorer::findRace() {
  const CausalGraph& graph = now_.graph;
  const auto isPlain = [&](Number i) { return contains(classes::kPlain, graph[i].cls); };
  bool any = false;
  for (Number i = 0; i < graph.count(); ++i) any = any || isPlain(i);
  if (!any) return;
  trial_ = graph;
  evaluator_.change(relations::Level::events);
  const relations::BitMatrix& order = evaluator_.value(*happensBefore_);
  for (Number i = 0; i < graph.count(); ++i) {
    for (Number j = i + 1; j < graph.count(); ++j) {
      const CausalEvent &a = graph[i], &b = graph[j];
      if (a.thread == b.thread || !(a.isRead() || a.isWrite()) || !(b.isRead() || b.isWrite())) continue;
      if (a.location != b.location || (a.isRead() && b.isRead()) || (!isPlain(i) && !isPlain(j))) continue;
      if (order.test(i, j) || order.test(j, i)) continue;
      statistics_.race = true;
      observer_.race(shown_, {shownAs_[i], shownAs_[j]});
      return;
    }
  }
}

}  // namespace heddle::causal
