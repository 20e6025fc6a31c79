// The threads of a litmus test that is compiled to bytecode, run by themselves (program/separate_threads.h).
//
// For models that are evaluated on complete executions. What is more than accesses and fences (locks, created threads, assertions)
// is refused.
//
// Assembly has values that a read decides on without being part of them: those that a selection has picked, and what a
// compare-and-swap writes, once its comparison has succeeded. The write waits for such a read, but who reads the value in the same
// thread does not. That is what a control dependency of this one write says.
//
// A model of the kernel knows events by their tags. A test in C11 has those of kernel_tags.h under it. What the kernel has no word for is
// refused: acquire and release fences, and assembly. So is a write after a branch: control dependencies of bytecode last to the
// end of the thread, and those of the kernel to the end of the branch.
#pragma once

#include <vector>

#include "litmus/test.h"
#include "program/separate_threads.h"

namespace heddle::run {

class LitmusThreads final : public SeparateThreads {
 public:
  // `tagged`: for a model that names tags (model::namesTags). Throws ProgramError for a test that cannot be run so.
  LitmusThreads(const litmus::Test& test, bool tagged);

  unsigned threadCount() const override { return program_.threadCount(); }
  std::vector<InitialValue> locations() const override;
  ThreadRun run(unsigned thread, ReadValues& values) const override;

 private:
  litmus::LitmusProgram& program_;
  const bool tagged_;
  std::vector<std::size_t> registers_;  // how many of each thread are observed
};

}  // namespace heddle::run
