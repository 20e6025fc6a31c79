// What the events of a graph depend on, under models that name dependencies: edges from reads and choices to later events of
// their thread (Dependencies in program/program.h).
//
//     addr, data    to every access that depends on it, to both halves of a read-modify-write; addr also to a fence, if the model
//                   says that control ends: what the fence is about, or what was stored through before it (run/kernel_execution.h)
//     ctrl          to the first event that does: all later ones of the thread do as well, unless the model says that control ends
//
// Edges are kept as a stack, those into one event after those into the event before it in the pool, and each is in the list of
// edges that leave its source. The trail is not asked to keep them: events come and go at the end of a thread, and a revisit sets
// some aside. So edges into events that are not there now stay until their place in the pool is used again, and are passed over.
#pragma once

#include <span>
#include <vector>

#include "graph/trail.h"

namespace heddle {

enum class Dependency : std::uint8_t { addr, data, ctrl };

class DependencyEdges {
 public:
  // `controlEnds`: a branch is for the events that depend on it, each of which has its own edge.
  explicit DependencyEdges(bool controlEnds) : controlEnds_(controlEnds) {}

  struct Edge {
    EventId from, to;
    std::uint32_t next;  // of those with the same source, or kNoEdge
    Dependency kind;
  };

  // The newest event of the graph, for an operation that depends on these operations of its thread. Every event is to be added.
  // Control only grows along a thread, mostly by later operations: then it is enough to look at those that are new.
  void add(const Trail& graph, EventId id, const Dependencies& on);
  // The write of a read-modify-write depends on what its read does.
  void addWriteOf(EventId read, EventId write);

  // The edges into an event.
  std::span<const Edge> into(EventId id) const {
    const std::size_t begin = endBefore(id);
    return {edges_.data() + begin, entry(id).end - begin};
  }
  // What depends on an event.
  template <class F>
  void follow(const Trail& graph, EventId id, Dependency kind, F&& visit) const {
    if (id - kFirstEvent >= events_.size()) return;
    for (std::uint32_t edge = entry(id).first; edge != kNoEdge; edge = edges_[edge].next) {
      if (edges_[edge].kind == kind && isThere(graph, edges_[edge].to)) visit(edges_[edge].to);
    }
  }

 private:
  static constexpr std::uint32_t kNoEdge = ~std::uint32_t{0};

  static bool isThere(const Trail& graph, EventId id);
  // Of the operation that an event belongs to.
  struct Owner {
    std::uint32_t operation;    // its number in the thread, from 0
    std::uint32_t control;      // how many operations it depends on by control
    std::uint32_t lastControl;  // the last of these
  };
  // Of an event.
  struct Entry {
    std::uint32_t first;  // of the edges that leave it
    std::uint32_t end;    // of the edges into it
    Owner owner;
  };
  Entry& entry(EventId id) { return events_[id - kFirstEvent]; }
  const Entry& entry(EventId id) const { return events_[id - kFirstEvent]; }
  std::uint32_t endBefore(EventId id) const { return id == kFirstEvent ? 0 : entry(id - 1).end; }
  void begin(EventId id, const Owner& owner);
  static std::span<const std::uint32_t> newControl(const Owner& before, std::span<const std::uint32_t> control);
  void connect(EventId from, EventId to, Dependency kind);
  EventId find(const Trail& graph, EventId before, std::uint32_t operation);

  bool controlEnds_;
  std::vector<Edge> edges_;
  std::vector<Entry> events_;                      // by event, from kFirstEvent
  std::vector<std::vector<EventId>> byOperation_;  // by thread: what was the event of an operation when it was looked for
};

}  // namespace heddle
