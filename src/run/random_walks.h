// Executions of a program, down the tree at random: in search of a shorter one with the error that has been found.
//
// The first execution with an error is the first in the order of the exploration, not a short one: threads that the error does
// not need have run, loops have gone round. A walk goes down the tree of the exploration (explore/subtree.h): from each node
// to one of those right below, all equally likely, until the graph is full. The observer sees each of these executions and keeps the
// shortest. The seed is fixed, and the effort is counted in steps, so what is found is the same every time and for every number of
// processes.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <random>

#include "explore/subtree.h"

namespace heddle::run {

class RandomWalks final : public explore::Attendant {
 public:
  // `known`: the length of the path to the execution that is known. A walk that is much longer is given up. `interrupted`: may be null.
  RandomWalks(std::size_t known, const std::atomic<bool>* interrupted) : longest_(2 * known + 64), interrupted_(interrupted) {}

  bool attend(explore::Divisible& exploration) override;
  bool isUrgent() const override { return mustStop(); }

 private:
  bool mustStop() const;

  std::size_t longest_;
  const std::atomic<bool>* interrupted_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mt19937 random_{1};
  std::uint64_t steps_ = 0;
};

}  // namespace heddle::run
