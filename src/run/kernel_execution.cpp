#include "run/kernel_execution.h"

#include "graph/dependency_edges.h"
#include "program/lock.h"
#include "run/kernel_tags.h"

namespace heddle::run {

using model::BaseRelation;
using relations::BitMatrix;

namespace {

constexpr std::size_t kNowhere = ~std::size_t{0};

bool isWmb(const ExecutionView& graph, EventId id) {
  return graph[id].kind == EventKind::fence && graph.operation(id).kernelFence() == EventTag::wmb;
}

bool isFull(const heddle::Event& event) { return (event.isRead() || event.isWrite()) && orderOf(event.cls) == Order::seq_cst; }

}  // namespace

void KernelExecution::assemble(const ExecutionView& graph, std::vector<PlainAccess>& accesses) {
  execution_.events.clear();
  shown_.clear();
  number_.assign(graph.top() - kFirstEvent, kNowhere);
  initial_.clear();
  locks_.clear();
  threads_.assign(graph.threads(), {0, 0});
  srcu_.clear();
  passed_.clear();
  stores_.clear();
  findLocations(graph);
  for (unsigned t = 0; t < graph.threads(); ++t) addThread(graph, static_cast<ThreadId>(t), accesses);
  for (BitMatrix& relation : execution_.base) relation.reset(execution_.size());
  relateThreads(graph);
  relateLocations();
  relateDependencies(graph);
  relateMemory(graph);
}

// ---- Events

// The initial writes come first.
void KernelExecution::findLocations(const ExecutionView& graph) {
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    const heddle::Event& event = graph[id];
    if (!event.isRead() && !event.isWrite()) continue;
    const Operation& operation = graph.operation(id);
    const bool locks = isLockOfMutex(operation) || operation.kind == OperationKind::unlock;
    if (locks && !isLock(event.location)) locks_.push_back(event.location);
    if (!initial_.try_emplace(event.location, execution_.size()).second) continue;
    execution_.events.push_back(
        {.isWrite = true, .hasLocation = true, .address = operation.address, .value = graph[event.location].value});
    shown_.push_back(kNone);
  }
}

void KernelExecution::addThread(const ExecutionView& graph, ThreadId thread, std::vector<PlainAccess>& accesses) {
  const auto addAccesses = [&](std::uint32_t from, std::uint32_t until) {
    for (PlainAccess& access : accesses) {
      if (access.thread != thread || access.index < from || access.index >= until) continue;
      const EventKind kind = access.write ? EventKind::write : EventKind::read;
      access.number = execution_.size();
      execution_.events.push_back(
          {.cls = eventClass(kind, Order::plain, false), .isRead = !access.write, .isWrite = access.write, .thread = thread});
      shown_.push_back(kNone);
    }
  };
  threads_[thread].first = execution_.size();
  const EventId first = graph.first(thread);
  const bool isSpawned = first != kNone ? graph[first].poPrev != kNone : graph.last(thread) != kNone;
  if (isSpawned) addFence(thread, tagBit(EventTag::mb));
  std::uint32_t index = 1;
  for (EventId id = first; id != kNone; id = graph[id].poNext, ++index) {
    addAccesses(index, index + 1);
    addEvent(graph, id);
  }
  addAccesses(index, ~0u);
  endSections(thread);
  if (isSpawned) addFence(thread, tagBit(EventTag::mb));
  threads_[thread].second = execution_.size();
}

void KernelExecution::addFence(ThreadId thread, EventTags tags, Address about) {
  execution_.events.push_back({.cls = eventClass(EventKind::fence, Order::relaxed, false),
                               .tags = tags,
                               .hasLocation = about != 0,
                               .thread = thread,
                               .address = about});
  shown_.push_back(kNone);
}

