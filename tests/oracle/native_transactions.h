// Random programs with transactions, in C: the executions must be those of the litmus test, which other tests hold against
// interleavings and axioms (transactions_test.cpp); and what is the same with something else for a transaction must be the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fuzz.h"
#include "transaction_program.h"

namespace heddle::oracle {

class TransactionsFuzzer {
 public:
  explicit TransactionsFuzzer(std::vector<std::string> models = {"sc", "tso", "rc20"}) : models_(std::move(models)) {}

  // Compares the programs of `count` seeds, in one file. What is said about the first that differs.
  std::optional<std::string> runSeeds(std::uint64_t first, std::size_t count);
  const FuzzCounts& counts() const { return counts_; }

 private:
  std::vector<std::string> models_;
  FuzzCounts counts_;
};

}  // namespace heddle::oracle
