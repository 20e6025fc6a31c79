// Event classes: what a memory model can say about an event by itself.
//
// A model's base sets (R, W, ACQ, RMW, ...) depend only on an event's kind, its memory order, whether it is
// part of a successful read-modify-write, and whether it is an initial write. That is few enough
// combinations to number them below 64, so any set expression is one 64-bit mask, and testing an event
// against a set is one shift.
#pragma once

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
using ClassSet = std::uint64_t;

inline constexpr unsigned kOrders = 6;
inline constexpr EventClass kInitialWriteClass = 4 * kOrders * 2;
inline constexpr EventClass kChoiceClass = kInitialWriteClass + 1;
inline constexpr unsigned kEventClasses = kChoiceClass + 1;
inline constexpr ClassSet kAllClasses = (ClassSet{1} << kEventClasses) - 1;

constexpr EventClass eventClass(EventKind kind, Order order, bool rmw) {
  if (kind == EventKind::choice) return kChoiceClass;
  return static_cast<EventClass>((static_cast<unsigned>(kind) * kOrders + static_cast<unsigned>(order)) * 2 + rmw);
}
constexpr bool contains(ClassSet set, EventClass cls) { return (set >> cls) & 1; }

namespace classes {

constexpr ClassSet ofKind(EventKind kind) {
  return ((ClassSet{1} << (2 * kOrders)) - 1) << (static_cast<unsigned>(kind) * 2 * kOrders);
}
inline constexpr ClassSet kInitial = ClassSet{1} << kInitialWriteClass;
inline constexpr ClassSet kChoice = ClassSet{1} << kChoiceClass;
inline constexpr ClassSet kRead = ofKind(EventKind::read);
inline constexpr ClassSet kWrite = ofKind(EventKind::write) | kInitial;
inline constexpr ClassSet kAccess = kRead | ofKind(EventKind::write);  // without initial writes
inline constexpr ClassSet kFence = ofKind(EventKind::fence);
inline constexpr ClassSet kThread = ofKind(EventKind::thread);

constexpr ClassSet ofOrder(Order order) {
  ClassSet set = 0;
  for (unsigned kind = 0; kind < 3; ++kind) {
    set |= ClassSet{3} << ((kind * kOrders + static_cast<unsigned>(order)) * 2);
  }
  return set;
}
constexpr ClassSet ofRmw() {
  ClassSet set = 0;
  for (unsigned i = 0; i < 2 * kOrders; ++i) set |= ClassSet{1} << (2 * i + 1);
  return set;
}
inline constexpr ClassSet kRmw = ofRmw();
// Plain accesses; an initial write is one, a fence never is.
inline constexpr ClassSet kPlain = (ofOrder(Order::plain) & (kRead | kWrite)) | kInitial;

}  // namespace classes
}  // namespace heddle
