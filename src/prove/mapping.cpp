#include "prove/mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "model/regex.h"

namespace heddle::prove {

namespace {

using model::CatError;

ClassSet classSetOf(const model::Expr& expr) { return model::classSet(expr); }

// The class that an event of class `source` becomes.
int imageOf(const MappingRow& row, unsigned source) {
  if (row.image == nullptr) {
    if (!contains(classes::kFence, static_cast<EventClass>(source))) {
      throw CatError(row.position, "only a fence can become nothing");
    }
    return -1;
  }
  if (row.image->kind == model::ExprKind::base) return static_cast<int>(source);  // R, W or F alone: unchanged
  const ClassSet meant = classSetOf(*row.image);
  const bool rmw = contains(classes::kRmw, static_cast<EventClass>(source));
  int image = -1;
  for (unsigned c = 0; c < kEventClasses; ++c) {
    const auto cls = static_cast<EventClass>(c);
    const ClassSet kind = contains(classes::kRead, static_cast<EventClass>(source))    ? classes::kRead
                          : contains(classes::kWrite, static_cast<EventClass>(source)) ? classes::kWrite
                                                                                       : classes::kFence;
    if (!contains(meant & kind, cls) || contains(classes::kRmw, cls) != rmw) continue;
    if (image >= 0) throw CatError(row.position, fmt::format("`{}` is more than one kind of event", toString(*row.image)));
    image = static_cast<int>(c);
  }
  if (image < 0) throw CatError(row.position, fmt::format("`{}` cannot be what it becomes", toString(*row.image)));
  return image;
}

unsigned fenceClass(const MappingRow& row, const model::Expr& expr) {
  const ClassSet meant = classSetOf(expr);
  for (const Order order : {Order::relaxed, Order::acquire, Order::release, Order::acq_rel, Order::seq_cst}) {
    const EventClass cls = eventClass(EventKind::fence, order, false);
    if (meant == ClassSet::of(cls)) return cls;
  }
  throw CatError(row.position, fmt::format("`{}` is not one kind of fence; write `F & SC`", toString(expr)));
}

}  // namespace

CompiledMapping CompiledMapping::identity() {
  CompiledMapping result;
  for (unsigned c = 0; c < kEventClasses; ++c) result.image.push_back(static_cast<int>(c));
  result.before.resize(kEventClasses);
  result.after.resize(kEventClasses);
  return result;
}

CompiledMapping compileMapping(const Mapping& mapping) {
  CompiledMapping result = CompiledMapping::identity();
  const ClassSet mapped = (classes::kRead | classes::kWrite | classes::kFence) & ~classes::kInitial;
  for (unsigned c = 0; c < kEventClasses; ++c) {
    if (!contains(mapped, static_cast<EventClass>(c))) continue;
    for (const MappingRow& row : mapping.rows) {
      if (!contains(classSetOf(*row.source), static_cast<EventClass>(c))) continue;
      result.image[c] = imageOf(row, c);
      for (const auto& fence : row.before) result.before[c].push_back(fenceClass(row, *fence));
      for (const auto& fence : row.after) result.after[c].push_back(fenceClass(row, *fence));
      break;
    }
  }
  return result;
}

Cells machineCells(const CompiledMapping& mapping, ClassSet classes) {
  Cells result;
  for (unsigned cell = 0; cell < kCells; ++cell) {
    const int cls = isInserted(cell) ? static_cast<int>(classOfCell(cell)) : mapping.image[classOfCell(cell)];
    result[cell] = cls >= 0 && contains(classes, static_cast<EventClass>(cls));
  }
  return result;
}

Cells machineEvents(const CompiledMapping& mapping) {
  Cells result;
  for (unsigned cell = 0; cell < kCells; ++cell) result[cell] = isInserted(cell) || mapping.image[classOfCell(cell)] >= 0;
  return result;
}

std::vector<unsigned> fencesBetween(const CompiledMapping& mapping, unsigned from, unsigned to) {
  std::vector<unsigned> result;
  const auto isRead = [](unsigned c) { return contains(classes::kRead & classes::kRmw, static_cast<EventClass>(c)); };
  const auto isWrite = [](unsigned c) { return contains(classes::kWrite & classes::kRmw, static_cast<EventClass>(c)); };
  // What stands before a read-modify-write stands before its read, and what stands after it, after its write; from
  // outside both halves have it.
  const auto add = [&](const std::vector<unsigned>& fences) {
    for (const unsigned fence : fences) {
      if (std::count(result.begin(), result.end(), fence) == 0) result.push_back(fence);
    }
  };
  const auto partner = [](unsigned c, EventKind kind) { return eventClass(kind, orderOf(static_cast<EventClass>(c)), true); };
  add(mapping.after[from]);
  if (isRead(from)) add(mapping.after[partner(from, EventKind::write)]);
  const std::vector<unsigned> after = result;
  result.clear();
  if (isWrite(to)) add(mapping.before[partner(to, EventKind::read)]);
  add(mapping.before[to]);
  result.insert(result.begin(), after.begin(), after.end());
  return result;
}

namespace {

// Rebuilds a graph with events added: `fencesBefore(e)` and `fencesAfter(e)` give the cells.
Graph rebuild(const Graph& graph, const std::function<std::vector<unsigned>(unsigned)>& fencesBefore,
              const std::function<std::vector<unsigned>(unsigned)>& fencesAfter) {
  Graph result;
  std::vector<unsigned> renamed(graph.size());
  std::vector<std::vector<unsigned>> threads;
  int count = 0;
  for (const GraphEvent& event : graph.events) count = std::max(count, event.thread + 1);
  for (int t = 0; t < count; ++t) {
    std::vector<unsigned> order;
    for (unsigned e = 0; e < graph.size(); ++e) {
      if (graph.events[e].thread == t) order.push_back(e);
    }
    std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return graph.po.has(a, b); });
    threads.emplace_back();
    const auto add = [&](GraphEvent event) {
      result.events.push_back(event);
      threads.back().push_back(result.size() - 1);
    };
    for (const unsigned e : order) {
      for (const unsigned cell : fencesBefore(e)) add({cell, t, -1});
      renamed[e] = result.size();
      add(graph.events[e]);
      for (const unsigned cell : fencesAfter(e)) add({cell, t, -1});
    }
  }
  for (unsigned e = 0; e < graph.size(); ++e) {
    if (graph.events[e].thread >= 0) continue;
    renamed[e] = result.size();
    result.events.push_back(graph.events[e]);
  }
  const auto carry = [&](const Relation& relation) {
    Relation carried(result.size());
    for (unsigned a = 0; a < graph.size(); ++a) {
      for (unsigned b = 0; b < graph.size(); ++b) {
        if (relation.has(a, b)) carried.add(renamed[a], renamed[b]);
      }
    }
    return carried;
  };
  result.po = Relation(result.size());
  for (const auto& order : threads) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) result.po.add(order[i], order[j]);
    }
  }
  result.rf = carry(graph.rf);
  result.co = carry(graph.co);
  result.rmw = carry(graph.rmw);
  result.addr = carry(graph.addr);
  result.data = carry(graph.data);
  result.ctrl = carry(graph.ctrl);
  for (const Relation& relation : graph.declared) result.declared.push_back(carry(relation));
  return result;
}