void KernelExecution::addEvent(const ExecutionView& graph, EventId id) {
  const heddle::Event& event = graph[id];
  const Operation& operation = graph.operation(id);
  if (event.kind == EventKind::choice) return;  // of no set
  if (event.kind == EventKind::thread && operation.kind != OperationKind::spawn && operation.kind != OperationKind::join) {
    throw LimitError("barriers of threads are not supported under the kernel's memory model");
  }
  if (isWmb(graph, id)) addStoresBefore(graph, id);
  const bool full = isFull(event);
  if (full && !(event.isWrite() && event.rmw)) addFence(event.thread, tagBit(EventTag::mb));
  const std::size_t number = execution_.size();
  number_[id - kFirstEvent] = number;
  execution_.events.push_back(describe(graph, id));
  shown_.push_back(id);
  if (full && !(event.isRead() && event.rmw)) addFence(event.thread, tagBit(EventTag::mb));
  const auto fence = event.kind == EventKind::fence ? operation.kernelFence() : std::nullopt;
  if (fence == EventTag::srcuLock) srcu_.push_back({number, operation.section(), operation.address, true});
  if (fence != EventTag::srcuUnlock) return;
  for (Section& section : srcu_) {
    if (section.value != operation.section() || section.about != operation.address) continue;
    section.isOpen = false;
    passed_.emplace_back(section.lock, number);
  }
}

void KernelExecution::addStoresBefore(const ExecutionView& graph, EventId fence) {
  if (graph.dependencies() == nullptr || graph.dependencies()->into(fence).empty()) return;
  stores_.emplace_back(execution_.size(), fence);
  execution_.events.push_back(
      {.cls = eventClass(EventKind::write, Order::plain, false), .isWrite = true, .thread = graph[fence].thread});
  shown_.push_back(kNone);
}

// Those of RCU nest.
void KernelExecution::endSections(ThreadId thread) {
  std::size_t open = 0;
  for (std::size_t i = threads_[thread].first; i < execution_.size(); ++i) {
    const EventTags tags = execution_.events[i].tags;
    if ((tags & tagBit(EventTag::rcuLock)) != 0) ++open;
    if ((tags & tagBit(EventTag::rcuUnlock)) != 0 && open != 0) --open;
  }
  for (; open != 0; --open) addFence(thread, tagBit(EventTag::rcuUnlock));
}

enumerate::Event KernelExecution::describe(const ExecutionView& graph, EventId id) const {
  const heddle::Event& event = graph[id];
  const Operation& operation = graph.operation(id);
  const bool isAccess = event.isRead() || event.isWrite();
  enumerate::Event result{.cls = event.cls,
                          .tags = tagsOf(graph, id),
                          .isRead = event.isRead(),
                          .isWrite = event.isWrite(),
                          .hasLocation = isAccess || operation.kind == OperationKind::fence,
                          .thread = event.thread,
                          .address = isAccess || operation.kind == OperationKind::fence ? operation.address : 0,
                          .value = event.value};
  if (operation.isEndOfLife()) {
    result.cls = eventClass(EventKind::write, Order::plain, false);
    result.isWrite = true;
    result.address = 0;
  }
  if (result.address == 0) result.hasLocation = false;
  // The halves of a lock are no read-modify-write to the model; the read of a compare-exchange that fails is half of one.
  if (isAccess && isLock(event.location)) {
    result.cls = eventClass(event.kind, orderOf(event.cls), false);
  } else if (event.isRead() && operation.kind == OperationKind::cas) {
    result.cls = eventClass(event.kind, orderOf(event.cls), true);
  }
  return result;
}

EventTags KernelExecution::tagsOf(const ExecutionView& graph, EventId id) const {
  const heddle::Event& event = graph[id];
  const Operation& operation = graph.operation(id);
  const Order order = orderOf(event.cls);
  if (event.kind == EventKind::fence) {
    if (const auto tag = operation.kernelFence()) return tagBit(*tag);
    return order == Order::seq_cst ? tagBit(EventTag::mb) : 0;
  }
  if (!event.isRead() && !event.isWrite()) return 0;
  if (order != Order::plain && isLock(event.location)) {
    if (event.isWrite()) return tagBit(event.rmw ? EventTag::lockWrite : EventTag::unlock);
    if (event.rmw) return tagBit(EventTag::lockRead);
    if (operation.kind == OperationKind::cas) return tagBit(EventTag::lockFails);
    return tagBit(event.value == kFree ? EventTag::readUnlocked : EventTag::readLocked);
  }
  if (event.isWrite()) return tagsOfWrite(order);
  return operation.hidesRead ? tagBit(EventTag::noreturn) : tagsOfRead(order);
}

// ---- Relations

