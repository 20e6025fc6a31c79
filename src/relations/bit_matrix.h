// Relations between the events of a graph, as matrices of bits with a row for each event, and sets of events as one row.
//
// A set of up to 64 events is a word, and is copied as one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace heddle::relations {

class EventSet {
 public:
  EventSet() = default;
  EventSet(const EventSet& other) { *this = other; }
  EventSet(EventSet&&) = default;
  EventSet& operator=(const EventSet& other) {
    size_ = other.size_;
    word_ = other.word_;
    if (size_ > 1) more_ = other.more_;
    return *this;
  }
  EventSet& operator=(EventSet&&) = default;
  ~EventSet() = default;

  // An empty set with room for so many events.
  void reset(std::size_t size) {
    size_ = (size + 63) / 64;
    word_ = 0;
    if (size_ > 1) more_.assign(size_, 0);
  }
  // Room for more events, or for fewer, with those that are there.
  void resize(std::size_t size) {
    const std::size_t words = (size + 63) / 64;
    if (words > 1 && size_ <= 1) more_.assign(1, word_);
    if (words > 1) more_.resize(words, 0);
    if (words <= 1 && size_ > 1) word_ = more_[0];
    size_ = words;
  }
  void set(std::size_t i) { data()[i / 64] |= std::uint64_t{1} << (i % 64); }
  void clear(std::size_t i) { data()[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  bool test(std::size_t i) const { return ((data()[i / 64] >> (i % 64)) & 1) != 0; }
  // The same for an event that there may be no room for.
  bool contains(std::size_t i) const { return i / 64 < size_ && test(i); }
  std::size_t words() const { return size_; }
  std::uint64_t* data() { return size_ > 1 ? more_.data() : &word_; }
  const std::uint64_t* data() const { return size_ > 1 ? more_.data() : &word_; }

  // Of sets with the same room, or a row of a matrix.
  void unite(const std::uint64_t* other) {
    for (std::size_t w = 0; w < size_; ++w) data()[w] |= other[w];
  }
  void intersect(const std::uint64_t* other) {
    for (std::size_t w = 0; w < size_; ++w) data()[w] &= other[w];
  }
  void subtract(const std::uint64_t* other) {
    for (std::size_t w = 0; w < size_; ++w) data()[w] &= ~other[w];
  }
  bool intersects(const EventSet& other) const {
    for (std::size_t w = 0; w < size_; ++w) {
      if ((data()[w] & other.data()[w]) != 0) return true;
    }
    return false;
  }
  bool isEmpty() const {
    return std::all_of(data(), data() + size_, [](std::uint64_t word) { return word == 0; });
  }
  // Takes out the first event, if the set is not empty.
  std::size_t takeFirst() {
    std::uint64_t* word = data();
    while (*word == 0) ++word;
    const std::size_t first = static_cast<std::size_t>(word - data()) * 64 + static_cast<std::size_t>(std::countr_zero(*word));
    *word &= *word - 1;
    return first;
  }
  bool operator==(const EventSet& other) const {
    return std::equal(data(), data() + size_, other.data(), other.data() + other.size_);
  }

  template <class F>
  void forEach(F&& visit) const {
    for (std::size_t w = 0; w < size_; ++w) {
      for (std::uint64_t rest = data()[w]; rest != 0; rest &= rest - 1) {
        visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
      }
    }
  }

 private:
  std::size_t size_ = 0;  // in words
  std::uint64_t word_ = 0;
  std::vector<std::uint64_t> more_;  // all of them, if there are several
};

// The same for no more than 64 events: what does not ask how many there are is a template over both.
class WordSet {
 public:
  WordSet() = default;
  explicit WordSet(const EventSet& set) : word_(*set.data()) {}

  void reset(std::size_t /*size*/) { word_ = 0; }
  void set(std::size_t i) { word_ |= std::uint64_t{1} << i; }
  void clear(std::size_t i) { word_ &= ~(std::uint64_t{1} << i); }
  bool test(std::size_t i) const { return ((word_ >> i) & 1) != 0; }
  static std::size_t words() { return 1; }
  std::uint64_t* data() { return &word_; }
  const std::uint64_t* data() const { return &word_; }
  void unite(const std::uint64_t* other) { word_ |= *other; }
  void intersect(const std::uint64_t* other) { word_ &= *other; }
  void subtract(const std::uint64_t* other) { word_ &= ~*other; }
  bool intersects(const WordSet& other) const { return (word_ & other.word_) != 0; }
  bool isEmpty() const { return word_ == 0; }
  std::size_t takeFirst() {
    const auto first = static_cast<std::size_t>(std::countr_zero(word_));
    word_ &= word_ - 1;
    return first;
  }
  template <class F>
  void forEach(F&& visit) const {
    for (std::uint64_t rest = word_; rest != 0; rest &= rest - 1) visit(static_cast<std::size_t>(std::countr_zero(rest)));
  }

 private:
  std::uint64_t word_ = 0;
};

class BitMatrix {
 public:
  void reset(std::size_t size) {
    size_ = size;
    words_ = (size + 63) / 64;
    bits_.assign(size * words_, 0);
  }
  // Of another size, with anything in it.
  void shape(std::size_t size) {
    size_ = size;
    words_ = (size + 63) / 64;
    if (bits_.size() < size * words_) bits_.resize(size * words_);
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
