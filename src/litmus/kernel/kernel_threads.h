// The threads of a test in the kernel's dialect, run by themselves (program/separate_threads.h).
//
// A read gives what is guessed for it. Everything a value comes from is followed: registers carry the set of reads that they
// depend on. What an `if` decides depends on its condition; what comes after it does not, as in the kernel's own tool.
#pragma once

#include "litmus/kernel/kernel_syntax.h"
#include "program/separate_threads.h"

namespace heddle::litmus {

// How often a loop may go round in one run.
inline constexpr unsigned kKernelLoopRounds = 3;

class KernelThreads final : public SeparateThreads {
 public:
  explicit KernelThreads(KernelProgram program) : program_(std::move(program)) {}

  unsigned threadCount() const override { return static_cast<unsigned>(program_.threads.size()); }
  std::vector<InitialValue> locations() const override;
  ThreadRun run(unsigned thread, ReadValues& values) const override;
  std::vector<Value> constantsOfBranches() const override;
  std::vector<Counter> counters() const override;

  const KernelProgram& program() const { return program_; }

 private:
  KernelProgram program_;
};

}  // namespace heddle::litmus
