// Coming back to an event along po | rf | co | rb: what most searches for forbidden cycles end with (consistency.h).
//
// With an event all that follow it in program order are reached, so what is reached is known by its first event in each
// thread, an array of as many numbers as there are threads. There are no marks to set, and a thread is walked along
// without a stack, as far as where it was reached before.
#pragma once

#include <array>
#include <vector>

#include "graph/graph.h"

namespace heddle::explore {

class OrderSearch {
 public:
  // Is there a cycle through `start` of program order, and of rf, co and rb between accesses of these classes?
  bool returns(const Graph& graph, EventId start, ClassMask accesses);

 private:
  struct Stretch {
    EventId from;
    Lane end;  // the index, in its thread, of the event where it ends
  };

  std::array<Lane, Graph::kMaxThreads> first_;  // that is reached
  std::vector<Stretch> work_;
};

}  // namespace heddle::explore
