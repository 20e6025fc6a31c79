#include "prove/execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "trace/reorder.h"
#include "trace/words.h"

namespace heddle::prove {

namespace {

std::string locationName(int location) {
  static const char* const kNames[] = {"x", "y", "z", "u", "v", "w"};
  return location < 6 ? kNames[location] : fmt::format("l{}", location);
}

class Shower {
 public:
  Shower(const Graph& graph, const std::vector<std::string>& relations)
      : graph_(graph),
        relations_(relations),
        after_(graph.co.inverse()),
        rmwReads_(graph.rmw.inverse()),
        numbers_(graph.size()) {}

  trace::Execution execution() {
    findThreads();
    number();
    trace::Execution result;
    for (std::size_t t = 0; t < threads_.size(); ++t) result.threads.push_back(fmt::format("thread {}", t));
    for (const unsigned e : order_) result.events.push_back(describe(e));
    describeCoherence(result);
    add(result, "rb", graph_.rb());
    add(result, "addr", graph_.addr);
    add(result, "data", graph_.data);
    add(result, "ctrl", graph_.ctrl);
    for (std::size_t i = 0; i < relations_.size() && i < graph_.declared.size(); ++i) {
      add(result, relations_[i], graph_.declared[i]);
    }
    trace::readAsInterleaving(result);
    return result;
  }

 private:
  static constexpr unsigned kNobody = kMostEvents;

  // The events of each thread, in program order, without the writes of read-modify-writes.
  void findThreads() {
    for (unsigned e = 0; e < graph_.size(); ++e) {
      const int thread = graph_.events[e].thread;
      if (thread < 0) continue;
      if (threads_.size() <= static_cast<std::size_t>(thread)) threads_.resize(static_cast<std::size_t>(thread) + 1);
      if (rmwReads_.row(e) == 0) threads_[static_cast<std::size_t>(thread)].push_back(e);
    }
    for (auto& order : threads_) {
      std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return graph_.po.has(a, b); });
    }
  }

  // A read comes after what it reads from, unless there is a cycle of program order and reads-from.
  void number() {
    std::vector<std::size_t> done(threads_.size(), 0);
    const auto isLeft = [&](std::size_t t) { return done[t] < threads_[t].size(); };
    const auto isReady = [&](std::size_t t) {
      const unsigned write = isLeft(t) ? writeOf(threads_[t][done[t]]) : kNobody;
      return isLeft(t) && (write == kNobody || graph_.events[write].isInitial() || numbers_[shownAs(write)] != 0);
    };
    while (true) {
      std::size_t next = 0;
      while (next < threads_.size() && !isReady(next)) ++next;
      if (next == threads_.size()) {
        next = 0;
        while (next < threads_.size() && !isLeft(next)) ++next;
      }
      if (next == threads_.size()) break;
      const unsigned e = threads_[next][done[next]++];
      order_.push_back(e);
      numbers_[e] = static_cast<unsigned>(order_.size());
    }
  }

  unsigned shownAs(unsigned e) const { return rmwReads_.row(e) == 0 ? e : first(rmwReads_.row(e)); }
  unsigned numberOf(unsigned e) const { return e == kNobody ? 0 : numbers_[shownAs(e)]; }  // 0 for initial writes, too

  static unsigned first(std::uint64_t set) { return static_cast<unsigned>(std::countr_zero(set)); }

  // What a read reads from.
  unsigned writeOf(unsigned e) const {
    for (unsigned w = 0; w < graph_.size(); ++w) {
      if (graph_.rf.has(w, e)) return w;
    }
    return kNobody;
  }

  unsigned placeOf(unsigned write) const { return static_cast<unsigned>(std::popcount(after_.row(write))); }
  // The write that is right before this one in coherence order.
  unsigned previous(unsigned write) const {
    for (unsigned w = 0; w < graph_.size(); ++w) {
      if (after_.has(write, w) && placeOf(w) + 1 == placeOf(write)) return w;
    }
    return kNobody;
  }

  Order orderOf(unsigned e) const { return heddle::orderOf(graph_.events[e].eventClass()); }

  std::string namedOrder(unsigned e) const { return orderOf(e) == Order::plain ? "plain" : trace::orderName(orderOf(e)); }

