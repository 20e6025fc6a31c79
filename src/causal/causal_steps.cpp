// Steps: what a thread does next, in all ways that are consistent.
#include <fmt/format.h>

#include <algorithm>

#include "causal/causal_explorer.h"
#include "explore/read_effect.h"
#include "program/lock.h"
#include "util/hash.h"

namespace heddle::causal {

namespace {

bool isOfThreads(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::spawn:
    case OperationKind::join:
    case OperationKind::arrive:
    case OperationKind::depart: return true;
    default: return false;
  }
}

}  // namespace

// Is there nothing of the thread after what it does next? Then that precedes nothing, if it reads the co-last write or is placed
// co-last, so it is on no cycle.
bool CausalExplorer::isAtEnd(ThreadId thread) const {
  if (!consistency_.allowsLast()) return false;
  const std::vector<Slot>& slots = graph_.slots(thread);
  for (std::size_t i = at_[thread].slot + 1; i < slots.size(); ++i) {
    if (slots[i].event != kNobody) return false;
  }
  return true;
}

// Has the thread done something else there, for a reason that its dependencies do not tell? Then it comes by different ways to what is
// after a branch, or with another value. A revisit by a write there takes out what decides that, and is refused if that was not
// added in the maximal way; but with the maximal one the thread may not come to the write. What is no write revisits nothing.
//
// What may decide are the values of what it depends on, and what acquires before it have read from: plain memory of other threads.
void CausalExplorer::noteWay(ThreadId thread, const Slot& slot) {
  const Operation& operation = slot.operation;
  const Dependencies& on = slot.dependencies;
  const std::vector<Slot>& slots = graph_.slots(thread);
  const std::uint32_t at = at_[thread].slot;
  const bool isStore = operation.kind == OperationKind::store || operation.kind == OperationKind::rmw;
  const bool reads = operation.kind == OperationKind::load;
  const bool writes = !reads && operation.kind != OperationKind::fence && operation.kind != OperationKind::choose;
  const auto sources = [](std::uint64_t hash, const std::vector<std::uint32_t>& of) {
    for (const std::uint32_t source : of) hash = util::mix(hash, source + 1);
    return util::mix(hash, 0);
  };
  const auto values = [&](std::uint64_t hash, const std::vector<std::uint32_t>& of) {
    for (const std::uint32_t source : of) {
      const Result& result = slots[source].result;
      hash = util::mix(util::mix(hash, source + 1), result.value << 1 | Value{result.success});
    }
    return util::mix(hash, 0);
  };
  const auto decides = [&](std::uint64_t reason, std::uint64_t what) {
    what = what << 1 | std::uint64_t{writes};
    const auto [known, isNew] = ways_[thread].try_emplace(reason, what);
    if (isNew || known->second == what || ((known->second | what) & 1) == 0) return;
    leftOut_ =
        "what the thread does at " + program_.sourceText(operation.source) + " depends on a branch that has ended before it";
  };
  if (ways_.size() <= thread) ways_.resize(thread + 1u);
  const std::uint64_t place = util::mix(1, at);
  decides(util::mix(place, 1), sources(1, on.control));
  std::uint64_t reason = values(util::mix(place, 2), on.control);
  for (std::uint32_t before = 0; before < at; ++before) {
    const Number event = slots[before].event;
    if (event == kNobody || !graph_[event].isRead()) continue;
    const Order order = orderOf(graph_[event].cls);
    if (order != Order::acquire && order != Order::acq_rel && order != Order::seq_cst) continue;
    const Number from = graph_[event].rf;
    reason = util::mix(reason, from >= kInitialWrite ? 1 : (std::uint64_t{graph_[from].thread} << 32 | graph_[from].slot) + 2);
  }
  std::uint64_t what = util::mix(static_cast<std::uint64_t>(operation.kind) << 32 | operation.source, 1);
  decides(reason, sources(sources(what, on.address), on.data));
  reason = values(values(util::mix(reason, 3), on.address), on.data);
  what = util::mix(1, operation.address);
  if (isStore || operation.kind == OperationKind::cas) what = util::mix(what, operation.operand());
  if (operation.kind == OperationKind::cas) what = util::mix(what, operation.expected());
  decides(reason, what);
}

