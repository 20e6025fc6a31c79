// The base relations between some events of a graph: as matrices, and backwards from a set of events.
#include "causal/causal_graph.h"

namespace heddle::causal {

using model::BaseRelation;
using relations::BitMatrix;
using relations::EventSet;

// A store-exclusive goes with the last load-exclusive before it, if no other store-exclusive comes between. None in a hole.
Number CausalGraph::exclusiveLoadOf(Number store) const {
  const std::vector<Slot>& slots = slots_[events_[store].thread];
  for (std::uint32_t i = events_[store].slot; i > 0; --i) {
    const Slot& slot = slots[i - 1];
    if (!slot.operation.isExclusive) continue;
    return slot.operation.kind == OperationKind::load ? slot.event : kNobody;
  }
  return kNobody;
}

bool CausalGraph::isEmpty(BaseRelation relation) const {
  switch (relation) {
    case BaseRelation::addr: return !occurs_[kAddress];
    case BaseRelation::data: return !occurs_[kData];
    case BaseRelation::ctrl: return !occurs_[kControl];
    default: return false;
  }
}

void CausalGraph::fill(BaseRelation relation, const EventSet& among, BitMatrix& result) const {
  const std::uint64_t* const mask = among.data();
  const auto copyRows = [&](const auto& rowOf) {
    among.forEach([&](std::size_t i) {
      const std::uint64_t* const from = rowOf(static_cast<Number>(i));
      for (std::size_t w = 0; from != nullptr && w < words_; ++w) result.row(i)[w] = from[w] & mask[w];
    });
  };
  const auto turnRows = [&](Row which) {
    among.forEach([&](std::size_t to) {
      for (std::size_t w = 0; w < words_; ++w) {
        for (std::uint64_t rest = row(which, to)[w] & mask[w]; rest != 0; rest &= rest - 1) {
          result.set(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)), to);
        }
      }
    });
  };
  const auto isAccess = [&](Number i) { return events_[i].isRead() || events_[i].isWrite(); };
  // From each event on, what comes after a write.
  const auto addLater = [&](std::size_t from, std::uint32_t location, Number write) {
    while ((write = nextWrite(location, write, among)) != kNobody) result.set(from, write);
  };
  switch (relation) {
    case BaseRelation::po: return copyRows([&](Number i) { return row(kAfter, i); });
    case BaseRelation::addr: return turnRows(kAddress);
    case BaseRelation::data: return turnRows(kData);
    case BaseRelation::ctrl: return turnRows(kControl);
    case BaseRelation::rmw:
      return among.forEach([&](std::size_t i) {
        if (!events_[i].isWrite()) return;
        const Slot& slot = slotOf(static_cast<Number>(i));
        const Number read = slot.event != i              ? slot.event
                            : slot.operation.isExclusive ? exclusiveLoadOf(static_cast<Number>(i))
                                                         : kNobody;
        if (read != kNobody && among.test(read)) result.set(read, i);
      });
    case BaseRelation::rf: return copyRows([&](Number i) { return events_[i].isWrite() ? row(kReaders, i) : nullptr; });
    case BaseRelation::co:
      return among.forEach([&](std::size_t i) {
        if (events_[i].isWrite() && events_[i].coPrev != kNobody) addLater(i, events_[i].location, static_cast<Number>(i));
      });
    case BaseRelation::rb:
      return among.forEach([&](std::size_t i) {
        if (events_[i].isRead() && events_[i].rf != kNobody) addLater(i, events_[i].location, events_[i].rf);
      });
    case BaseRelation::id: return among.forEach([&](std::size_t i) { result.set(i, i); });
    case BaseRelation::loc:
      return copyRows([&](Number i) { return isAccess(i) ? locations_[events_[i].location].accesses.data() : nullptr; });
    case BaseRelation::internal: return copyRows([&](Number i) { return ofThread_[events_[i].thread].data(); });
    case BaseRelation::ext:
      return among.forEach([&](std::size_t i) {
        const std::uint64_t* const own = ofThread_[events_[i].thread].data();
        for (std::size_t w = 0; w < words_; ++w) result.row(i)[w] = mask[w] & ~own[w];
      });
  }
}

template <class Set>
void CausalGraph::addPredecessorsIn(BaseRelation relation, const Set& to, Set& result) const {
  const auto addRows = [&](Row which) { to.forEach([&](std::size_t i) { result.unite(row(which, i)); }); };
  const auto isPlaced = [&](std::size_t i) { return events_[i].isWrite() && events_[i].coPrev != kNobody; };
  switch (relation) {
    case BaseRelation::po: return addRows(kBefore);
    case BaseRelation::addr: return addRows(kAddress);
    case BaseRelation::data: return addRows(kData);
    case BaseRelation::ctrl: return addRows(kControl);
    case BaseRelation::rmw:
      return to.forEach([&](std::size_t i) {
        if (!events_[i].isWrite()) return;
        const Slot& slot = slotOf(static_cast<Number>(i));
        if (slot.event != i) {
          result.set(slot.event);
        } else if (slot.operation.isExclusive) {
          const Number load = exclusiveLoadOf(static_cast<Number>(i));
          if (load != kNobody) result.set(load);
        }
      });
    case BaseRelation::rf:
      return to.forEach([&](std::size_t i) {
        if (events_[i].isRead() && events_[i].rf < kInitialWrite) result.set(events_[i].rf);
      });
    case BaseRelation::co:
      return to.forEach([&](std::size_t i) {
        if (!isPlaced(i)) return;
        for (Number write = events_[i].coPrev; write < kInitialWrite; write = events_[write].coPrev) result.set(write);
      });
    case BaseRelation::rb:
      return to.forEach([&](std::size_t i) {
        if (!isPlaced(i)) return;
        for (Number write = static_cast<Number>(i); write != kInitialWrite;) {
          write = events_[write].coPrev;
          result.unite(readersOf(write, events_[i].location));
        }
      });
    case BaseRelation::id: return result.unite(to.data());
    case BaseRelation::loc:
      return to.forEach([&](std::size_t i) {
        if (events_[i].isRead() || events_[i].isWrite()) result.unite(locations_[events_[i].location].accesses.data());
      });
    case BaseRelation::internal: return to.forEach([&](std::size_t i) { result.unite(ofThread_[events_[i].thread].data()); });
    case BaseRelation::ext:
      return to.forEach([&](std::size_t i) {
        Set others(all_);
        others.subtract(ofThread_[events_[i].thread].data());
        result.unite(others.data());
      });
  }
}

template <class Set>
void CausalGraph::addCauses(const Set& to, Set& result) const {
  to.forEach([&](std::size_t i) {
    const CausalEvent& event = events_[i];
    const std::vector<Slot>& slots = slots_[event.thread];
    const Slot& slot = slots[event.slot];
    if (slot.write != kNobody) result.set(slot.event == i ? slot.write : slot.event);
    if (event.kind != EventKind::choice) return;
    for (const std::uint32_t source : slot.dependencies.address) {
      if (slots[source].event != kNobody) result.set(slots[source].event);
    }
  });
}

template void CausalGraph::addPredecessorsIn(BaseRelation relation, const EventSet& to, EventSet& result) const;
template void CausalGraph::addPredecessorsIn(BaseRelation relation, const relations::WordSet& to,
                                             relations::WordSet& result) const;
template void CausalGraph::addCauses(const EventSet& to, EventSet& result) const;
template void CausalGraph::addCauses(const relations::WordSet& to, relations::WordSet& result) const;

}  // namespace heddle::causal