  trace::Event describe(unsigned e) const {
    const GraphEvent& event = graph_.events[e];
    trace::Event shown;
    shown.thread = static_cast<ThreadId>(event.thread);
    shown.number = numbers_[e];
    shown.reads = event.isRead();
    const unsigned write = graph_.rmw.row(e) != 0 ? first(graph_.rmw.row(e)) : event.isWrite() ? e : kNobody;
    shown.writes = write != kNobody;
    shown.order = trace::orderName(orderOf(e));
    if (shown.reads && shown.writes && orderOf(e) != orderOf(write)) {
      shown.order = fmt::format("reads {}, writes {}", namedOrder(e), namedOrder(write));
    }
    if (!shown.reads && !shown.writes) {
      describeOther(event.eventClass(), isInserted(event.cell), shown);
      return shown;
    }
    shown.location = locationName(event.location);
    if (shown.writes) {
      shown.kind = shown.reads ? trace::Kind::exchange : trace::storeKind(orderOf(e));
      shown.value = std::to_string(placeOf(write));
      shown.coAfter = numberOf(previous(write));
    }
    if (shown.reads) {
      const unsigned source = writeOf(e);
      const std::string value = std::to_string(source == kNobody ? 0 : placeOf(source));
      if (!shown.writes) shown.kind = trace::loadKind(orderOf(e));
      (shown.writes ? shown.oldValue : shown.value) = value;
      shown.from = numberOf(source);
    }
    // A word may name one event of a read-modify-write and leave the other one out.
    if (shown.reads != shown.writes && contains(classes::kRmw, event.eventClass())) shown.kind = trace::Kind::halfExchange;
    return shown;
  }

  static void describeOther(EventClass eventClass, bool inserted, trace::Event& shown) {
    if (contains(classes::kFence, eventClass)) {
      shown.kind = inserted ? trace::Kind::insertedFence : trace::Kind::fence;
      return;
    }
    shown.kind = contains(classes::kThread, eventClass) ? trace::Kind::threadEvent : trace::Kind::choose;
    shown.order.clear();
  }

  void describeCoherence(trace::Execution& result) const {
    int locations = 0;
    for (const GraphEvent& event : graph_.events) locations = std::max(locations, event.location + 1);
    for (int l = 0; l < locations; ++l) {
      std::vector<unsigned> writes;
      for (unsigned e = 0; e < graph_.size(); ++e) {
        const GraphEvent& event = graph_.events[e];
        if (event.location == l && event.isWrite() && !event.isInitial()) writes.push_back(e);
      }
      std::sort(writes.begin(), writes.end(), [&](unsigned a, unsigned b) { return graph_.co.has(a, b); });
      trace::Coherence order{locationName(l), {}};
      for (const unsigned write : writes) order.writes.push_back(numberOf(write));
      result.coherence.push_back(std::move(order));
    }
  }

  void add(trace::Execution& result, const std::string& name, const Relation& relation) const {
    trace::Relation pairs{name, {}};
    for (unsigned a = 0; a < graph_.size(); ++a) {
      for (unsigned b = 0; b < graph_.size(); ++b) {
        if (!relation.has(a, b) || graph_.events[a].isInitial() || graph_.events[b].isInitial()) continue;
        const bool withinOne = a != b && shownAs(a) == shownAs(b);  // the two events of a read-modify-write
        if (!withinOne) pairs.pairs.emplace_back(numberOf(a), numberOf(b));
      }
    }
    if (!pairs.pairs.empty()) result.relations.push_back(std::move(pairs));
  }

  const Graph& graph_;
  const std::vector<std::string>& relations_;
  const Relation after_;     // from each write to those before it in coherence order
  const Relation rmwReads_;  // from the write of a read-modify-write to its read
  std::vector<std::vector<unsigned>> threads_;
  std::vector<unsigned> order_;    // the events that are shown
  std::vector<unsigned> numbers_;  // of the events that are shown; 0 for others
};

}  // namespace

trace::Execution executionOf(const Graph& graph, const std::vector<std::string>& relations) {
  return Shower(graph, relations).execution();
}

}  // namespace heddle::prove