// A new event for what the thread is paused at, with what that depends on.
Number CausalExplorer::append(ThreadId thread, const Operation& operation, CausalEvent event) {
  const ThreadAt& at = at_[thread];
  std::vector<Slot>& slots = graph_.slots(thread);
  if (slots.size() <= at.slot) slots.resize(at.slot + 1);
  Slot& slot = slots[at.slot];
  slot.operation = operation;
  slot.mark = at.mark;
  slot.waits = false;
  program_.dependencies(thread, slot.dependencies);
  if (controlEnds_) noteWay(thread, slot);
  event.thread = thread;
  event.slot = at.slot;
  event.stamp = nextStamp_++;
  if (event.isRead() || event.isWrite()) event.location = graph_.locate(operation, slot.location, program_);
  slot.location = event.location;
  return graph_.append(event);
}

Number CausalExplorer::appendWriteOf(Number read) {
  const CausalEvent& of = graph_[read];
  const Operation& operation = graph_.operationOf(read);
  const Order order = operation.kind == OperationKind::lock ? orderOf(operation.lock) : operation.order;
  CausalEvent write;
  write.kind = EventKind::write;
  write.cls = eventClass(EventKind::write, order, true);
  write.thread = of.thread;
  write.slot = of.slot;
  write.stamp = nextStamp_;
  write.location = of.location;
  write.rmw = true;
  write.value = explore::valueWritten(operation, of.value);
  return graph_.append(write);
}

// What is to be written next: that of a read-modify-write, or what the thread is paused at.
Number CausalExplorer::appendWrite(ThreadId thread) {
  if (unwritten_ != kNobody) {
    const Number write = appendWriteOf(unwritten_);
    ++nextStamp_;
    return write;
  }
  const Operation& operation = pending_[thread];
  const bool unlocks = operation.kind == OperationKind::unlock;
  CausalEvent write;
  write.kind = EventKind::write;
  write.cls = eventClass(EventKind::write, unlocks ? Order::release : operation.order, operation.isExclusive);
  write.value = unlocks ? kFree : truncate(operation.operand(), operation.size);
  return append(thread, operation, write);
}

// What the read does with its value.
void CausalExplorer::takeEffect(Number read, bool spurious) {
  CausalEvent& event = graph_[read];
  const Operation& operation = graph_.operationOf(read);
  const bool waits = event.rf == kNobody;  // for a source with which it fails
  const explore::ReadEffect effect =
      waits ? explore::ReadEffect{false, operation.failureOrder} : explore::effectOfRead(operation, event.value, spurious);
  event.nonMaximal = spurious;
  event.rmw = effect.writes;
  const Order order = operation.hidesRead ? Order::plain : effect.order;
  event.cls = eventClass(EventKind::read, order, effect.writes || operation.isExclusive);
}

bool CausalExplorer::mayFailSpuriously(Number read) const {
  return graph_[read].rmw && graph_.operationOf(read).mayFailSpuriously && options_.spurious;
}

void CausalExplorer::addStep(ThreadId thread) {
  const Operation& operation = pending_[thread];
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
    case OperationKind::transaction: throw explore::Transactions("a transaction: " + program_.sourceText(operation.source));
    case OperationKind::choose: {
      addEventStep(StepKind::choice, thread);
      const std::size_t choices = operation.mayFailSpuriously && !options_.spurious ? 1 : operation.choices();
      for (std::uint32_t value = 0; value < choices; ++value) offer({.choice = value});
      return;
    }
    default: addEventStep(StepKind::event, thread); offer({});
  }
}

