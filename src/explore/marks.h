// Marks of nodes that are forgotten all at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heddle::explore {

class Marks {
 public:
  void begin(std::size_t nodes) {
    if (marks_.size() < nodes) marks_.resize(std::max(nodes, 2 * marks_.size()), 0);
    if (++epoch_ == 0) {
      std::fill(marks_.begin(), marks_.end(), 0);
      epoch_ = 1;
    }
  }
  bool insert(std::size_t node) {
    if (marks_[node] == epoch_) return false;
    marks_[node] = epoch_;
    return true;
  }

 private:
  std::vector<std::uint32_t> marks_;
  std::uint32_t epoch_ = 0;
};

}  // namespace heddle::explore
