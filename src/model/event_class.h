// Event classes: what a memory model can say about an event by itself.
//
// A model's base sets (R, W, ACQ, RMW, ...) depend only on an event's kind, its memory order, whether it is part of a
// successful read-modify-write, and whether it is an initial write. The combinations that exist are numbered; a set
// expression of a model is then a set of numbers.
//
// This is the one place that knows the numbers, how many there are, and how a set of them is kept. A kind of events is an
// enumerator of EventKind and a row of kNumbering; a set that models can name is a row of base_names.def.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "program/operation.h"

namespace heddle {

enum class EventKind : std::uint8_t {
  read,
  write,
  fence,
  thread,  // thread creation and join
  choice,  // a nondeterministic value, or a notification: in program order, in no set of any model
};

using EventClass = std::uint8_t;

class ClassSet {
  using Bits = Wide;

 public:
  static constexpr unsigned kCapacity = 8 * sizeof(Bits);

  constexpr ClassSet() = default;  // empty
  // The classes from `first` on, before `end`.
  static constexpr ClassSet range(unsigned first, unsigned end) {
    ClassSet set;
    for (unsigned cls = first; cls < end; ++cls) set.bits_ |= Bits{1} << cls;
    return set;
  }
  static constexpr ClassSet of(unsigned cls) { return ClassSet(Bits{1} << cls); }
  // For generated code: the halves of a set, the classes from 64 on first.
  static constexpr ClassSet ofHalves(std::uint64_t high, std::uint64_t low) { return ClassSet(Bits{high} << 64 | low); }
  constexpr std::uint64_t high() const { return static_cast<std::uint64_t>(bits_ >> 64); }
  constexpr std::uint64_t low() const { return static_cast<std::uint64_t>(bits_); }

  constexpr bool contains(EventClass cls) const { return (bits_ >> cls & 1) != 0; }
  constexpr bool empty() const { return bits_ == 0; }

  constexpr ClassSet& operator|=(ClassSet other) { return *this = *this | other; }
  constexpr ClassSet& operator&=(ClassSet other) { return *this = *this & other; }
  friend constexpr ClassSet operator|(ClassSet a, ClassSet b) { return ClassSet(a.bits_ | b.bits_); }
  friend constexpr ClassSet operator&(ClassSet a, ClassSet b) { return ClassSet(a.bits_ & b.bits_); }
  friend constexpr ClassSet operator~(ClassSet a) { return ClassSet(~a.bits_); }
  constexpr bool operator==(const ClassSet&) const = default;
  constexpr auto operator<=>(const ClassSet&) const = default;

 private:
  constexpr explicit ClassSet(Bits bits) : bits_(bits) {}

