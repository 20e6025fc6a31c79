// The set of final states of a test.
//
// A state is a fixed number of 64-bit words, one for each observable. Every execution looks its state up here, so
// the set is an open hash table over one flat array: no allocation but when it grows, and no text until the end.
//
//     values_   | state 0: word 0 .. word w-1 | state 1: ... |
//     table_    index of a state plus one, or 0; a power of two, at most half full
#pragma once

#include <cstdint>
#include <vector>

#include "util/hash.h"

namespace heddle::run {

class StateSet {
 public:
  explicit StateSet(std::size_t width) : width_(width), table_(64) {}

  // True if the state is new.
  bool insert(const std::int64_t* state) {
    std::size_t at = hash(state) & (table_.size() - 1);
    for (; table_[at] != 0; at = (at + 1) & (table_.size() - 1)) {
      if (same((*this)[table_[at] - 1], state)) return false;
    }
    values_.insert(values_.end(), state, state + width_);
    table_[at] = static_cast<std::uint32_t>(++size_);
    if (2 * size_ > table_.size()) grow();
    return true;
  }

  std::size_t size() const { return size_; }
  std::size_t width() const { return width_; }
  const std::int64_t* operator[](std::size_t index) const { return values_.data() + index * width_; }

 private:
  bool same(const std::int64_t* a, const std::int64_t* b) const {
    for (std::size_t i = 0; i < width_; ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }

  std::size_t hash(const std::int64_t* state) const {
    std::uint64_t h = 0;
    for (std::size_t i = 0; i < width_; ++i) {
      h = util::mix(h, static_cast<std::uint64_t>(state[i]));
    }
    return h;
  }

  void grow() {
    table_.assign(2 * table_.size(), 0);
    for (std::size_t i = 0; i < size_; ++i) {
      std::size_t at = hash((*this)[i]) & (table_.size() - 1);
      while (table_[at] != 0) at = (at + 1) & (table_.size() - 1);
      table_[at] = static_cast<std::uint32_t>(i + 1);
    }
  }

  std::size_t width_;
  std::size_t size_ = 0;
  std::vector<std::int64_t> values_;
  std::vector<std::uint32_t> table_;
};

}  // namespace heddle::run
