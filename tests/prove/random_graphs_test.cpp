// The theorems about models that come with Heddle (proofs/), on random executions: none of them contradicts one.
//
// The prover is not asked here; the claims are evaluated. A theorem that is stated of the wrong models, or a scheme
// that inserts the wrong fence, fails even if it could be proved by mistake.
//
// An execution is a ring of threads: each ends at the location where the next one begins, with fences, other accesses
// and read-modify-writes between. That is the shape of the cycles that axioms forbid, so executions that are
// inconsistent for a reason other than coherence come up often. Each location on its own is sequentially consistent by
// construction.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "prove/claim_context.h"
#include "prove/draw.h"
#include "prove/graph.h"
#include "prove/query.h"

namespace heddle::prove {

namespace {

namespace fs = std::filesystem;

class RandomExecution {
 public:
  explicit RandomExecution(std::mt19937& random) : random_(random) {}

  Graph make() {
    events_.clear();
    pairs_.clear();
    dependencies_.clear();
    const int threads = 2 + below(3);
    for (int location = 0; location < threads; ++location) {
      events_.push_back({.cell = cellOf(kInitialWriteClass, false, 0), .thread = -1, .location = location});
    }
    for (int thread = 0; thread < threads; ++thread) makeThread(thread, threads);
    return related();
  }

 private:
  std::mt19937& random_;
  std::vector<GraphEvent> events_;
  std::vector<std::pair<unsigned, unsigned>> pairs_;  // the two events of each read-modify-write
  struct Dependency {
    int kind;
    unsigned from, to;
  };
  std::vector<Dependency> dependencies_;

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
      add(EventKind::write, pick({Order::plain, Order::relaxed, Order::release, Order::seq_cst, Order::seq_cst}),
          thread, location);
    }
  }

  void makeThread(int thread, int threads) {
    const auto first = static_cast<unsigned>(events_.size());
    if (!chance(25)) addAccess(thread, thread);
    for (int extra = below(3); extra > 0; --extra) {
      if (chance(65)) {
        add(EventKind::fence, pick({Order::acquire, Order::release, Order::acq_rel, Order::seq_cst, Order::seq_cst}),
            thread, -1);
      } else {
        addAccess(thread, below(threads));
      }
    }
    addAccess(thread, (thread + 1) % threads);
    for (unsigned a = first; a < events_.size(); ++a) {
      for (unsigned b = a + 1; b < events_.size(); ++b) {
        if (!events_[a].isRead() || events_[b].location < 0 || !chance(20)) continue;
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
    for (const auto& [read, write] : pairs_) graph.ctrl.row(read) |= graph.po.row(write);
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

bool allows(const model::Model& model, const Graph& graph, const View& view,
            const std::vector<std::string>& without = {}) {
  return std::all_of(model.axioms.begin(), model.axioms.end(), [&](const model::Axiom& axiom) {
    return std::count(without.begin(), without.end(), axiom.name) > 0 || holds(axiom, graph, view);
  });
}

std::vector<std::string> proofs() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(fs::path(HEDDLE_SOURCE_DIR) / "proofs")) {
    if (entry.path().extension() == ".prove") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class ProveRandomGraphs : public testing::TestWithParam<std::string> {};

TEST_P(ProveRandomGraphs, ContradictNoTheorem) {
  constexpr int kGraphs = 2000, kFewest = 200;
  constexpr auto kLongest = std::chrono::seconds(2);  // POWER takes long to evaluate
  const QueryFile query = loadQuery(GetParam());
  for (const Claim& claim : query.claims) {
    const bool equivalent = claim.kind == ClaimKind::equivalent;
    if (claim.expected != Expected::proved || !(equivalent || claim.kind == ClaimKind::stronger)) continue;
    const model::Model& strong = query.models.at(claim.leftModel);
    const model::Model& weak = query.models.at(claim.rightModel);
    const ClaimContext context(query, claim, {});
    std::mt19937 random(1);
    RandomExecution executions(random);
    int forbidden = 0;
    const auto end = std::chrono::steady_clock::now() + kLongest;
    for (int i = 0; i < kGraphs && (i < kFewest || std::chrono::steady_clock::now() < end); ++i) {
      const auto graph = context.fit(executions.make());
      if (!graph) continue;
      const bool weakAllows = allows(weak, *graph, context.sourceView(), claim.without);
      if (weakAllows && !equivalent) continue;
      const bool strongAllows = allows(strong, *graph, context.machineView());
      if (!weakAllows) ++forbidden;
      ASSERT_FALSE(strongAllows && !weakAllows) << claim.name << "\n" << describe(*graph);
      ASSERT_FALSE(equivalent && weakAllows && !strongAllows) << claim.name << ", other direction\n"
                                                              << describe(*graph);
    }
    // Claims about coherence alone are true of these graphs without further ado.
    if (claim.name.find("coh") == std::string::npos) {
      EXPECT_GT(forbidden, 0) << claim.name;
    }
    RecordProperty(claim.name, forbidden);
  }
}

std::string nameOf(const testing::TestParamInfo<std::string>& info) {
  std::string name = fs::path(info.param).stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Proofs, ProveRandomGraphs, testing::ValuesIn(proofs()), nameOf);

}  // namespace
}  // namespace heddle::prove
