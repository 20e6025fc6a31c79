// Random programs in the Linux kernel's dialect as C files, for `heddle check --model lkmm`.
//
// The statements are those of the litmus test (lkmm_program.h), with pointers to variables of the program. Each thread leaves its
// registers in a table, which main prints after it has waited for all threads, with the data locations: the same state as that of the
// oracle (lkmm_oracle.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "fuzz.h"
#include "lkmm_oracle.h"
#include "native_checked.h"

namespace heddle::oracle {

// A file whose main runs the program with the number that is its first argument.
std::string kernelFile(std::span<const KernelProgramTable> programs);

// Compares what is found with the oracle: how many executions there are for each final state, and whether there is a data race.
class KernelFuzzer {
 public:
  // The programs of these seeds, in one file. What is said about the first that differs.
  std::optional<std::string> runSeeds(std::uint64_t first, std::size_t count);

  const FuzzCounts& counts() const { return counts_; }
  std::size_t races() const { return races_; }
  std::size_t incomplete() const { return incomplete_; }  // there may be load buffering, which is not explored

 private:
  std::optional<std::string> compare(const CheckedFile& file, std::size_t number, const KernelProgramTable& program,
                                     const KernelOutcome& expected);

  FuzzCounts counts_;
  std::size_t races_ = 0, incomplete_ = 0;
};

}  // namespace heddle::oracle
