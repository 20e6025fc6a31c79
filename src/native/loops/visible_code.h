// Which code may do something visible: an operation that is an event of the execution graph.
//
// A loop in which nothing is visible adds nothing to the graph however often it goes round, so it needs no bound: no other
// thread can change what it does, and whether it ends does not depend on the execution. What counts is what may happen in
// the functions that it calls, too: freeing the nodes of a list is a call, but no event.
#pragma once

#include <set>

#include "native/pipeline.h"

namespace llvm {
class Function;
class Instruction;
class Module;
}  // namespace llvm

namespace heddle::native {

class VisibleCode {
 public:
  // Looks at the module as it is before atomics are lowered.
  VisibleCode(const llvm::Module& module, const BuildOptions& options);

  bool contains(const llvm::Instruction& instruction) const;

 private:
  const BuildOptions& options_;
  std::set<const llvm::Function*> functions_;  // that have a body, and may do something visible
};

}  // namespace heddle::native
