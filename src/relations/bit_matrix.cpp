#include "relations/bit_matrix.h"

#include <algorithm>

namespace heddle::relations {

void BitMatrix::unite(const BitMatrix& other) {
  for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] |= other.bits_[i];
}
void BitMatrix::intersect(const BitMatrix& other) {
  for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] &= other.bits_[i];
}
void BitMatrix::subtract(const BitMatrix& other) {
  for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] &= ~other.bits_[i];
}

void BitMatrix::composeOf(const BitMatrix& a, const BitMatrix& b) {
  reset(a.size());
  for (std::size_t i = 0; i < size_; ++i) {
    const std::uint64_t* from = a.row(i);
    std::uint64_t* to = row(i);
    for (std::size_t w = 0; w < words_; ++w) {
      for (std::uint64_t rest = from[w]; rest != 0; rest &= rest - 1) {
        const std::uint64_t* middle = b.row(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
        for (std::size_t v = 0; v < words_; ++v) to[v] |= middle[v];
      }
    }
  }
}

void BitMatrix::inverseOf(const BitMatrix& a) {
  reset(a.size());
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t w = 0; w < words_; ++w) {
      for (std::uint64_t rest = a.row(i)[w]; rest != 0; rest &= rest - 1) {
        set(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)), i);
      }
    }
  }
}

void BitMatrix::keepFrom(const EventSet& set) {
  for (std::size_t i = 0; i < size_; ++i) {
    if (!set.test(i)) std::fill_n(row(i), words_, 0);
  }
}

void BitMatrix::keepTo(const EventSet& set) {
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t w = 0; w < words_; ++w) row(i)[w] &= set.data()[w];
  }
}

void BitMatrix::addIdentity() {
  for (std::size_t i = 0; i < size_; ++i) set(i, i);
}

void BitMatrix::close() {
  for (std::size_t k = 0; k < size_; ++k) {
    const std::uint64_t* through = row(k);
    for (std::size_t i = 0; i < size_; ++i) {
      if (!test(i, k)) continue;
      std::uint64_t* to = row(i);
      for (std::size_t w = 0; w < words_; ++w) to[w] |= through[w];
    }
  }
}

bool BitMatrix::hasLoop() const {
  for (std::size_t i = 0; i < size_; ++i) {
    if (test(i, i)) return true;
  }
  return false;
}

// Takes away events that lead nowhere, until there are none: what is left is on cycles or leads to one.
bool BitMatrix::hasCycle() const {
  EventSet left;
  left.reset(size_);
  for (std::size_t i = 0; i < size_; ++i) left.set(i);
  for (bool changed = true; changed;) {
    changed = false;
    left.forEach([&](std::size_t i) {
      if (leadsInto(i, left)) return;
      left.clear(i);
      changed = true;
    });
  }
  return std::any_of(left.data(), left.data() + left.words(), [](std::uint64_t word) { return word != 0; });
}

bool BitMatrix::isEmpty() const {
  return std::ranges::all_of(bits_, [](std::uint64_t word) { return word == 0; });
}

}  // namespace heddle::relations
