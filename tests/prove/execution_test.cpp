// Execution graphs of the prover as values that are shown.
#include "prove/execution.h"

#include <gtest/gtest.h>

#include "prove/shown.h"

namespace heddle::prove {
namespace {

class Builder {
 public:
  unsigned add(EventKind kind, Order order, int thread, int location, bool rmw = false) {
    graph_.events.push_back({.cell = cellOf(eventClass(kind, order, rmw), false, 0), .thread = thread, .location = location});
    return graph_.size() - 1;
  }
  unsigned initial(int location) {
    graph_.events.push_back({.cell = cellOf(kInitialWriteClass, false, 0), .thread = -1, .location = location});
    return graph_.size() - 1;
  }
  // When all events are there.
  Graph& relations() {
    for (Relation* r : {&graph_.po, &graph_.rf, &graph_.co, &graph_.rmw, &graph_.addr, &graph_.data, &graph_.ctrl}) {
      *r = Relation(graph_.size());
    }
    return graph_;
  }

 private:
  Graph graph_;
};

TEST(ProveExecution, StoreBuffering) {
  Builder b;
  const unsigned x0 = b.initial(0), y0 = b.initial(1);
  const unsigned wx = b.add(EventKind::write, Order::relaxed, 0, 0), ry = b.add(EventKind::read, Order::acquire, 0, 1);
  const unsigned wy = b.add(EventKind::write, Order::plain, 1, 1), rx = b.add(EventKind::read, Order::plain, 1, 0);
  Graph& graph = b.relations();
  graph.po.add(wx, ry);
  graph.po.add(wy, rx);
  graph.rf.add(x0, rx);
  graph.rf.add(y0, ry);
  graph.co.add(x0, wx);
  graph.co.add(y0, wy);
  EXPECT_EQ(shown(graph), "     thread 0                            thread 1\n"
                          "  1  store x = 1, relaxed\n"
                          "  2  load y = 0, acquire  initial value\n"
                          "  3                                      plain write y = 1\n"
                          "  4                                      plain read x = 0  initial value, although 1 stored 1\n"
                          "  rb: 2 -> 3, 4 -> 1\n");
}

// Each thread reads what the other one writes later: there is no causal order, and all events are shown.
TEST(ProveExecution, ACycleOfReadsFrom) {
  Builder b;
  const unsigned x0 = b.initial(0), y0 = b.initial(1);
  const unsigned rx = b.add(EventKind::read, Order::relaxed, 0, 0), wy = b.add(EventKind::write, Order::relaxed, 0, 1);
  const unsigned ry = b.add(EventKind::read, Order::relaxed, 1, 1), wx = b.add(EventKind::write, Order::relaxed, 1, 0);
  Graph& graph = b.relations();
  graph.po.add(rx, wy);
  graph.po.add(ry, wx);
  graph.rf.add(wx, rx);
  graph.rf.add(wy, ry);
  graph.co.add(x0, wx);
  graph.co.add(y0, wy);
  graph.data.add(rx, wy);
  EXPECT_EQ(shown(graph), "     thread 0                                     thread 1\n"
                          "  1  load x = 1, relaxed  from 4, which is below\n"
                          "  2  store y = 1, relaxed\n"
                          "  3                                               load y = 1, relaxed  from 2\n"
                          "  4                                               store x = 1, relaxed\n"
                          "  data: 1 -> 2\n");
}

TEST(ProveExecution, AReadModifyWriteIsOneEvent) {
  Builder b;
  const unsigned x0 = b.initial(0);
  const unsigned r = b.add(EventKind::read, Order::acq_rel, 0, 0, true),
                 w = b.add(EventKind::write, Order::acq_rel, 0, 0, true);
  const unsigned other = b.add(EventKind::write, Order::seq_cst, 1, 0);
  Graph& graph = b.relations();
  graph.po.add(r, w);
  graph.rmw.add(r, w);
  graph.rf.add(other, r);
  graph.co.add(x0, other);
  graph.co.add(x0, w);
  graph.co.add(other, w);
  const trace::Execution execution = executionOf(graph);
  ASSERT_EQ(execution.events.size(), 2U);
  EXPECT_EQ(execution.events[1].coAfter, 1U);
  EXPECT_EQ(shown(graph), "     thread 0                             thread 1\n"
                          "  1                                       store x = 1, seq_cst\n"
                          "  2  exchange x: 1 -> 2, acq_rel  from 1\n"
                          "  Coherence of x: initial, 1, 2\n");
}

}  // namespace
}  // namespace heddle::prove
