#include "causal/causal_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "graph/graph.h"

namespace heddle::causal {

using model::BaseRelation;
using relations::BitMatrix;

std::uint32_t CausalGraph::locate(const Operation& access, const Program& program) {
  const ByteRange bytes{access.address, access.size};
  for (std::uint32_t l = 0; l < locations_.size(); ++l) {
    CausalLocation& location = locations_[l];
    const bool isSame = location.address == bytes.address && location.size == bytes.size;
    if (!isSame && !bytes.overlaps({location.address, location.size})) continue;
    const bool isUsed = std::ranges::any_of(
        events_, [&](const CausalEvent& event) { return (event.isRead() || event.isWrite()) && event.location == l; });
    if (isSame && !isUsed) location.initial = program.initialValue(bytes.address, bytes.size);
    if (isSame) return l;
    if (!isUsed) continue;
    throw MixedSizes(fmt::format("{} and {}", program.locationName(location.address, location.size),
                                 program.locationName(bytes.address, bytes.size)));
  }
  locations_.push_back({bytes.address, bytes.size, program.initialValue(bytes.address, bytes.size), {}});
  return static_cast<std::uint32_t>(locations_.size() - 1);
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

Number CausalGraph::append(ThreadId thread, std::uint32_t slot, const Operation& operation, EventKind kind, EventClass cls) {
  const auto number = static_cast<Number>(events_.size());
  CausalEvent& event = events_.emplace_back();
  event.operation = operation;
  event.kind = kind;
  event.cls = cls;
  event.thread = thread;
  event.slot = slot;
  if (slots_[thread].size() <= slot) slots_[thread].resize(slot + 1);
  Slot& of = slots_[thread][slot];
  of.operation = operation;
  (of.event == kNobody ? of.event : of.write) = number;
  return number;
}

void CausalGraph::removeNewest() {
  const auto number = static_cast<Number>(events_.size() - 1);
  Slot& slot = slotOf(number);
  (slot.write == number ? slot.write : slot.event) = kNobody;
  events_.pop_back();
}

void CausalGraph::setSource(Number read, Number write) {
  events_[read].rf = write;
  events_[read].value = valueOf(write, events_[read].location);
}

void CausalGraph::place(Number write, std::size_t position) {
  std::vector<Number>& order = locations_[events_[write].location].order;
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(position), write);
}

void CausalGraph::unplace(Number write) { std::erase(locations_[events_[write].location].order, write); }

std::size_t CausalGraph::positionAfter(std::uint32_t location, Number write) const {
  const std::vector<Number>& order = locations_[location].order;
  return write == kInitialWrite ? 0 : static_cast<std::size_t>(std::ranges::find(order, write) - order.begin()) + 1;
}

CausalGraph CausalGraph::restrictedTo(const relations::EventSet& kept) const {
  CausalGraph result(threads());
  std::vector<Number> renamed(events_.size(), kNobody);
  for (Number i = 0; i < events_.size(); ++i) {
    if (!kept.test(i)) continue;
    renamed[i] = static_cast<Number>(result.events_.size());
    result.events_.push_back(events_[i]);
  }
  const auto rename = [&](Number number) { return number >= kInitialWrite ? number : renamed[number]; };
  for (CausalEvent& event : result.events_) event.rf = rename(event.rf);
  result.slots_ = slots_;
  for (std::vector<Slot>& slots : result.slots_) {
    for (Slot& slot : slots) {
      slot.event = rename(slot.event);
      slot.write = rename(slot.write);
    }
  }
  for (const CausalLocation& location : locations_) {
    CausalLocation& copy =
        result.locations_.emplace_back(CausalLocation{location.address, location.size, location.initial, {}});
    for (const Number write : location.order) {
      if (renamed[write] != kNobody) copy.order.push_back(renamed[write]);
    }
  }
  return result;
}

std::string CausalGraph::signature(Number newest) const {
  std::string text;
  const auto add = [&](std::uint64_t number) { text.append(reinterpret_cast<const char*>(&number), sizeof number); };
  const auto name = [&](Number event) -> std::uint64_t {
    if (event >= kInitialWrite) return event;
    const CausalEvent& of = events_[event];
    return std::uint64_t{of.thread} << 33 | std::uint64_t{of.slot} << 1 | std::uint64_t{slotOf(event).write == event};
  };
  for (const std::vector<Slot>& slots : slots_) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      for (const Number event : {slots[i].event, slots[i].write}) {
        if (event == kNobody) continue;
        add(name(event));
        add(events_[event].value);
        add(events_[event].cls);
        if (events_[event].isRead()) add(name(events_[event].rf));
      }
    }
    add(~std::uint64_t{0});
  }
  std::map<Address, const CausalLocation*> byAddress;  // they are found in any order
  for (const CausalLocation& location : locations_) byAddress.emplace(location.address, &location);
  for (const auto& [address, location] : byAddress) {
    if (location->order.empty()) continue;
    add(address);
    for (const Number write : location->order) add(name(write));
  }
  add(name(newest));
  return text;
}

bool CausalGraph::isComplete(ThreadId thread, std::uint32_t number) const {
  if (number >= slots_[thread].size()) return false;
  const Slot& slot = slots_[thread][number];
  if (slot.event == kNobody || slot.waits) return false;
  return !events_[slot.event].rmw || !events_[slot.event].isRead() || slot.write != kNobody;
}

