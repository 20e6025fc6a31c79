#include "prove/sample.h"

#include <algorithm>
#include <random>

namespace heddle::prove {

class SampledExecutions::Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  Graph make() {
    events_.clear();
    pairs_.clear();
    dependencies_.clear();
    withDependencies_ = chance(50);
    const int threads = 2 + below(3);
    for (int location = 0; location < threads; ++location) {
      events_.push_back({.cell = cellOf(kInitialWriteClass, false, 0), .thread = -1, .location = location});
    }
    for (int thread = 0; thread < threads; ++thread) makeThread(thread, threads);
    return related();
  }

 private:
  std::mt19937 random_;
  std::vector<GraphEvent> events_;
  std::vector<std::pair<unsigned, unsigned>> pairs_;  // the two events of each read-modify-write
  struct Dependency {
    int kind;
    unsigned from, to;
  };
  std::vector<Dependency> dependencies_;
  bool withDependencies_ = false;

  int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }
  bool chance(int percent) { return below(100) < percent; }

  Order pick(std::initializer_list<Order> orders) { return orders.begin()[below(static_cast<int>(orders.size()))]; }

  void add(EventKind kind, Order order, int thread, int location, bool rmw = false) {
    events_.push_back({.cell = cellOf(eventClass(kind, order, rmw), false, 0), .thread = thread, .location = location});
  }

  void addAccess(int thread, int location) {
    if (chance(10)) {
      const Order order = pick({Order::relaxed, Order::acquire, Order::release, Order::acq_rel, Order::seq_cst});
      add(EventKind::read, order, thread, location, true);
      add(EventKind::write, order, thread, location, true);
      const auto write = static_cast<unsigned>(events_.size()) - 1;
      pairs_.emplace_back(write - 1, write);
    } else if (chance(50)) {
      add(EventKind::read, pick({Order::plain, Order::relaxed, Order::acquire, Order::seq_cst, Order::seq_cst}), thread,
          location);
    } else {
      add(EventKind::write, pick({Order::plain, Order::relaxed, Order::release, Order::seq_cst, Order::seq_cst}), thread,
          location);
    }
  }

  void makeThread(int thread, int threads) {
    const auto first = static_cast<unsigned>(events_.size());
    if (!chance(25)) addAccess(thread, thread);
    for (int extra = below(3); extra > 0; --extra) {
      if (chance(65)) {
        add(EventKind::fence, pick({Order::acquire, Order::release, Order::acq_rel, Order::seq_cst, Order::seq_cst}), thread,
            -1);
      } else {
        addAccess(thread, below(threads));
      }
    }
    addAccess(thread, (thread + 1) % threads);
    for (unsigned a = first; a < events_.size(); ++a) {
      for (unsigned b = a + 1; b < events_.size(); ++b) {
        if (!withDependencies_ || !events_[a].isRead() || events_[b].location < 0 || !chance(20)) continue;
        const int kind = below(events_[b].isWrite() ? 3 : 2);
        dependencies_.push_back({kind, a, b});
      }
    }
  }

  Graph related() {
    const auto size = static_cast<unsigned>(events_.size());
    const Relation none(size);
    Graph graph{events_, none, none, none, none, none, none, none, {}};
    for (unsigned a = 0; a < size; ++a) {
      for (unsigned b = a + 1; b < size; ++b) {
        if (events_[a].thread >= 0 && events_[a].thread == events_[b].thread) graph.po.add(a, b);
      }
    }
    for (const auto& [read, write] : pairs_) graph.rmw.add(read, write);
    for (const auto& [kind, from, to] : dependencies_) {
      if (kind == 0) graph.addr.add(from, to);
      if (kind == 2) graph.data.add(from, to);
      if (kind == 1) graph.ctrl.row(from) |= graph.po.row(to) | std::uint64_t{1} << to;
    }
    // As a loop of exclusive accesses has it: what proofs/imm-armv8.prove assumes of ARMv8.
    if (withDependencies_) {
      for (const auto& [read, write] : pairs_) graph.ctrl.row(read) |= graph.po.row(write);
    }
    for (unsigned location = 0; events_[location].thread < 0; ++location) interleave(graph, location);
    return graph;
  }

  // Some order of the accesses of a location that respects program order, and what reads read in it. The initial write
  // of a location is the event of its number.
  void interleave(Graph& graph, unsigned location) {
    std::vector<std::vector<unsigned>> queues;
    for (unsigned e = 0; e < events_.size(); ++e) {
      if (events_[e].thread < 0 || events_[e].location != static_cast<int>(location)) continue;
      if (queues.empty() || events_[queues.back().front()].thread != events_[e].thread) queues.emplace_back();
      queues.back().push_back(e);
    }
    for (auto& queue : queues) std::reverse(queue.begin(), queue.end());
    std::vector<unsigned> writes = {location};
    const auto perform = [&](unsigned e) {
      if (events_[e].isRead()) {
        graph.rf.add(writes.back(), e);
      } else {
        for (const unsigned earlier : writes) graph.co.add(earlier, e);
        writes.push_back(e);
      }
    };
    while (!queues.empty()) {
      const auto queue = queues.begin() + below(static_cast<int>(queues.size()));
      const unsigned e = queue->back();
      queue->pop_back();
      perform(e);
      if (graph.rmw.row(e) != 0) {
        perform(queue->back());
        queue->pop_back();
      }
      if (queue->empty()) queues.erase(queue);
    }
  }
};

SampledExecutions::SampledExecutions(unsigned seed) : maker_(std::make_unique<Maker>(seed)) {}

SampledExecutions::~SampledExecutions() = default;

Graph SampledExecutions::next() { return maker_->make(); }

namespace {

Relation carried(const Relation& relation, unsigned gone) {
  Relation result(relation.size() - 1);
  for (unsigned a = 0; a < relation.size(); ++a) {
    for (unsigned b = 0; b < relation.size(); ++b) {
      if (a == gone || b == gone || !relation.has(a, b)) continue;
      result.add(a - (a > gone ? 1 : 0), b - (b > gone ? 1 : 0));
    }
  }
  return result;
}

Graph leftOut(const Graph& graph, unsigned gone) {
  Graph result = graph;
  result.events.erase(result.events.begin() + gone);
  for (Relation* r : {&result.po, &result.rf, &result.co, &result.rmw, &result.addr, &result.data, &result.ctrl}) {
    *r = carried(*r, gone);
  }
  return result;
}

// A write that is read, and half of a read-modify-write, cannot go by themselves.
bool canGo(const Graph& graph, unsigned e) {
  if (graph.events[e].isInitial() || graph.rmw.row(e) != 0 || graph.rmw.inverse().row(e) != 0) return false;
  return !graph.events[e].isWrite() || graph.rf.row(e) == 0;
}

}  // namespace

Graph shrunk(Graph graph, const std::function<bool(const Graph&)>& interesting) {
  for (unsigned e = 0; e < graph.size();) {
    if (canGo(graph, e)) {
      if (const Graph smaller = leftOut(graph, e); interesting(smaller)) {
        graph = smaller;
        e = 0;
        continue;
      }
    }
    ++e;
  }
  return graph;
}

}  // namespace heddle::prove
