#include "prove/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace heddle::prove {

namespace {

const char* orderName(unsigned eventClass) {
  static const char* const kNames[] = {"na", "rlx", "acq", "rel", "acq_rel", "sc"};
  return kNames[eventClass / 2 % kOrders];
}

std::string locationName(int location) {
  static const char* const kNames[] = {"x", "y", "z", "u", "v", "w"};
  return location < 6 ? kNames[location] : fmt::format("l{}", location);
}

unsigned valueOf(const Graph& graph, unsigned e) {
  if (graph.events[e].isWrite()) return static_cast<unsigned>(std::popcount(graph.co.inverse().row(e)));
  for (unsigned w = 0; w < graph.size(); ++w) {
    if (graph.rf.has(w, e)) return valueOf(graph, w);
  }
  return 0;
}

std::string eventText(const Graph& graph, unsigned e) {
  const GraphEvent& event = graph.events[e];
  const EventClass cls = event.eventClass();
  if (event.isInitial()) return fmt::format("W {} = 0 initially", locationName(event.location));
  if (event.isRead() || event.isWrite()) {
    return fmt::format("{} {} {} = {}{}", event.isRead() ? "R" : "W", orderName(cls), locationName(event.location),
                       valueOf(graph, e), contains(classes::kRmw, cls) ? " (rmw)" : "");
  }
  if (contains(classes::kFence, cls)) {
    return fmt::format("F {}{}", orderName(cls), isInserted(event.cell) ? " (inserted)" : "");
  }
  return contains(classes::kThread, cls) ? "T" : "C";
}

// The events of each thread, in program order.
std::vector<std::vector<unsigned>> threadsOf(const Graph& graph) {
  std::vector<std::vector<unsigned>> threads;
  for (unsigned e = 0; e < graph.size(); ++e) {
    const int thread = graph.events[e].thread;
    if (thread < 0) continue;
    if (threads.size() <= static_cast<std::size_t>(thread)) threads.resize(static_cast<std::size_t>(thread) + 1);
    threads[static_cast<std::size_t>(thread)].push_back(e);
  }
  for (auto& order : threads) {
    std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return graph.po.has(a, b); });
  }
  return threads;
}

std::string columns(const Graph& graph) {
  const auto threads = threadsOf(graph);
  std::size_t length = 0;
  for (const auto& order : threads) length = std::max(length, order.size());
  std::vector<std::string> lines(length + 1, " ");
  for (std::size_t t = 0; t < threads.size(); ++t) {
    std::vector<std::string> cells{fmt::format("thread {}", t)};
    for (const unsigned e : threads[t]) cells.push_back(fmt::format("e{}: {}", e, eventText(graph, e)));
    cells.resize(length + 1);
    std::size_t width = 0;
    for (const std::string& cell : cells) width = std::max(width, cell.size());
    for (std::size_t i = 0; i <= length; ++i) lines[i] += fmt::format(" {:<{}} ", cells[i], width);
  }
  std::string text;
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string pairsText(const Graph& graph, const std::string& name, const Relation& relation) {
  const auto shown = [&](unsigned e) {
    return graph.events[e].isInitial() ? "init " + locationName(graph.events[e].location) : fmt::format("e{}", e);
  };
  std::string pairs;
  for (unsigned a = 0; a < graph.size(); ++a) {
    for (unsigned b = 0; b < graph.size(); ++b) {
      if (relation.has(a, b)) pairs += fmt::format("{}{} -> {}", pairs.empty() ? "" : ", ", shown(a), shown(b));
    }
  }
  return pairs.empty() ? "" : fmt::format("  {}: {}\n", name, pairs);
}

Relation withoutInitial(Relation relation, const Graph& graph) {
  for (unsigned e = 0; e < graph.size(); ++e) {
    if (graph.events[e].isInitial()) relation.row(e) = 0;
  }
  return relation;
}

}  // namespace

std::string describe(const Graph& graph, const std::vector<std::string>& relations) {
  std::string text = columns(graph);
  text += pairsText(graph, "rf", graph.rf);
  text += pairsText(graph, "co", withoutInitial(graph.co, graph));
  text += pairsText(graph, "rmw", graph.rmw);
  text += pairsText(graph, "addr", graph.addr);
  text += pairsText(graph, "data", graph.data);
  text += pairsText(graph, "ctrl", graph.ctrl);
  for (std::size_t i = 0; i < relations.size() && i < graph.declared.size(); ++i) {
    text += pairsText(graph, relations[i], graph.declared[i]);
  }
  return text;
}

std::string dot(const Graph& graph, const std::vector<std::string>& relations) {
  std::string text = "digraph execution {\n  node [shape=plaintext];\n";
  const auto threads = threadsOf(graph);
  for (std::size_t t = 0; t < threads.size(); ++t) {
    text += fmt::format("  subgraph cluster_{} {{\n    label=\"thread {}\";\n", t, t);
    for (const unsigned e : threads[t]) text += fmt::format("    e{} [label=\"{}\"];\n", e, eventText(graph, e));
    text += "  }\n";
  }
  for (unsigned e = 0; e < graph.size(); ++e) {
    if (graph.events[e].isInitial()) text += fmt::format("  e{} [label=\"{}\"];\n", e, eventText(graph, e));
  }
  const auto edges = [&](const std::string& name, const Relation& relation, const char* colour, bool immediate) {
    for (unsigned a = 0; a < graph.size(); ++a) {
      for (unsigned b = 0; b < graph.size(); ++b) {
        if (!relation.has(a, b) || (immediate && relation.then(relation).has(a, b))) continue;
        text += fmt::format("  e{} -> e{} [label=\"{}\", color={}];\n", a, b, name, colour);
      }
    }
  };
  edges("po", graph.po, "black", true);
  edges("rf", graph.rf, "green", false);
  edges("co", graph.co, "blue", true);
  edges("rb", graph.rb(), "red", false);
  edges("rmw", graph.rmw, "purple", false);
  edges("addr", graph.addr, "gray", false);
  edges("data", graph.data, "gray", false);
  edges("ctrl", graph.ctrl, "gray", false);
  for (std::size_t i = 0; i < relations.size() && i < graph.declared.size(); ++i) {
    edges(relations[i], graph.declared[i], "orange", false);
  }
  return text + "}\n";
}

}  // namespace heddle::prove
