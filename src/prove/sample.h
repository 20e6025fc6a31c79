// Random executions, to refute claims that no word refutes.
//
// An execution is a ring of threads: each ends at the location where the next one begins, with fences, other accesses
// and read-modify-writes between. That is the shape of the cycles that axioms forbid, so executions that are
// inconsistent for a reason other than coherence come up often. Each location on its own is sequentially consistent by
// construction.
#pragma once

#include <functional>
#include <memory>

#include "prove/graph.h"

namespace heddle::prove {

class SampledExecutions {
 public:
  explicit SampledExecutions(unsigned seed);
  ~SampledExecutions();
  Graph next();

 private:
  class Maker;
  std::unique_ptr<Maker> maker_;
};

// The graph with events left out, as long as it is `interesting`: no event can be left out of the result.
Graph shrunk(Graph graph, const std::function<bool(const Graph&)>& interesting);

}  // namespace heddle::prove
