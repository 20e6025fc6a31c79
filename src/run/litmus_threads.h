// The threads of a litmus test that is compiled to bytecode, run by themselves (program/separate_threads.h).
//
// For models that are evaluated on complete executions. What is more than accesses and fences (locks, created threads, assertions)
// is refused.
//
// Assembly has values that a read decides on without being part of them: those that a selection has picked, and what a
// compare-and-swap writes, once its comparison has succeeded. The write waits for such a read, but who reads the value in the same
// thread does not. That is what a control dependency of this one write says.
#pragma once

#include <vector>

#include "litmus/test.h"
#include "program/separate_threads.h"

namespace heddle::run {

class LitmusThreads final : public SeparateThreads {
 public:
  // Throws ProgramError for a test that cannot be run so.
  explicit LitmusThreads(const litmus::Test& test);

  unsigned threadCount() const override { return program_.threadCount(); }
  std::vector<InitialValue> locations() const override;
  ThreadRun run(unsigned thread, ReadValues& values) const override;

 private:
  litmus::LitmusProgram& program_;
  std::vector<std::size_t> registers_;  // how many of each thread are observed
};

}  // namespace heddle::run
