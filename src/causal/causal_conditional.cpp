// Compare-exchanges, and locks that are tried: reads that order less if they fail than if they succeed.
//
// Revisits rest on it that the prefix of a write stays what it is (causal_revisit.cpp): what is done again in holes must not come
// before what was kept. Of most events that follows from their class. A compare-exchange has one class if it succeeds, and another if
// it fails. Where a model lets a branch end, as that of the Linux kernel does, nothing else orders what comes after one that has failed:
//
//     spin_trylock(l);             if it succeeds, the write comes after it; if it fails, others may see the write first, and
//     WRITE_ONCE(*y, 1);           be the reason that it fails
//
// So there are two rules.
//
//     add       Of what it can read, a compare-exchange in a hole takes nothing with which its success would bring it before what
//               is after the hole. If nothing is left it waits, without a source, for a write that revisits it.
//     revisit   A write comes after a compare-exchange that has succeeded, but would not if that had failed: then it may revisit
//               reads that only the success orders before it, this one included. The compare-exchange goes, and is
//               done again in a hole: so it fails there, or waits. We call it flipped.
//
// Which way of adding events would be the maximal one we do not know. With what a read before it takes, a compare-exchange may
// have nothing left to read, in the graph that a revisit would make:
//
//     cmpxchg(y, 1, 2);        fetch_add(y, 1);
//     cmpxchg(x, 0, 1);        READ_ONCE(x);                if this reads 1, the next one can only succeed; and then the last one
//                              cmpxchg_acquire(x, 1, 2);    finds that the first thread has been at y
//                              fetch_add(y, 2);
//
// and all of the second thread before the first would be lost. So in programs with compare-exchanges nothing has to be maximal, and
// what has been made is remembered instead (causal_revisit.cpp).
#include <fmt/format.h>

#include <algorithm>

#include "causal/causal_explorer.h"

namespace heddle::causal {

using relations::EventSet;

EventSet CausalExplorer::laterThan(Number read, const EventSet& among) const {
  EventSet later;
  later.reset(graph_.count());
  later.unite(graph_.row(CausalGraph::kAfter, read));
  later.intersect(among.data());
  EventSet own = later;
  own.forEach([&](std::size_t i) {
    if (graph_[static_cast<Number>(i)].thread != graph_[read].thread ||
        graph_[static_cast<Number>(i)].slot == graph_[read].slot)
      later.clear(i);
  });
  return later;
}

// What `look` finds if some compare-exchanges that have succeeded had failed.
template <class Look>
auto CausalExplorer::asFailures(const std::vector<Number>& reads, const Look& look) {
  std::vector<std::pair<Number, EventClass>> classes;
  for (const Number read : reads) {
    const Operation& operation = graph_.operationOf(read);
    const Order failure = operation.hidesRead ? Order::plain : operation.failureOrder;
    for (const Number half : {read, graph_.slotOf(read).write}) {
      if (half == kNobody) continue;
      classes.emplace_back(half, graph_[half].cls);
      graph_[half].cls = eventClass(EventKind::read, failure, operation.isExclusive);
    }
  }
  auto found = look();
  for (const auto& [half, cls] : classes) graph_[half].cls = cls;
  return found;
}

// Does the compare-exchange, as it is now, come causally before some later event of its thread, and would not if it failed? One that
// fails is like any other read: what comes after it then does so for other reasons, such as the location, once others see it. `among`:
// the events that are there.
bool CausalExplorer::isBeforeAny(Number read, const EventSet& later, const EventSet& among) {
  if (later.isEmpty() || !graph_[read].rmw) return false;
  const auto isSeen = [&](Number write) {
    bool isRead = false;
    among.forEach([&](std::size_t reader) {
      const CausalEvent& event = graph_[static_cast<Number>(reader)];
      isRead = isRead || (event.isRead() && event.rf == write && event.thread != graph_[write].thread);
    });
    return isRead;
  };
  const auto isBefore = [&](Number event) {
    EventSet issue, commit, before;
    issue.reset(graph_.count());
    commit.reset(graph_.count());
    issue.set(event);
    if (graph_[event].isWrite() && isSeen(event)) commit.set(event);
    order_.findBefore(issue, commit, before);
    return before.test(read);
  };
  bool isAny = false;
  later.forEach([&](std::size_t i) {
    const auto event = static_cast<Number>(i);
    isAny = isAny || (isBefore(event) && !asFailures({read}, [&] { return isBefore(event); }));
  });
  return isAny;
}

// Does the compare-exchange, as it is now, not come before what is after it among some events?
bool CausalExplorer::staysBehind(Number read, const EventSet& among) {
  const EventSet later = laterThan(read, among);
  if (later.isEmpty()) return true;
  return withItsWrite(read, [&](Number) { return !isBeforeAny(read, later, among); });
}

// The prefix of a write if some compare-exchanges that have succeeded had failed.
EventSet CausalExplorer::prefixWithout(Number write, const std::vector<Number>& failing, const CausalOrder& order) {
  return asFailures(failing, [&] {
    EventSet prefix;
    order.findPrefix(write, prefix);
    return prefix;
  });
}

// The compare-exchanges among some events that have succeeded, but not the one that the write is half of.
std::vector<Number> CausalExplorer::successesIn(const EventSet& prefix, Number write) const {
  std::vector<Number> succeeded;
  prefix.forEach([&](std::size_t i) {
    const auto read = static_cast<Number>(i);
    const bool succeeds = graph_[read].isRead() && graph_[read].rmw && isConditional(read);
    if (succeeds && graph_.slotOf(write).event != read) succeeded.push_back(read);
  });
  return succeeded;
}

// Calls visit(prefix without them, them) for all sets of compare-exchanges that a revisit by the write may flip: none is in the
// prefix then, and each would be without the others.
void CausalExplorer::forEachFlip(Number write, const EventSet& prefix,
                                 const std::function<void(const EventSet&, const EventSet&)>& visit) {
  std::vector<Number> succeeded = successesIn(prefix, write);
  if (succeeded.empty()) return;
  EventSet without = prefixWithout(write, succeeded, order_);
  std::erase_if(succeeded, [&](Number read) { return without.test(read); });
  constexpr std::size_t kMost = 10;
  if (succeeded.size() > kMost) {
    throw LimitError(fmt::format(
        "there is load buffering, and a write comes after more than {} compare-exchanges only because they succeed", kMost));
  }
  for (std::uint32_t set = 1; set < std::uint32_t{1} << succeeded.size(); ++set) {
    std::vector<Number> flipped;
    for (std::size_t i = 0; i < succeeded.size(); ++i) {
      if ((set >> i & 1) != 0) flipped.push_back(succeeded[i]);
    }
    without = prefixWithout(write, flipped, order_);
    if (std::ranges::any_of(flipped, [&](Number read) { return without.test(read); })) continue;
    EventSet of;
    of.reset(graph_.count());
    for (const Number read : flipped) of.set(read);
    visit(without, of);
  }
}

}  // namespace heddle::causal