void KernelExecution::relateThreads(const ExecutionView& graph) {
  BitMatrix& po = execution_[BaseRelation::po];
  for (unsigned t = 0; t < graph.threads(); ++t) {
    const auto [begin, end] = threads_[t];
    for (std::size_t i = begin; i + 1 < end; ++i) po.set(i, i + 1);
    if (begin == end) continue;
    // A thread without events has that of its spawn for the last one.
    const EventId first = graph.first(static_cast<ThreadId>(t));
    const EventId spawn = first != kNone ? graph[first].poPrev : graph.last(static_cast<ThreadId>(t));
    if (spawn != kNone) po.set(numberOf(spawn), begin);
    if (const EventId join = graph.joinOf(static_cast<ThreadId>(t)); join != kNone) po.set(end - 1, numberOf(join));
  }
  po.close();
  const std::vector<enumerate::Event>& events = execution_.events;
  for (std::size_t i = 0; i < events.size(); ++i) {
    execution_[BaseRelation::id].set(i, i);
    for (std::size_t j = 0; j < events.size(); ++j) {
      const bool sameThread = events[i].thread == events[j].thread && (events[i].thread >= 0 || i == j);
      execution_[sameThread ? BaseRelation::internal : BaseRelation::ext].set(i, j);
    }
  }
}

void KernelExecution::relateLocations() {
  const std::vector<enumerate::Event>& events = execution_.events;
  BitMatrix& loc = execution_[BaseRelation::loc];
  for (std::size_t i = 0; i < events.size(); ++i) {
    for (std::size_t j = 0; j < events.size() && events[i].hasLocation; ++j) {
      if (events[j].hasLocation && events[i].address == events[j].address) loc.set(i, j);
    }
  }
}

// What a compare-exchange expects and what it writes are not told apart: both decide whether and what is written, so they are
// taken to be control.
void KernelExecution::relateDependencies(const ExecutionView& graph) {
  for (const auto& [lock, unlock] : passed_) execution_[BaseRelation::data].set(lock, unlock);
  for (const auto& [store, fence] : stores_) {
    for (const DependencyEdges::Edge& edge : graph.dependencies()->into(fence)) {
      if (edge.kind != Dependency::addr || numberOf(edge.from) == kNowhere) continue;
      execution_[BaseRelation::addr].set(numberOf(edge.from), store);
    }
  }
  for (std::size_t number = 0; number < shown_.size(); ++number) {
    const EventId id = shown_[number];
    if (id == kNone) continue;
    const heddle::Event& event = graph[id];
    const Operation& operation = graph.operation(id);
    if (event.isWrite() && event.rmw) {
      execution_[BaseRelation::rmw].set(number - 1, number);
      const bool computes =
          operation.rmw != RmwOp::exchange && (operation.kind == OperationKind::rmw || operation.isConditional);
      if (computes) execution_[BaseRelation::data].set(number - 1, number);
      if (operation.kind == OperationKind::cas) execution_[BaseRelation::ctrl].set(number - 1, number);
    }
    if (graph.dependencies() == nullptr) continue;
    for (const DependencyEdges::Edge& edge : graph.dependencies()->into(id)) {
      const std::size_t from = numberOf(edge.from);
      if (from == kNowhere) continue;  // a choice
      if (edge.kind == Dependency::addr && !isWmb(graph, id)) execution_[BaseRelation::addr].set(from, number);
      if (edge.kind == Dependency::ctrl) execution_[BaseRelation::ctrl].set(from, number);
      if (edge.kind != Dependency::data || !event.isWrite()) continue;
      execution_[operation.kind == OperationKind::cas ? BaseRelation::ctrl : BaseRelation::data].set(from, number);
    }
  }
}

void KernelExecution::relateMemory(const ExecutionView& graph) {
  BitMatrix &rf = execution_[BaseRelation::rf], &co = execution_[BaseRelation::co], &rb = execution_[BaseRelation::rb];
  for (std::size_t number = 0; number < shown_.size(); ++number) {
    const EventId id = shown_[number];
    if (id == kNone || !graph[id].isWrite()) continue;
    for (EventId before = graph[id].coPrev; before != kNone; before = isInitial(before) ? kNone : graph[before].coPrev) {
      co.set(numberOf(before), number);
    }
  }
  for (std::size_t number = 0; number < shown_.size(); ++number) {
    const EventId id = shown_[number];
    if (id == kNone || !graph[id].isRead()) continue;
    const std::size_t source = numberOf(graph[id].rf);
    rf.set(source, number);
    std::copy_n(co.row(source), co.words(), rb.row(number));
  }
}

}  // namespace heddle::run