  Bits bits_ = 0;
};

inline constexpr unsigned kMostClasses = ClassSet::kCapacity;

constexpr bool contains(ClassSet set, EventClass cls) { return set.contains(cls); }

inline constexpr unsigned kOrders = 6;

// The numbers of a kind's classes: first + order * perOrder + rmw * perRmw; then those that have no order.
struct Numbering {
  unsigned perOrder;  // 0: no difference
  unsigned perRmw;
  unsigned withoutOrder = 0;
  unsigned first = 0;
  constexpr unsigned endOfOrders() const { return first + (perOrder == 0 ? 1 : kOrders * perOrder); }
  constexpr unsigned end() const { return endOfOrders() + withoutOrder; }
};
inline constexpr auto kNumbering = [] {
  std::array numbering = {
      Numbering{.perOrder = 2, .perRmw = 1},                                  // read
      Numbering{.perOrder = 2, .perRmw = 1},                                  // write
      Numbering{.perOrder = 1, .perRmw = 0, .withoutOrder = kMachineFences},  // fence
      Numbering{.perOrder = 0, .perRmw = 0},                                  // thread
      Numbering{.perOrder = 0, .perRmw = 0},                                  // choice
  };
  for (unsigned kind = 1; kind < numbering.size(); ++kind) numbering[kind].first = numbering[kind - 1].end();
  return numbering;
}();
static_assert(kNumbering.size() == static_cast<unsigned>(EventKind::choice) + 1);

constexpr const Numbering& numberingOf(EventKind kind) { return kNumbering[static_cast<unsigned>(kind)]; }

constexpr EventClass eventClass(EventKind kind, Order order, bool rmw) {
  const Numbering& of = numberingOf(kind);
  return static_cast<EventClass>(of.first + static_cast<unsigned>(order) * of.perOrder + rmw * of.perRmw);
}

constexpr EventClass eventClass(MachineFence fence) {
  return static_cast<EventClass>(numberingOf(EventKind::fence).endOfOrders() + static_cast<unsigned>(fence));
}
constexpr EventClass classOfFence(const Operation& fence) {
  const auto machine = fence.machineFence();
  return machine ? eventClass(*machine) : eventClass(EventKind::fence, fence.order, false);
}

inline constexpr EventClass kChoiceClass = eventClass(EventKind::choice, Order::plain, false);
inline constexpr EventClass kInitialWriteClass = kNumbering.back().end();
inline constexpr unsigned kEventClasses = kInitialWriteClass + 1;
static_assert(kEventClasses <= kMostClasses);
inline constexpr ClassSet kAllClasses = ClassSet::range(0, kEventClasses);

// Plain for what has no order.
constexpr Order orderOf(EventClass cls) {
  for (const Numbering& of : kNumbering) {
    if (of.perOrder != 0 && of.first <= cls && cls < of.endOfOrders())
      return static_cast<Order>((cls - of.first) / of.perOrder);
  }
  return Order::plain;
}

namespace classes {

constexpr ClassSet ofKind(EventKind kind) { return ClassSet::range(numberingOf(kind).first, numberingOf(kind).end()); }
inline constexpr ClassSet kInitial = ClassSet::of(kInitialWriteClass);
inline constexpr ClassSet kChoice = ofKind(EventKind::choice);
inline constexpr ClassSet kRead = ofKind(EventKind::read);
inline constexpr ClassSet kWrite = ofKind(EventKind::write) | kInitial;
inline constexpr ClassSet kAccess = kRead | ofKind(EventKind::write);  // without initial writes
inline constexpr ClassSet kFence = ofKind(EventKind::fence);
inline constexpr ClassSet kThread = ofKind(EventKind::thread);

constexpr ClassSet ofOrder(Order order) {
  ClassSet set;
  for (const Numbering& of : kNumbering) {
    const unsigned first = of.first + static_cast<unsigned>(order) * of.perOrder;
    set |= ClassSet::range(first, first + of.perOrder);
  }
  return set;
}
constexpr ClassSet ofRmw() {
  ClassSet set;
  for (const Numbering& of : kNumbering) {
    for (unsigned cls = of.first; of.perRmw != 0 && cls < of.endOfOrders(); cls += of.perOrder)
      set |= ClassSet::of(cls + of.perRmw);
  }
  return set;
}
inline constexpr ClassSet kRmw = ofRmw();
// A fence of a machine.
constexpr ClassSet of(MachineFence fence) { return ClassSet::of(eventClass(fence)); }
// Plain accesses; an initial write is one, a fence never is.
inline constexpr ClassSet kPlain = (ofOrder(Order::plain) & (kRead | kWrite)) | kInitial;

}  // namespace classes

// An exploration asks of every event whether it is in some set. There a set is one word, with room for 64: the classes that
// every program may have keep their numbers, so events and generated searches are made without asking, and any others that
// the program has get those that are left (graph/program_classes.h).
using ClassMask = std::uint64_t;

inline constexpr unsigned kFixedClasses = kEventClasses;
static_assert(kFixedClasses <= 64);

constexpr ClassMask fixedMask(ClassSet set) { return (set & ClassSet::range(0, kFixedClasses)).low(); }
constexpr bool contains(ClassMask mask, EventClass cls) { return (mask >> cls & 1) != 0; }

}  // namespace heddle
