// Random programs with threads that do the same: the explorer with symmetry against the oracle without.
//
// A program is an ordinary random program, whose last thread is there several times. The oracle finds all executions; those that
// are the same up to an exchange of the threads form a class. The explorer must report one execution of each class, which must be
// one of the oracle's; and all of this in random parts, too (split.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fuzz.h"

namespace heddle::oracle {

// The execution with another key that the threads make of it if names[t] does what thread t has done.
std::string exchanged(const std::string& key, const std::vector<unsigned>& names);

// The least key of a class: the threads from `first` to the last one of `count` may be exchanged.
std::string classOf(const std::string& key, unsigned first, unsigned count);

class SymmetryCheck {
 public:
  explicit SymmetryCheck(std::vector<NamedModel> models, std::vector<std::string> equivalences = allEquivalences(),
                         std::string profile = "");

  // Generates and compares the program of a seed; shrinks it if there is a difference.
  std::optional<FuzzFailure> runSeed(std::uint64_t seed);

  const FuzzCounts& counts() const { return counts_; }
  // Classes of the oracle's executions under co, over all models.
  std::size_t classes() const { return classes_; }

 private:
  std::optional<Difference> compare(const RandomProgram& program, std::uint64_t seed, const std::vector<NamedModel>& models,
                                    const std::vector<std::string>& equivalences, FuzzCounts* counts);

  std::vector<NamedModel> models_;
  std::vector<model::CompiledModel> compiled_;
  std::vector<std::string> equivalences_;
  std::string profile_;
  FuzzCounts counts_;
  std::size_t classes_ = 0;
};

}  // namespace heddle::oracle
