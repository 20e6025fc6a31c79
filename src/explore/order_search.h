// Coming back to an event along po | rf | co | rb: what most searches for forbidden cycles end with (consistency.h).
//
// With an event all that follow it in program order are reached, so what is reached is known by its first event in each
// thread, an array of as many numbers as there are threads. There are no marks to set, and a thread is walked along
// without a stack, as far as where it was reached before.
//
// Where one does come back an automaton has to tell whether that is forbidden. A cycle through the event has all its events
// between what is reached from it and what it is reached from. That is a part of each thread, and often a small part of the graph.
// What it is reached from is looked for among what is reached, as every path of such a cycle stays there.
#pragma once

#include <array>
#include <vector>

#include "graph/graph.h"

namespace heddle::explore {

class OrderSearch {
 public:
  // Is there a cycle through `start` of program order, and of rf, co and rb between accesses of these classes?
  bool returns(const Graph& graph, EventId start, ClassMask accesses);

  // Finds what lies on cycles through `start` of po, rf, co and rb. False if there is none.
  bool findComponent(const Graph& graph, EventId start);
  bool isInComponent(const Event& event) const {
    return event.index >= first_[event.thread] && event.index <= last_[event.thread];
  }
  // The classes of those events.
  ClassMask componentClasses(const Graph& graph) const;

 private:
  struct Stretch {
    EventId from;
    Lane end;  // the index, in its thread, of the event where it ends
  };

  // Goes as far as `stops` lets it.
  template <class Stops>
  void goForward(const Graph& graph, EventId start, ClassMask accesses, const Stops& stops);
  void goBack(const Graph& graph, EventId start);

  std::array<Lane, Graph::kMaxThreads> first_;   // that is reached
  std::array<Lane, Graph::kMaxThreads> last_;    // that it is reached from
  std::array<EventId, Graph::kMaxThreads> end_;  // the event at last_
  std::vector<Stretch> work_;
};

}  // namespace heddle::explore
