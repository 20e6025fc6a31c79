// Sets of events and relations between them, as bit rows: the arithmetic of the oracle.
//
// The oracle looks at executions of a dozen events, so a set is one machine word and a relation one word a
// row. Nothing here is clever: every operation is the textbook definition written over words. The rows past
// `size()` are never read, which keeps a copy as small as the execution.
//
//     row a:  bit b is set  <=>  (a, b) is in the relation
#pragma once

#include <array>
#include <cstdint>

namespace heddle::oracle {

inline constexpr unsigned maxEvents = 64;

using EventSet = std::uint64_t;

constexpr EventSet singleton(unsigned event) { return EventSet{1} << event; }
constexpr EventSet allEvents(unsigned size) { return size >= 64 ? ~EventSet{0} : singleton(size) - 1; }
constexpr bool contains(EventSet set, unsigned event) { return (set >> event & 1) != 0; }

class Relation {
 public:
  explicit Relation(unsigned size = 0);  // the empty relation over events 0 .. size-1
  Relation(const Relation& other);
  Relation& operator=(const Relation& other);

  static Relation identity(unsigned size);
  static Relation identityOn(unsigned size, EventSet set);             // [set]
  static Relation product(unsigned size, EventSet from, EventSet to);  // from * to

  unsigned size() const { return size_; }
  bool has(unsigned from, unsigned to) const { return contains(rows_[from], to); }
  void add(unsigned from, unsigned to) { rows_[from] |= singleton(to); }
  EventSet successors(unsigned from) const { return rows_[from]; }
  void addSuccessors(unsigned from, EventSet to) { rows_[from] |= to; }

  Relation operator|(const Relation& other) const;
  Relation operator&(const Relation& other) const;
  Relation operator-(const Relation& other) const;
  Relation complement() const;
  Relation inverse() const;
  Relation then(const Relation& other) const;  // this ; other
  Relation optional() const;                   // this?
  Relation plus() const;                       // this+
  Relation star() const;                       // this*

  bool isEmpty() const;
  bool isIrreflexive() const;
  bool isAcyclic() const;
  bool operator==(const Relation& other) const;

 private:
  unsigned size_;
  std::array<EventSet, maxEvents> rows_;
};

}  // namespace heddle::oracle
