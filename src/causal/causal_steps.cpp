// Steps: what a thread does next, in all ways that are consistent.
#include <fmt/format.h>

#include <algorithm>

#include "causal/causal_explorer.h"
#include "explore/read_effect.h"
#include "program/lock.h"

namespace heddle::causal {

using relations::Level;

bool CausalExplorer::holds(Level changed) {
  evaluator_.change(changed);
  return evaluator_.axiomsHold();
}

bool CausalExplorer::isConsistent(const CausalGraph& graph) {
  trial_ = graph;
  return holds(Level::events);
}

// Is there nothing of the thread after what it does next? Then that precedes nothing, if it reads the co-last write or is placed
// co-last, so it is on no cycle.
bool CausalExplorer::isAtEnd(ThreadId thread) const {
  const std::vector<Slot>& slots = now_.graph.slots(thread);
  for (std::size_t i = now_.threads[thread].slot + 1; i < slots.size(); ++i) {
    if (slots[i].event != kNobody) return false;
  }
  return goesForward_;
}

// A new event for what the thread is paused at, with what that depends on.
Number CausalExplorer::append(CausalGraph& graph, ThreadId thread, EventKind kind, EventClass cls) const {
  const ThreadAt& at = now_.threads[thread];
  const Number event = graph.append(thread, at.slot, at.pending, kind, cls);
  graph[event].stamp = now_.nextStamp;
  Slot& slot = graph.slots(thread)[at.slot];
  slot.mark = at.mark;
  slot.waits = false;
  program_.dependencies(thread, slot.dependencies);
  if (kind == EventKind::read || kind == EventKind::write) graph[event].location = graph.locate(at.pending, program_);
  return event;
}

Number CausalExplorer::appendWriteOf(CausalGraph& graph, Number read) const {
  const CausalEvent of = graph[read];
  const Order order = of.operation.kind == OperationKind::lock ? orderOf(of.operation.lock) : of.operation.order;
  const Number write =
      graph.append(of.thread, of.slot, of.operation, EventKind::write, eventClass(EventKind::write, order, true));
  graph[write].stamp = now_.nextStamp;
  graph[write].location = of.location;
  graph[write].rmw = true;
  graph[write].value = explore::valueWritten(of.operation, of.value);
  return write;
}

// What is to be written next: that of a read-modify-write, or what the thread is paused at.
Number CausalExplorer::appendWrite(CausalGraph& graph, ThreadId thread) const {
  if (now_.unwritten != kNobody) return appendWriteOf(graph, now_.unwritten);
  const Operation& operation = now_.threads[thread].pending;
  const Order order = operation.kind == OperationKind::unlock ? Order::release : operation.order;
  const Number write = append(graph, thread, EventKind::write, eventClass(EventKind::write, order, operation.isExclusive));
  graph[write].value = operation.kind == OperationKind::unlock ? kFree : truncate(operation.operand(), operation.size);
  return write;
}

// What the read does with its value.
void CausalExplorer::takeEffect(CausalGraph& graph, Number read, bool spurious) {
  CausalEvent& event = graph[read];
  const explore::ReadEffect effect = explore::effectOfRead(event.operation, event.value, spurious);
  event.nonMaximal = spurious;
  event.rmw = effect.writes;
  const Order order = event.operation.hidesRead ? Order::plain : effect.order;
  event.cls = eventClass(EventKind::read, order, effect.writes || event.operation.isExclusive);
}

void CausalExplorer::addStep(ThreadId thread) {
  const Operation& operation = now_.threads[thread].pending;
  switch (operation.kind) {
    case OperationKind::lock:
    case OperationKind::cas:
      if (operation.lock == LockOp::read) {
        throw ProgramError("read-write locks are not supported yet in programs that may have load buffering: " +
                           program_.sourceText(operation.source));
      }
      [[fallthrough]];
    case OperationKind::load:
    case OperationKind::rmw: return addReadStep(thread);
    case OperationKind::unlock: checkHeld(thread); [[fallthrough]];
    case OperationKind::store: return addWriteStep(thread);
    case OperationKind::arrive:
    case OperationKind::depart:
      throw ProgramError("barriers are not supported yet in programs that may have load buffering: " +
                         program_.sourceText(operation.source));
    case OperationKind::choose: {
      Frame& frame = push(StepKind::choice, thread);
      const std::size_t choices = operation.mayFailSpuriously && !options_.spurious ? 1 : operation.choices();
      for (std::size_t value = 0; value < choices; ++value) frame.options.push_back({.position = value, .kept = {}});
      return;
    }
    default: push(StepKind::event, thread).options.emplace_back();
  }
}

// The last write of the thread to the mutex must be that of its lock.
void CausalExplorer::checkHeld(ThreadId thread) const {
  const Operation& operation = now_.threads[thread].pending;
  const std::vector<Slot>& slots = now_.graph.slots(thread);
  for (std::size_t i = std::min<std::size_t>(slots.size(), now_.threads[thread].slot); i > 0; --i) {
    const Slot& slot = slots[i - 1];
    if (slot.event == kNobody || slot.operation.address != operation.address) continue;
    if (slot.write != kNobody) return;
    if (slot.operation.kind == OperationKind::unlock) break;
  }
  throw ProgramError("a mutex is unlocked by a thread that does not hold it: " + program_.sourceText(operation.source));
}

void CausalExplorer::addReadStep(ThreadId thread) {
  Frame& frame = push(StepKind::read, thread);
  trial_ = now_.graph;
  const Operation& operation = now_.threads[thread].pending;
  const Number read = append(trial_, thread, EventKind::read, eventClass(EventKind::read, operation.order, false));
  const std::vector<Number>& order = trial_.locations()[trial_[read].location].order;
  Level changed = Level::events;
  const bool last = isAtEnd(thread);
  const auto offer = [&](Number source, bool spurious) {
    const EventClass before = trial_[read].cls;
    takeEffect(trial_, read, spurious);
    if (trial_[read].cls != before) changed = Level::events;
    if (last && source == (order.empty() ? kInitialWrite : order.back())) {
      frame.options.push_back({.source = source, .spurious = spurious, .kept = {}});
      return;
    }
    if (holds(changed)) {
      frame.options.push_back({.source = source, .spurious = spurious, .kept = {}});
    } else {
      ++statistics_.rejected;
    }
    changed = Level::readsFrom;
  };
  for (std::size_t i = order.size() + 1; i > 0; --i) {
    const Number source = i == 1 ? kInitialWrite : order[i - 2];
    trial_.setSource(read, source);
    offer(source, false);
    if (trial_[read].rmw && operation.mayFailSpuriously && options_.spurious) offer(source, true);
  }
}

void CausalExplorer::addWriteStep(ThreadId thread) {
  Frame& frame = push(StepKind::write, thread);
  CausalGraph graph = now_.graph;
  const Number write = appendWrite(graph, thread);
  const std::uint32_t location = graph[write].location;
  Level changed = Level::events;
  const bool exclusive = graph[write].operation.isExclusive;  // others may have come in between
  const bool last = !exclusive && isAtEnd(thread);
  const auto offer = [&](std::size_t position) {
    if (last && position == graph.locations()[location].order.size()) {
      frame.options.push_back({.position = position, .kept = {}});
      return;
    }
    if (changed == Level::events) trial_ = graph;
    trial_.place(write, position);
    if (holds(changed)) {
      frame.options.push_back({.position = position, .kept = {}});
    } else {
      ++statistics_.rejected;
    }
    trial_.unplace(write);
    changed = Level::coherence;
  };
  if (graph[write].rmw) {
    offer(graph.positionAfter(location, graph[now_.unwritten].rf));
  } else {
    for (std::size_t i = graph.locations()[location].order.size() + 1; i > 0; --i) offer(i - 1);
  }
  findRevisits(graph, write, frame.options);
}

void CausalExplorer::apply(const Frame& frame, const Option& option) {
  const ThreadId thread = frame.thread;
  switch (frame.kind) {
    case StepKind::event:
    case StepKind::choice: applyEvent(thread, option.position); break;
    case StepKind::read: applyRead(thread, option); break;
    case StepKind::write: applyWrite(thread, option); break;
  }
}

void CausalExplorer::applyEvent(ThreadId thread, std::size_t choice) {
  std::size_t result = choice;
  if (now_.threads[thread].pending.joinsRest) result = findUnjoined(thread);
  const Operation operation = now_.threads[thread].pending;
  const bool ofThreads = operation.kind == OperationKind::spawn || operation.kind == OperationKind::join;
  EventKind kind = EventKind::choice;
  EventClass cls = kChoiceClass;
  if (operation.kind == OperationKind::fence) {
    kind = EventKind::fence;
    cls = classOfFence(operation);
  } else if (ofThreads) {
    kind = EventKind::thread;
    cls = eventClass(EventKind::thread, Order::plain, false);
  }
  const bool spawns = operation.kind == OperationKind::spawn;
  if (spawns &&
      (operation.thread >= now_.threads.size() || now_.threads[operation.thread].state != explore::ThreadState::absent)) {
    throw ProgramError("a thread is started twice: " + program_.sourceText(operation.source));
  }
  const Number event = append(now_.graph, thread, kind, cls);
  ++now_.nextStamp;
  CausalEvent& added = now_.graph[event];
  added.value = choice;
  added.choices = operation.kind == OperationKind::choose ? static_cast<std::uint32_t>(operation.choices()) : 0;
  added.nonMaximal = choice != 0 && !operation.mayFailSpuriously;  // a store-exclusive: causal_revisit.cpp
  now_.graph.slotOf(event).result = {.value = result};
  computeView(event);
  if (spawns) startThread(operation.thread);
  settle(thread);
}

// Which thread is joined, of those that have ended and that nobody has joined. Returns whether there are more.
bool CausalExplorer::findUnjoined(ThreadId thread) {
  ThreadSet rest;
  for (unsigned t = 0; t < now_.threads.size(); ++t) {
    if (now_.threads[t].state == explore::ThreadState::ended) rest.insert(static_cast<ThreadId>(t));
  }
  for (Number i = 0; i < now_.graph.count(); ++i) {
    const Operation& operation = now_.graph[i].operation;
    if (operation.kind == OperationKind::join) rest.erase(operation.thread);
  }
  if (!rest.empty()) now_.threads[thread].pending.thread = rest.first();
  return rest.size() > 1;
}

void CausalExplorer::applyRead(ThreadId thread, const Option& option) {
  const Number read = append(now_.graph, thread, EventKind::read, 0);
  ++now_.nextStamp;
  now_.graph.setSource(read, option.source);
  takeEffect(now_.graph, read, option.spurious);
  computeView(read);
  finishRead(read);
  settle(thread);
}

// The read has its source. What comes next: its write, or the thread is given the value, or waits.
void CausalExplorer::finishRead(Number read) {
  const CausalEvent& event = now_.graph[read];
  Slot& slot = now_.graph.slotOf(read);
  slot.waits = mustWait(event.operation, event.value);
  slot.result = {.value = event.value, .success = false};
  if (event.rmw) now_.unwritten = read;
}

void CausalExplorer::applyWrite(ThreadId thread, const Option& option) {
  const Number write = appendWrite(now_.graph, thread);
  ++now_.nextStamp;
  Slot& slot = now_.graph.slotOf(write);
  slot.result = {.value = slot.event == write ? 0 : now_.graph[slot.event].value, .success = true};
  now_.unwritten = kNobody;
  if (option.isRevisit) {
    applyRevisit(write, option);
  } else {
    now_.graph.place(write, option.position);
    computeView(write);
    settle(thread);
  }
}

}  // namespace heddle::causal
