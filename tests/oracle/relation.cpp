// The operations on relations, one definition each. See relation.h.
#include "relation.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace heddle::oracle {

Relation::Relation(unsigned size) : size_(size) {
  if (size > maxEvents) throw std::length_error("the oracle handles at most 64 events");
  std::fill_n(rows_.begin(), size, EventSet{0});
}

Relation::Relation(const Relation& other) : size_(other.size_) { std::copy_n(other.rows_.begin(), size_, rows_.begin()); }

Relation& Relation::operator=(const Relation& other) {
  size_ = other.size_;
  if (this != &other) std::copy_n(other.rows_.begin(), size_, rows_.begin());
  return *this;
}

Relation Relation::identity(unsigned size) { return identityOn(size, allEvents(size)); }

Relation Relation::identityOn(unsigned size, EventSet set) {
  Relation result(size);
  for (unsigned a = 0; a < size; ++a) result.rows_[a] = set & singleton(a);
  return result;
}

Relation Relation::product(unsigned size, EventSet from, EventSet to) {
  Relation result(size);
  for (unsigned a = 0; a < size; ++a) result.rows_[a] = contains(from, a) ? to : 0;
  return result;
}

Relation Relation::operator|(const Relation& other) const {
  Relation result(size_);
  for (unsigned a = 0; a < size_; ++a) result.rows_[a] = rows_[a] | other.rows_[a];
  return result;
}

Relation Relation::operator&(const Relation& other) const {
  Relation result(size_);
  for (unsigned a = 0; a < size_; ++a) result.rows_[a] = rows_[a] & other.rows_[a];
  return result;
}

Relation Relation::operator-(const Relation& other) const {
  Relation result(size_);
  for (unsigned a = 0; a < size_; ++a) result.rows_[a] = rows_[a] & ~other.rows_[a];
  return result;
}

Relation Relation::complement() const {
  Relation result(size_);
  for (unsigned a = 0; a < size_; ++a) result.rows_[a] = ~rows_[a] & allEvents(size_);
  return result;
}

Relation Relation::inverse() const {
  Relation result(size_);
  for (unsigned a = 0; a < size_; ++a) {
    for (EventSet rest = rows_[a]; rest != 0; rest &= rest - 1) {
      result.add(static_cast<unsigned>(std::countr_zero(rest)), a);
    }
  }
  return result;
}

Relation Relation::then(const Relation& other) const {
  Relation result(size_);
  for (unsigned a = 0; a < size_; ++a) {
    for (EventSet rest = rows_[a]; rest != 0; rest &= rest - 1) {
      result.rows_[a] |= other.rows_[static_cast<unsigned>(std::countr_zero(rest))];
    }
  }
  return result;
}

Relation Relation::optional() const {
  Relation result(*this);
  for (unsigned a = 0; a < size_; ++a) result.add(a, a);
  return result;
}

// Warshall: after round b, a row holds everything reachable through events 0 .. b. Without a branch in the inner loop, which is
// where the oracle spends its time.
Relation Relation::plus() const {
  Relation result(*this);
  for (unsigned b = 0; b < size_; ++b) {
    const EventSet row = result.rows_[b];
    if (row == 0) continue;
    for (unsigned a = 0; a < size_; ++a) result.rows_[a] |= row * (result.rows_[a] >> b & 1);
  }
  return result;
}

Relation Relation::star() const { return plus().optional(); }

bool Relation::isEmpty() const {
  return std::all_of(rows_.begin(), rows_.begin() + size_, [](EventSet row) { return row == 0; });
}

bool Relation::isIrreflexive() const {
  for (unsigned a = 0; a < size_; ++a) {
    if (has(a, a)) return false;
  }
  return true;
}

// Events without successors among the rest are in no cycle. If they are taken away until there are none, the rest is on cycles
// or before them.
bool Relation::isAcyclic() const {
  EventSet rest = allEvents(size_);
  for (EventSet before = 0; rest != before;) {
    before = rest;
    for (unsigned a = size_; a-- > 0;) {
      if ((rows_[a] & rest) == 0) rest &= ~singleton(a);
    }
  }
  return rest == 0;
}

bool Relation::operator==(const Relation& other) const {
  return size_ == other.size_ && std::equal(rows_.begin(), rows_.begin() + size_, other.rows_.begin());
}

}  // namespace heddle::oracle