// The last write of the thread to the mutex must be that of its lock.
void CausalExplorer::checkHeld(ThreadId thread) const {
  const Operation& operation = pending_[thread];
  const std::vector<Slot>& slots = graph_.slots(thread);
  for (std::size_t i = std::min<std::size_t>(slots.size(), at_[thread].slot); i > 0; --i) {
    const Slot& slot = slots[i - 1];
    if (slot.event == kNobody || slot.operation.address != operation.address) continue;
    if (slot.write != kNobody) return;
    if (slot.operation.kind == OperationKind::unlock) break;
  }
  throw ProgramError("a mutex is unlocked by a thread that does not hold it: " + program_.sourceText(operation.source));
}

void CausalExplorer::addEventStep(StepKind kind, ThreadId thread) {
  Frame& frame = push(kind, thread);
  const Operation operation = pending_[thread].joinsRest ? joinOfUnjoined(thread) : pending_[thread];
  CausalEvent event;
  event.kind = EventKind::choice;
  event.cls = kChoiceClass;
  if (operation.kind == OperationKind::fence) {
    event.kind = EventKind::fence;
    event.cls = classOfFence(operation);
  } else if (isOfThreads(operation)) {
    event.kind = EventKind::thread;
    event.cls = eventClass(EventKind::thread, Order::plain, false);
  }
  if (operation.kind == OperationKind::spawn &&
      (operation.thread >= at_.size() || state_[operation.thread] != explore::ThreadState::absent)) {
    throw ProgramError("a thread is started twice: " + program_.sourceText(operation.source));
  }
  event.choices = operation.kind == OperationKind::choose ? static_cast<std::uint32_t>(operation.choices()) : 0;
  if (operation.kind == OperationKind::arrive) event.round = nextRound(thread), meets_ = true;
  if (operation.kind == OperationKind::depart) event.round = roundOf(thread);
  frame.event = append(thread, operation, event);
}

void CausalExplorer::addReadStep(ThreadId thread) {
  Frame& frame = push(StepKind::read, thread);
  const bool last = isAtEnd(thread);
  CausalEvent event;
  event.kind = EventKind::read;
  const Number read = frame.event = append(thread, pending_[thread], event);
  const std::uint32_t location = graph_[read].location;
  const Number lastWrite = graph_.lastWrite(location);
  const bool conditional = isConditional(read);
  const auto tryOut = [&](Number source, bool spurious) {
    takeEffect(read, spurious);
    if (((last && source == lastWrite) || consistency_.holds(read, graph_.all())) &&
        (!conditional || staysBehind(read, graph_.all()))) {
      offer({.other = source, .spurious = spurious});
    } else {
      ++statistics_.rejected;
    }
  };
  for (Number source = lastWrite;; source = graph_[source].coPrev) {
    graph_.setSource(read, source);
    tryOut(source, false);
    if (mayFailSpuriously(read)) tryOut(source, true);
    if (source == kInitialWrite) break;
  }
  if (frame.count != 0) return;
  if (conditional) return offer({});  // it waits for a write that it can read
  noticeNoRoom(read);
}

// What a revisit has taken out can be done again: in the maximal way something can always be added. If not, what was kept should have
// come after it, and executions in which it does are missed. After another way than the maximal one there may be nothing to add.
void CausalExplorer::noticeNoRoom(Number event) {
  if (remembers_) return;  // causal_revisit.cpp
  for (std::size_t height = height_ - 1; height > 0; --height) {
    const Frame& frame = frames_[height - 1];
    if (alternatives_[frame.first + frame.next - 1].read != kNobody) break;
    if (frame.next != 1) return;
  }
  leftOut_ = "after a revisit nothing is left that could be done at " + program_.sourceText(graph_.operationOf(event).source) +
             "; the model's `commit-by` or `barrier-by` lacks something that its axioms say";
}

