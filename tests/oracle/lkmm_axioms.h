// The axioms of the Linux kernel's memory model over one execution, as relations of the oracle.
#pragma once

#include <map>
#include <string>

#include "relation.h"

namespace heddle::oracle {

struct KernelGraph {
  unsigned size = 0;
  EventSet reads = 0, writes = 0, initial = 0, updates = 0;  // updates: halves of atomic operations
  std::map<std::string, EventSet> tagged;                    // "once", "LKR", ...
  Relation po, rf, co, rmw, loc, internal, addr, data, ctrl;

  EventSet tag(const std::string& name) const {
    const auto found = tagged.find(name);
    return found == tagged.end() ? 0 : found->second;
  }
};

// acyclic (po-loc | rf | co | fr), and no write of another thread inside a read-modify-write.
bool isCoherentAndAtomic(const KernelGraph& graph);

struct KernelVerdict {
  bool allowed = false;
  bool race = false;
};
// Of an execution that is coherent and atomic.
KernelVerdict judge(const KernelGraph& graph);

}  // namespace heddle::oracle
