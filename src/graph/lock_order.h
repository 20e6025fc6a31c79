// Readers of a lock, and the writer that comes after them.
//
// To give a lock back after reading it happens before the next writer takes it, but not before the next reader does:
// readers exclude nobody but writers, and in C++ an unlock_shared synchronises with later locks, not with later
// lock_shareds. Yet all of them are read-modify-writes of one word, and whatever one of these releases all later ones
// acquire. So a reader that leaves releases nothing. Instead who takes the lock for writing comes after each reader
// that has left since it was last held for writing, as if it were program order, in every model: the same kind of edge
// as that of a join.
//
//     unlock  ->  reads  reads  leaves  leaves  ->  lock            rf of the word
//                                  \_______\________/               these edges
#pragma once

#include "graph/graph.h"
#include "program/lock.h"

namespace heddle {

inline EventId lockSource(const Graph& graph, EventId read) { return graph[read].rf; }

// Calls visit with the writes by which readers have left, if this is the read by which a lock is taken for writing.
template <class AnyGraph, class F>
void forEachLeaving(const AnyGraph& graph, EventId taking, F&& visit) {
  if (!graph[taking].rmw || graph.operation(taking).lock == LockOp::read) return;
  EventId write = lockSource(graph, taking);
  while (!isInitial(write) && graph[write].rmw && graph.operation(write).lock == LockOp::read) {
    if (graph.operation(write).kind == OperationKind::rmw) visit(write);
    write = lockSource(graph, graph[write].poPrev);
  }
}

// The other way round: the read by which the next writer takes the lock, if this is the write by which a reader has
// left; or kNone.
inline EventId nextToHold(const Graph& graph, EventId leaving) {
  const Operation& operation = graph.operation(leaving);
  if (!leavesReading(operation) || !graph[leaving].isWrite()) return kNone;
  EventId taking = graph[leaving].rmwReader;
  while (taking != kNone && graph.operation(taking).lock == LockOp::read) {
    const EventId write = graph[taking].poNext;
    taking = write == kNone ? kNone : graph[write].rmwReader;
  }
  return taking;
}

}  // namespace heddle