// Program order crosses spawns and joins.
void CausalGraph::fillProgramOrder(BitMatrix& result) const {
  bool crosses = false;
  for (const std::vector<Slot>& slots : slots_) {
    relations::EventSet later;
    later.reset(count());
    const auto add = [&](Number event) {
      if (event == kNobody) return;
      std::copy_n(later.data(), later.words(), result.row(event));
      later.set(event);
      crosses = crosses || events_[event].kind == EventKind::thread;
    };
    for (auto slot = slots.rbegin(); slot != slots.rend(); ++slot) {
      add(slot->write);
      add(slot->event);
    }
  }
  if (!crosses) return;
  for (Number i = 0; i < count(); ++i) {
    if (events_[i].kind != EventKind::thread) continue;
    const bool spawns = events_[i].operation.kind == OperationKind::spawn;
    for (Number j = 0; j < count(); ++j) {
      if (events_[j].thread != events_[i].operation.thread) continue;
      if (spawns) {
        result.set(i, j);
      } else {
        result.set(j, i);
      }
    }
  }
  // A thread without events still has its spawn before its join.
  for (Number i = 0; i < count(); ++i) {
    for (Number j = 0; j < count(); ++j) {
      const Operation &a = events_[i].operation, &b = events_[j].operation;
      if (a.kind == OperationKind::spawn && b.kind == OperationKind::join && a.thread == b.thread) result.set(i, j);
    }
  }
  result.close();
}

void CausalGraph::fillDependencies(BaseRelation relation, BitMatrix& result) const {
  for (const std::vector<Slot>& slots : slots_) {
    for (const Slot& slot : slots) {
      if (slot.event == kNobody) continue;
      const bool accesses = classes::kAccess.contains(events_[slot.event].cls);
      if (relation != BaseRelation::ctrl && !accesses) continue;
      const Dependencies& all = slot.dependencies;
      const auto& sources = relation == BaseRelation::addr   ? all.address
                            : relation == BaseRelation::data ? all.data
                                                             : all.control;
      for (const std::uint32_t source : sources) {
        const Number from = slots[source].event;
        if (from == kNobody) continue;
        result.set(from, slot.event);
        if (slot.write != kNobody) result.set(from, slot.write);
      }
    }
  }
}

// The halves of an instruction, and a store-exclusive with the last load-exclusive before it.
void CausalGraph::fillReadModifyWrites(BitMatrix& result) const {
  for (const std::vector<Slot>& slots : slots_) {
    Number exclusive = kNobody;
    for (const Slot& slot : slots) {
      if (slot.event != kNobody && slot.write != kNobody) result.set(slot.event, slot.write);
      if (!slot.operation.isExclusive) continue;
      if (slot.operation.kind == OperationKind::load) {
        exclusive = slot.event;  // none in a hole
      } else {
        if (exclusive != kNobody && slot.event != kNobody) result.set(exclusive, slot.event);
        exclusive = kNobody;
      }
    }
  }
}

void CausalGraph::fillCauses(BitMatrix& result) const {
  for (const std::vector<Slot>& slots : slots_) {
    for (const Slot& slot : slots) {
      if (slot.event == kNobody) continue;
      if (slot.write != kNobody) {
        result.set(slot.event, slot.write);
        result.set(slot.write, slot.event);
      }
      if (events_[slot.event].kind != EventKind::choice) continue;
      for (const std::uint32_t source : slot.dependencies.address) {
        if (slots[source].event != kNobody) result.set(slots[source].event, slot.event);
      }
    }
  }
}

void CausalGraph::fill(BaseRelation relation, BitMatrix& result) const {
  const auto forEachPair = [&](auto&& related) {
    for (Number i = 0; i < count(); ++i) {
      for (Number j = 0; j < count(); ++j) {
        if (related(events_[i], events_[j])) result.set(i, j);
      }
    }
  };
  const auto isAccess = [](const CausalEvent& event) { return event.isRead() || event.isWrite(); };
  switch (relation) {
    case BaseRelation::po: fillProgramOrder(result); break;
    case BaseRelation::addr:
    case BaseRelation::data:
    case BaseRelation::ctrl: fillDependencies(relation, result); break;
    case BaseRelation::rmw: fillReadModifyWrites(result); break;
    case BaseRelation::rf:
      for (Number i = 0; i < count(); ++i) {
        if (events_[i].isRead() && events_[i].rf < kInitialWrite) result.set(events_[i].rf, i);
      }
      break;
    case BaseRelation::co:
      for (const CausalLocation& location : locations_) {
        for (std::size_t i = 0; i < location.order.size(); ++i) {
          for (std::size_t j = i + 1; j < location.order.size(); ++j) result.set(location.order[i], location.order[j]);
        }
      }
      break;
    case BaseRelation::rb:
      for (Number i = 0; i < count(); ++i) {
        if (!events_[i].isRead() || events_[i].rf == kNobody) continue;
        const std::vector<Number>& order = locations_[events_[i].location].order;
        for (std::size_t j = positionAfter(events_[i].location, events_[i].rf); j < order.size(); ++j) result.set(i, order[j]);
      }
      break;
    case BaseRelation::id: result.addIdentity(); break;
    case BaseRelation::loc:
      forEachPair(
          [&](const CausalEvent& a, const CausalEvent& b) { return isAccess(a) && isAccess(b) && a.location == b.location; });
      break;
    case BaseRelation::internal:
      forEachPair([](const CausalEvent& a, const CausalEvent& b) { return a.thread == b.thread; });
      break;
    case BaseRelation::ext: forEachPair([](const CausalEvent& a, const CausalEvent& b) { return a.thread != b.thread; }); break;
  }
}

}  // namespace heddle::causal