void CausalExplorer::addWriteStep(ThreadId thread) {
  Frame& frame = push(StepKind::write, thread);
  const bool atEnd = isAtEnd(thread);
  const Number write = frame.event = appendWrite(thread);
  const std::uint32_t location = graph_[write].location;
  const bool last = atEnd && !graph_.operationOf(write).isExclusive;  // others may have come in between
  const Number lastWrite = graph_.lastWrite(location);
  const auto tryOut = [&](Number after) {
    graph_.place(write, after);
    if ((last && after == lastWrite) || consistency_.holds(write, graph_.all())) {
      offer({.other = after});
    } else {
      ++statistics_.rejected;
    }
    graph_.unplace(write);
  };
  if (graph_[write].rmw) {
    tryOut(graph_[unwritten_].rf);
  } else {
    for (Number after = lastWrite;; after = graph_[after].coPrev) {
      tryOut(after);
      if (after == kInitialWrite) break;
    }
    if (top().count == 0) noticeNoRoom(write);
  }
  findRevisits(write);
}

void CausalExplorer::apply(const Frame& frame, const Option& option) {
  switch (frame.kind) {
    case StepKind::event:
    case StepKind::choice: return applyEvent(frame, option.choice);
    case StepKind::read: return applyRead(frame, option);
    case StepKind::write: return applyWrite(frame, option);
  }
}

void CausalExplorer::applyEvent(const Frame& frame, std::uint32_t choice) {
  CausalEvent& event = graph_[frame.event];
  Slot& slot = graph_.slotOf(frame.event);
  const Operation operation = slot.operation;
  event.value = choice;
  event.nonMaximal = choice != 0 && !operation.mayFailSpuriously;  // a store-exclusive: causal_revisit.cpp
  if (holds()) order_.hold(graph_, frame.event);
  slot.result = {.value = operation.joinsRest ? Value{hasMoreToJoin()} : Value{choice}};
  if (operation.kind == OperationKind::arrive) slot.result = resultOfArrival(frame.event);
  computeView(frame.event);
  if (operation.kind == OperationKind::spawn) startThread(operation.thread);
  settle(frame.thread);
}

// The threads that have ended and that nobody has joined.
ThreadSet CausalExplorer::unjoinedThreads() const {
  ThreadSet rest = endedThreads();
  graph_.all().forEach([&](std::size_t i) {
    const Operation& operation = graph_.operationOf(static_cast<Number>(i));
    if (operation.kind == OperationKind::join) rest.erase(operation.thread);
  });
  return rest;
}

// Which thread is joined, by one that joins all others. And are there more?
Operation CausalExplorer::joinOfUnjoined(ThreadId thread) const {
  Operation operation = pending_[thread];
  const ThreadSet rest = unjoinedThreads();
  if (!rest.empty()) operation.thread = rest.first();
  return operation;
}
bool CausalExplorer::hasMoreToJoin() const { return !unjoinedThreads().empty(); }

void CausalExplorer::applyRead(const Frame& frame, const Option& option) {
  graph_.setSource(frame.event, option.other);
  takeEffect(frame.event, option.spurious);
  if (holds()) order_.hold(graph_, frame.event);
  computeView(frame.event);
  finishRead(frame.event);
  settle(frame.thread);
}

// The read has its source. What comes next: its write, or the thread is given the value, or waits.
void CausalExplorer::finishRead(Number read) {
  const CausalEvent& event = graph_[read];
  Slot& slot = graph_.slotOf(read);
  slot.waits = event.rf == kNobody || mustWait(slot.operation, event.value);
  slot.result = {.value = event.value, .success = false};
  if (event.rmw) unwritten_ = read;
}

void CausalExplorer::applyWrite(const Frame& frame, const Option& option) {
  Slot& slot = graph_.slotOf(frame.event);
  slot.result = {.value = slot.event == frame.event ? 0 : graph_[slot.event].value, .success = true};
  unwritten_ = kNobody;
  if (holds()) order_.hold(graph_, frame.event);
  graph_.place(frame.event, option.other);
  if (option.read != kNobody) {
    applyRevisit(frame.event, option);
  } else {
    computeView(frame.event);
    settle(frame.thread);
  }
}

}  // namespace heddle::causal