bool beginsPair(const Graph& graph, unsigned e) { return graph.rmw.row(e) != 0; }
bool endsPair(const Graph& graph, unsigned e) { return graph.rmw.inverse().row(e) != 0; }
unsigned partnerOf(const Graph& graph, unsigned e) {
  for (unsigned other = 0; other < graph.size(); ++other) {
    if (graph.rmw.has(e, other) || graph.rmw.has(other, e)) return other;
  }
  return e;
}

}  // namespace

Graph insertFences(const Graph& graph, const CompiledMapping& mapping) {
  const auto cells = [&](unsigned e, const std::vector<std::vector<unsigned>>& table) {
    std::vector<unsigned> result;
    for (const unsigned fence : table[graph.events[e].eventClass()]) result.push_back(cellOf(fence, true, 0));
    return result;
  };
  const auto around = [&](unsigned e, const std::vector<std::vector<unsigned>>& table, bool inner) {
    if (inner) return std::vector<unsigned>();
    std::vector<unsigned> result = cells(e, table);
    if (const unsigned partner = partnerOf(graph, e); partner != e) {
      for (const unsigned cell : cells(partner, table)) {
        if (std::count(result.begin(), result.end(), cell) == 0) result.push_back(cell);
      }
    }
    return result;
  };
  return rebuild(
      graph, [&](unsigned e) { return around(e, mapping.before, endsPair(graph, e)); },
      [&](unsigned e) { return around(e, mapping.after, beginsPair(graph, e)); });
}

Graph inThreadOrder(const Graph& graph) {
  const auto none = [](unsigned) { return std::vector<unsigned>(); };
  return rebuild(graph, none, none);
}

Graph insertBefore(const Graph& graph, unsigned b, unsigned cell) {
  const unsigned place = endsPair(graph, b) ? partnerOf(graph, b) : b;
  return rebuild(
      graph, [&](unsigned e) { return e == place ? std::vector<unsigned>{cell} : std::vector<unsigned>(); },
      [](unsigned) { return std::vector<unsigned>(); });
}

}  // namespace heddle::prove
