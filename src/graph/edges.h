// Steps along the letters of model/base_names.def: for each letter the function of its name, which visits what an event leads
// to. Searches call them, interpreted and generated ones; those that are the same where sizes are mixed take a Trail, and the
// evaluation of lifted axioms calls them, too.
#pragma once

#include "graph/graph.h"
#include "graph/lock_order.h"

namespace heddle {

namespace edges {

template <class F>
void po(const Graph& graph, EventId id, F&& visit) {
  const Event& event = graph[id];
  graph.followThread(id, visit);
  if (event.rmw && event.isWrite()) {
    const EventId taking = nextToHold(graph, id);
    if (taking != kNone && graph[taking].thread != event.thread) visit(taking);
  }
  if (event.kind != EventKind::thread) return;
  if (graph.operation(id).kind == OperationKind::arrive) {
    graph.forEachDeparture(id, [&](EventId departure) {
      if (graph[departure].thread != event.thread) visit(departure);
    });
  } else {
    graph.followSpawn(id, visit);
  }
}
template <class F>
void poi(const Trail& graph, EventId id, F&& visit) {
  if (graph[id].poNext != kNone) visit(graph[id].poNext);
}
template <class F>
void rf(const Graph& graph, EventId id, F&& visit) {
  if (!graph[id].isWrite()) return;
  for (EventId r = graph[id].firstReader; r != kNone; r = graph[r].readerNext) visit(r);
}
template <class F>
void rfe(const Graph& graph, EventId id, F&& visit) {
  const ThreadId thread = graph[id].thread;
  rf(graph, id, [&](EventId r) {
    if (isInitial(id) || graph[r].thread != thread) visit(r);
  });
}
template <class F>
void rfi(const Graph& graph, EventId id, F&& visit) {
  const ThreadId thread = graph[id].thread;
  rf(graph, id, [&](EventId r) {
    if (!isInitial(id) && graph[r].thread == thread) visit(r);
  });
}
template <class F>
void co(const Graph& graph, EventId id, F&& visit) {
  if (graph[id].isWrite() && graph[id].coNext != kNone) visit(graph[id].coNext);
}
template <class F>
void rb(const Graph& graph, EventId id, F&& visit) {
  if (!graph[id].isRead()) return;
  const EventId next = graph[graph[id].rf].coNext;
  if (next != kNone) visit(next);
}
template <class F>
void rmw(const Trail& graph, EventId id, F&& visit) {
  if (graph[id].isRead() && graph[id].rmw && graph[id].poNext != kNone) visit(graph[id].poNext);
}
template <class F>
void addr(const Graph& graph, EventId id, F&& visit) {
  graph.dependencies()->follow(graph, id, Dependency::addr, visit);
}
template <class F>
void data(const Graph& graph, EventId id, F&& visit) {
  graph.dependencies()->follow(graph, id, Dependency::data, visit);
}
template <class F>
void ctrl(const Graph& graph, EventId id, F&& visit) {
  graph.dependencies()->follow(graph, id, Dependency::ctrl, visit);
}

}  // namespace edges

}  // namespace heddle
