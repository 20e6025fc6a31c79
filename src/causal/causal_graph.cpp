#include "causal/causal_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "graph/graph.h"
#include "program/barrier.h"

namespace heddle::causal {

using relations::EventSet;

void CausalGraph::clear() {
  words_ = 1;
  size_ = 0;
  events_.assign(64, {});
  rows_.assign(64 * kRows, 0);
  all_.reset(64);
  ofThread_.assign(slots_.size(), all_);
  spawn_.assign(slots_.size(), kNobody);
  join_.assign(slots_.size(), kNobody);
  threadEvents_ = 0;
  for (std::vector<Slot>& slots : slots_) slots.clear();
  locations_.clear();
}

void CausalGraph::reserve(std::size_t more) {
  if (size_ + more <= 64 * words_) return;
  const std::size_t words = 2 * words_, count = 64 * words;
  std::vector<std::uint64_t> rows(count * kRows * words, 0);
  for (std::size_t i = 0; i < 64 * words_ * kRows; ++i) std::copy_n(rows_.data() + i * words_, words_, rows.data() + i * words);
  rows_ = std::move(rows);
  words_ = words;
  events_.resize(count);
  all_.resize(count);
  for (EventSet& events : ofThread_) events.resize(count);
  for (CausalLocation& location : locations_) {
    location.accesses.resize(count);
    location.initialReaders.resize(count);
  }
}

std::uint32_t CausalGraph::locate(const Operation& access, std::uint32_t guess, const Program& program) {
  const ByteRange bytes{access.address, access.size};
  const auto isSame = [&](std::uint32_t l) {
    return locations_[l].address == bytes.address && locations_[l].size == bytes.size;
  };
  std::uint32_t found = guess;
  if (guess >= locations_.size() || !isSame(guess)) {
    for (found = 0; found < locations_.size() && !isSame(found);) ++found;
  }
  if (found == locations_.size()) {
    CausalLocation& location = locations_.emplace_back();
    location.address = bytes.address;
    location.size = bytes.size;
    location.accesses.reset(count());
    location.initialReaders.reset(count());
    for (std::uint32_t l = 0; l < found; ++l) {
      if (bytes.overlaps({locations_[l].address, locations_[l].size})) locations_[l].overlaps = location.overlaps = true;
    }
  }
  CausalLocation& location = locations_[found];
  if (!location.accesses.isEmpty()) return found;
  location.initial = program.initialValue(bytes.address, bytes.size);
  for (std::uint32_t l = 0; location.overlaps && l < locations_.size(); ++l) {
    const CausalLocation& other = locations_[l];
    if (l == found || other.accesses.isEmpty() || !bytes.overlaps({other.address, other.size})) continue;
    throw MixedSizes(fmt::format("{} and {}", program.locationName(other.address, other.size),
                                 program.locationName(bytes.address, bytes.size)));
  }
  return found;
}

std::uint32_t CausalGraph::indexOf(Number event) const {
  std::uint32_t index = 0;
  for (const Slot& slot : slots_[events_[event].thread]) {
    for (const Number each : {slot.event, slot.write}) {
      index += each != kNobody;
      if (each == event) return index;
    }
  }
  return index;
}

bool CausalGraph::hasHoleBefore(Number event) const {
  const std::vector<Slot>& slots = slots_[events_[event].thread];
  return std::any_of(slots.begin(), slots.begin() + events_[event].slot,
                     [](const Slot& slot) { return slot.event == kNobody; });
}

std::uint32_t CausalGraph::eventsOf(ThreadId thread) const {
  std::uint32_t count = 0;
  for (const Slot& slot : slots_[thread]) count += (slot.event != kNobody) + (slot.write != kNobody);
  return count;
}

// ---- Events that come and go.

Number CausalGraph::append(const CausalEvent& event) {
  std::size_t word = 0;
  while (all_.data()[word] == ~std::uint64_t{0}) ++word;
  const auto number = static_cast<Number>(word * 64 + static_cast<std::size_t>(std::countr_one(all_.data()[word])));
  events_[number] = event;
  Slot& slot = slotOf(number);
  (slot.event == kNobody ? slot.event : slot.write) = number;
  enter(number);
  return number;
}

void CausalGraph::remove(Number event) {
  if (events_[event].isRead()) unlinkReader(event);
  leave(event);
}

void CausalGraph::takeOut(Number number, Removed& removed) {
  CausalEvent& event = events_[number];
  removed.number = number;
  removed.event = event;
  Slot& slot = slotOf(number);
  if (slot.event == number) {
    removed.slot.operation = slot.operation;
    removed.slot.mark = slot.mark;
    removed.slot.result = slot.result;
    removed.slot.waits = slot.waits;
    std::swap(removed.slot.dependencies, slot.dependencies);
    std::swap(removed.slot.held, slot.held);
  }
  removed.slot.event = slot.event;
  if (event.isRead() || event.isWrite()) removed.initial = locations_[event.location].initial;
  if (event.isRead()) unlinkReader(number);
  if (event.isWrite() && event.coPrev != kNobody) unplace(number);
  leave(number);
}

void CausalGraph::putBack(Removed& removed) {
  const Number number = removed.number;
  events_[number] = removed.event;
  CausalEvent& event = events_[number];
  Slot& slot = slotOf(number);
  if (removed.slot.event == number) {
    slot.operation = removed.slot.operation;
    slot.mark = removed.slot.mark;
    slot.result = removed.slot.result;
    slot.waits = removed.slot.waits;
    std::swap(removed.slot.dependencies, slot.dependencies);
    std::swap(removed.slot.held, slot.held);
    slot.event = number;
  } else {
    slot.write = number;
  }
  if (event.isRead() || event.isWrite()) locations_[event.location].initial = removed.initial;
  const Number after = std::exchange(event.coPrev, kNobody);
  event.coNext = kNobody;
  const Number source = std::exchange(event.rf, kNobody);
  enter(number);
  if (event.isWrite() && after != kNobody) place(number, after);
  if (event.isRead() && source != kNobody) {
    event.rf = source;
    linkReader(number);
  }
}

// The event is in its slot.
void CausalGraph::enter(Number number) {
  const CausalEvent& event = events_[number];
  ++size_;
  std::fill_n(row(kBefore, number), kRows * words_, 0);
  if (event.isRead() || event.isWrite()) locations_[event.location].accesses.set(number);
  connect(number);
  const Slot& slot = slotOf(number);
  if (slot.event != kNobody) fillDependencies(number);
  // The write of a read-modify-write that is put back before its read: what it depends on comes with that.
  if (slot.event == number && slot.write != kNobody) fillDependencies(slot.write);
  all_.set(number);
  ofThread_[event.thread].set(number);
}

void CausalGraph::leave(Number number) {
  const CausalEvent& event = events_[number];
  --size_;
  all_.clear(number);
  ofThread_[event.thread].clear(number);
  if (event.isRead() || event.isWrite()) locations_[event.location].accesses.clear(number);
  disconnect(number);
  Slot& slot = slotOf(number);
  (slot.write == number ? slot.write : slot.event) = kNobody;
}

// ---- Program order, which is kept closed. A spawn comes before all of its thread, and a join after it; a departure from a barrier
// comes after the arrivals of its round.

Number* CausalGraph::threadEdge(Number event) {
  const Operation& operation = operationOf(event);
  if (operation.kind == OperationKind::spawn) return &spawn_[operation.thread];
  return operation.kind == OperationKind::join ? &join_[operation.thread] : nullptr;
}

void CausalGraph::addMeetings(Number number, EventSet& before, EventSet& after) const {
  const Operation& operation = operationOf(number);
  const bool arrives = operation.kind == OperationKind::arrive;
  if (!arrives && operation.kind != OperationKind::depart) return;
  all_.forEach([&](std::size_t i) {
    const Operation& other = operationOf(static_cast<Number>(i));
    if (other.kind != (arrives ? OperationKind::depart : OperationKind::arrive) || !isSameBarrier(operation, other)) return;
    if (events_[i].round == events_[number].round) (arrives ? after : before).set(i);
  });
}

void CausalGraph::connect(Number number) {
  const CausalEvent& event = events_[number];
  const bool isHalf = slotOf(number).write == number;
  const bool isOfThreads = event.kind == EventKind::thread;
  if (isOfThreads) {
    if (Number* const edge = threadEdge(number)) *edge = number;
    ++threadEvents_;
  }
  ofThread_[event.thread].forEach([&](std::size_t other) {
    const bool isEarlier = events_[other].slot < event.slot || (events_[other].slot == event.slot && isHalf);
    if (isEarlier) {
      setBit(kBefore, number, other);
      setBit(kAfter, other, number);
    } else {
      setBit(kAfter, number, other);
      setBit(kBefore, other, number);
    }
  });
  if (threadEvents_ != 0) connectThreads(number);
}

void CausalGraph::connectThreads(Number number) {
  const CausalEvent& event = events_[number];
  EventSet before, after;
  const auto rowOf = [&](Row which, EventSet& set) {
    set.reset(count());
    set.unite(row(which, number));
  };
  rowOf(kBefore, before);
  rowOf(kAfter, after);
  const auto add = [&](EventSet& set, Number other) {
    if (other != kNobody && other != number) set.set(other);
  };
  add(before, spawn_[event.thread]);
  add(after, join_[event.thread]);
  if (event.kind == EventKind::thread) addMeetings(number, before, after);
  if (event.kind == EventKind::thread && threadEdge(number) != nullptr) {
    const Operation& operation = operationOf(number);
    const bool spawns = operation.kind == OperationKind::spawn;
    (spawns ? after : before).unite(ofThread_[operation.thread].data());
    add(spawns ? after : before, (spawns ? join_ : spawn_)[operation.thread]);
  }
  const auto close = [&](EventSet& set, Row which) {
    const EventSet direct = set;
    direct.forEach([&](std::size_t other) { set.unite(row(which, other)); });
    std::copy_n(set.data(), words_, row(which, number));
  };
  close(before, kBefore);
  close(after, kAfter);
  before.forEach([&](std::size_t other) {
    for (std::size_t w = 0; w < words_; ++w) row(kAfter, other)[w] |= after.data()[w];
    setBit(kAfter, other, number);
  });
  after.forEach([&](std::size_t other) {
    for (std::size_t w = 0; w < words_; ++w) row(kBefore, other)[w] |= before.data()[w];
    setBit(kBefore, other, number);
  });
}

void CausalGraph::disconnect(Number number) {
  const auto forEach = [&](Row which, const auto& visit) {
    for (std::size_t w = 0; w < words_; ++w) {
      for (std::uint64_t rest = row(which, number)[w]; rest != 0; rest &= rest - 1) {
        visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
      }
    }
  };
  bool hasLater = false;
  forEach(kBefore, [&](std::size_t other) { clearBit(kAfter, other, number); });
  forEach(kAfter, [&](std::size_t other) {
    hasLater = true;
    for (const Row which : {kBefore, kAddress, kData, kControl}) clearBit(which, other, number);
  });
  if (events_[number].kind != EventKind::thread) return;
  if (Number* const edge = threadEdge(number)) *edge = kNobody;
  --threadEvents_;
  if (hasLater) rebuildProgramOrder();
}

// A spawn or join has gone, or an event at a barrier, and with it what it has put in order.
void CausalGraph::rebuildProgramOrder() {
  const EventSet all = all_;
  all.forEach([&](std::size_t event) {
    for (const Row which : {kBefore, kAfter}) std::fill_n(row(which, event), words_, 0);
    ofThread_[events_[event].thread].clear(event);
  });
  threadEvents_ = 0;
  all.forEach([&](std::size_t event) {
    connect(static_cast<Number>(event));
    ofThread_[events_[event].thread].set(event);
  });
}

// ---- Dependencies.

void CausalGraph::addDependency(Number from, Number to) {
  const Slot& slot = slotOf(to);
  const std::uint32_t source = events_[from].slot;
  const auto isIn = [&](const std::vector<std::uint32_t>& list) { return std::ranges::find(list, source) != list.end(); };
  const bool accesses = events_[to].isRead() || events_[to].isWrite();
  if (accesses && isIn(slot.dependencies.address)) setBit(kAddress, to, from);
  if (accesses && isIn(slot.dependencies.data)) setBit(kData, to, from);
  if (isIn(slot.dependencies.control)) setBit(kControl, to, from);
}

// What the event depends on, and what of its thread depends on it.
void CausalGraph::fillDependencies(Number number) {
  const CausalEvent& event = events_[number];
  const std::vector<Slot>& slots = slots_[event.thread];
  const Slot& slot = slots[event.slot];
  const auto add = [&](Row which, const std::vector<std::uint32_t>& sources) {
    occurs_[which] = occurs_[which] || !sources.empty();
    for (const std::uint32_t source : sources) {
      if (slots[source].event != kNobody) setBit(which, number, slots[source].event);
    }
  };
  if (event.isRead() || event.isWrite()) {
    add(kAddress, slot.dependencies.address);
    add(kData, slot.dependencies.data);
  }
  add(kControl, slot.dependencies.control);
  if (slot.event != number || event.slot + 1 == slots.size()) return;
  ofThread_[event.thread].forEach([&](std::size_t other) {
    if (events_[other].slot > event.slot) addDependency(number, static_cast<Number>(other));
  });
}

// ---- Reads-from and coherence.

void CausalGraph::linkReader(Number read) {
  const CausalEvent& event = events_[read];
  if (event.rf != kNobody) readersRow(event.rf, event.location)[read / 64] |= std::uint64_t{1} << (read % 64);
}

void CausalGraph::unlinkReader(Number read) {
  const CausalEvent& event = events_[read];
  if (event.rf != kNobody) readersRow(event.rf, event.location)[read / 64] &= ~(std::uint64_t{1} << (read % 64));
}

void CausalGraph::setSource(Number read, Number write) {
  unlinkReader(read);
  events_[read].rf = write;
  if (write == kNobody) return;
  events_[read].value = valueOf(write, events_[read].location);
  linkReader(read);
}

void CausalGraph::place(Number write, Number after) {
  CausalEvent& event = events_[write];
  CausalLocation& location = locations_[event.location];
  Number& next = after == kInitialWrite ? location.first : events_[after].coNext;
  event.coPrev = after;
  event.coNext = next;
  (next == kNobody ? location.last : events_[next].coPrev) = write;
  next = write;
}

void CausalGraph::unplace(Number write) {
  CausalEvent& event = events_[write];
  CausalLocation& location = locations_[event.location];
  (event.coPrev == kInitialWrite ? location.first : events_[event.coPrev].coNext) = event.coNext;
  if (event.coNext != kNobody) {
    events_[event.coNext].coPrev = event.coPrev;
  } else {
    location.last = event.coPrev == kInitialWrite ? kNobody : event.coPrev;
  }
  event.coPrev = event.coNext = kNobody;
}

std::string CausalGraph::signature(const EventSet& among, Number newest) const {
  std::string text;
  const auto add = [&](std::uint64_t number) { text.append(reinterpret_cast<const char*>(&number), sizeof number); };
  const auto name = [&](Number event) -> std::uint64_t {
    if (event >= kInitialWrite) return event;
    const CausalEvent& of = events_[event];
    return std::uint64_t{of.thread} << 33 | std::uint64_t{of.slot} << 1 | std::uint64_t{slotOf(event).write == event};
  };
  for (const std::vector<Slot>& slots : slots_) {
    for (const Slot& slot : slots) {
      for (const Number event : {slot.event, slot.write}) {
        if (event == kNobody || !among.test(event)) continue;
        add(name(event));
        add(events_[event].value);
        add(events_[event].cls);
        if (events_[event].isRead()) add(name(events_[event].rf));
      }
    }
    add(~std::uint64_t{0});
  }
  std::map<Address, std::uint32_t> byAddress;  // they are found in any order
  for (std::uint32_t l = 0; l < locations_.size(); ++l) {
    if (!locations_[l].accesses.isEmpty()) byAddress.emplace(locations_[l].address, l);
  }
  for (const auto& [address, location] : byAddress) {
    Number write = nextWrite(location, kInitialWrite, among);
    if (write == kNobody) continue;
    add(address);
    for (; write != kNobody; write = nextWrite(location, write, among)) add(name(write));
  }
  add(name(newest));
  return text;
}

}  // namespace heddle::causal
