// Relations between the events of a graph, as matrices of bits with a row for each event, and sets of events as one row.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace heddle::relations {

class EventSet {
 public:
  void reset(std::size_t size) { words_.assign((size + 63) / 64, 0); }
  void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void clear(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  bool test(std::size_t i) const { return ((words_[i / 64] >> (i % 64)) & 1) != 0; }
  std::size_t words() const { return words_.size(); }
  std::uint64_t* data() { return words_.data(); }
  const std::uint64_t* data() const { return words_.data(); }
  bool operator==(const EventSet&) const = default;

  template <class F>
  void forEach(F&& visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1) {
        visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

class BitMatrix {
 public:
  void reset(std::size_t size) {
    size_ = size;
    words_ = (size + 63) / 64;
    bits_.assign(size * words_, 0);
  }
  std::size_t size() const { return size_; }
  std::size_t words() const { return words_; }
  std::uint64_t* row(std::size_t i) { return bits_.data() + i * words_; }
  const std::uint64_t* row(std::size_t i) const { return bits_.data() + i * words_; }
  void set(std::size_t i, std::size_t j) { row(i)[j / 64] |= std::uint64_t{1} << (j % 64); }
  bool test(std::size_t i, std::size_t j) const { return ((row(i)[j / 64] >> (j % 64)) & 1) != 0; }
  // Does the event lead to one of the set?
  bool leadsInto(std::size_t i, const EventSet& set) const {
    for (std::size_t w = 0; w < words_; ++w) {
      if ((row(i)[w] & set.data()[w]) != 0) return true;
    }
    return false;
  }

  void unite(const BitMatrix& other);
  void intersect(const BitMatrix& other);
  void subtract(const BitMatrix& other);
  void composeOf(const BitMatrix& a, const BitMatrix& b);  // a ; b
  void inverseOf(const BitMatrix& a);
  void keepFrom(const EventSet& set);  // [set] ; this
  void keepTo(const EventSet& set);    // this ; [set]
  void addIdentity();
  void close();  // transitively
  bool hasLoop() const;
  bool hasCycle() const;
  bool isEmpty() const;
  bool operator==(const BitMatrix&) const = default;

 private:
  std::size_t size_ = 0, words_ = 0;
  std::vector<std::uint64_t> bits_;
};

}  // namespace heddle::relations
