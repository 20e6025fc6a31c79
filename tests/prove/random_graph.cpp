#include "prove/random_graph.h"

#include <algorithm>
#include <array>
#include <vector>

namespace heddle::prove::testing {

namespace {

unsigned below(Random& random, unsigned n) { return static_cast<unsigned>(random() % n); }

unsigned randomCell(Random& random) {
  static const Order kReadOrders[] = {Order::relaxed, Order::acquire, Order::seq_cst, Order::plain};
  static const Order kWriteOrders[] = {Order::relaxed, Order::release, Order::seq_cst, Order::plain};
  static const Order kFenceOrders[] = {Order::acquire, Order::release, Order::acq_rel, Order::seq_cst};
  switch (below(random, 7)) {
    case 0: return cellOf(eventClass(EventKind::fence, kFenceOrders[below(random, 4)], false), false, 0);
    case 1:
    case 2:
    case 3: return cellOf(eventClass(EventKind::read, kReadOrders[below(random, 4)], false), false, 0);
    default: return cellOf(eventClass(EventKind::write, kWriteOrders[below(random, 4)], false), false, 0);
  }
}

}  // namespace

Graph randomGraph(Random& random) {
  Graph graph;
  const unsigned count = 2 + below(random, 4);
  const unsigned threads = 1 + below(random, 3);
  const unsigned locations = 1 + below(random, 2);
  std::vector<std::vector<unsigned>> orders(threads);
  std::vector<std::pair<unsigned, unsigned>> pairs;
  const auto add = [&](unsigned cell, unsigned thread, int location) {
    graph.events.push_back({cell, static_cast<int>(thread), location});
    orders[thread].push_back(graph.size() - 1);
  };
  while (graph.size() < count) {
    const unsigned thread = below(random, threads);
    const int location = static_cast<int>(below(random, locations));
    if (graph.size() + 2 <= count && below(random, 5) == 0) {
      const Order order = below(random, 2) == 0 ? Order::relaxed : Order::seq_cst;
      add(cellOf(eventClass(EventKind::read, order, true), false, 0), thread, location);
      add(cellOf(eventClass(EventKind::write, order, true), false, 0), thread, location);
      pairs.emplace_back(graph.size() - 2, graph.size() - 1);
      continue;
    }
    const unsigned cell = randomCell(random);
    add(cell, thread, contains(classes::kFence, static_cast<EventClass>(classOfCell(cell))) ? -1 : location);
  }
  for (unsigned l = 0; l < locations; ++l)
    graph.events.push_back({cellOf(kInitialWriteClass, false, 0), -1, static_cast<int>(l)});
  const unsigned n = graph.size();
  for (Relation* r : {&graph.po, &graph.rf, &graph.co, &graph.rmw, &graph.addr, &graph.data, &graph.ctrl}) *r = Relation(n);
  for (const auto& order : orders) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) graph.po.add(order[i], order[j]);
    }
  }
  for (const auto& [r, w] : pairs) graph.rmw.add(r, w);
  for (unsigned a = 0; a < n; ++a) {
    for (unsigned b = 0; b < n; ++b) {
      if (!graph.po.has(a, b) || !graph.events[a].isRead() || below(random, 3) != 0) continue;
      if (graph.events[b].isWrite()) graph.data.add(a, b);
      if (graph.events[b].isWrite() || graph.events[b].isRead()) graph.addr.add(a, b);
    }
  }
  for (unsigned l = 0; l < locations; ++l) {
    std::vector<unsigned> writes;
    for (unsigned e = 0; e < n; ++e) {
      if (graph.events[e].isWrite() && graph.events[e].location == static_cast<int>(l)) writes.push_back(e);
    }
    std::shuffle(writes.begin(), writes.end(), random);
    std::stable_partition(writes.begin(), writes.end(), [&](unsigned e) { return graph.events[e].isInitial(); });
    for (std::size_t i = 0; i < writes.size(); ++i) {
      for (std::size_t j = i + 1; j < writes.size(); ++j) graph.co.add(writes[i], writes[j]);
    }
    for (unsigned e = 0; e < n; ++e) {
      if (!graph.events[e].isRead() || graph.events[e].location != static_cast<int>(l)) continue;
      unsigned w = writes[below(random, static_cast<unsigned>(writes.size()))];
      if (graph.po.has(e, w)) w = writes[0];  // never from a later write of the own thread
      graph.rf.add(w, e);
    }
  }
  return graph;
}

std::string randomRelation(Random& random, unsigned depth) {
  static const std::array<const char*, 25> kBase = {
      "po",  "po",  "rf",  "co",  "rb",  "rfe",  "rfi",       "coe",        "coi",   "rbe",  "rbi",  "po-loc", "(po \\ loc)",
      "rmw", "[W]", "[R]", "[M]", "[F]", "[SC]", "[R & ACQ]", "(po & int)", "[RMW]", "addr", "data", "rf"};
  if (depth == 0) return kBase[below(random, kBase.size())];
  const auto sub = [&] { return randomRelation(random, depth - 1); };
  switch (below(random, 12)) {
    case 0:
    case 1:
    case 2:
    case 3: return "(" + sub() + " ; " + sub() + ")";
    case 4:
    case 5:
    case 6: return "(" + sub() + " | " + sub() + ")";
    case 7: return "(" + sub() + ")+";
    case 8: return "(" + sub() + ")?";
    case 9: return "((" + sub() + ") & loc)";
    case 10: {
      static const char* const kFilters[] = {"\\ loc", "& int", "& ext"};
      return "((" + sub() + ") " + kFilters[below(random, 3)] + ")";
    }
    default: return kBase[below(random, kBase.size())];
  }
}

std::string randomModel(Random& random) {
  static const std::array<const char*, 17> kAxioms = {
      "irreflexive po ; (rf | co | rb)+",
      "acyclic po-loc | rf | co | rb",
      "acyclic po | rf",
      "acyclic po | rf | co | rb",
      "irreflexive po ; rb",
      "irreflexive po ; co",
      "irreflexive (po | rf)+ ; (co | rb)?",
      "irreflexive (po | rf)+ ; (rf | co | rb)+",
      "acyclic [R] ; po | po ; [W] | rfe | co | rb",
      "acyclic rfe | coe | rbe | po ; [F & SC] ; po | [R & ACQ] ; po",
      "empty rmw & (rb ; co)",
      "empty rmw & (rbe ; coe)",
      "irreflexive rb ; rmw ; co",
      "acyclic [SC] ; (po | ((po | rf)+ & loc) | co | rb) ; [SC]",
      "acyclic [R | W & RMW] ; po | po ; [W] | rfe | co | rb",
      "acyclic [SC] ; (po | (po \\ loc) ; (po | rfe)+ ; (po \\ loc) | (([SC] ; po | rfe)+ & loc) | co | rb) ; [SC]",
      "irreflexive [R & RMW] ; rb ; (po | rf)+",
  };
  std::string body;
  const unsigned count = 1 + below(random, 3);
  for (unsigned i = 0; i < count; ++i) {
    if (below(random, 4) == 0) {
      body += std::string(below(random, 2) == 0 ? "acyclic " : "irreflexive ") + randomRelation(random, 2) + "\n";
    } else {
      body += std::string(kAxioms[below(random, kAxioms.size())]) + "\n";
    }
  }
  return body;
}

}  // namespace heddle::prove::testing
