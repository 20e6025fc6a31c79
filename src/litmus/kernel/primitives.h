// The primitives of the Linux kernel: what each macro or function does, in terms of events and their tags.
//
// The names of atomic operations are made of parts (atomic64_fetch_add_acquire), so they are taken apart rather than listed.
// What events a primitive has is the kernel's own table (tools/memory-model/Documentation/herd-representation.txt).
#pragma once

#include <optional>
#include <string_view>

#include "litmus/syntax.h"
#include "program/event_tag.h"

namespace heddle::litmus {

enum class PrimitiveKind : std::uint8_t {
  load,      // of a place
  store,     // place, value
  loadFrom,  // through a pointer
  storeTo,   // pointer, value
  fence,
  exchange,         // pointer, value
  compareExchange,  // pointer, expected, value
  addUnless,        // pointer, value, unless: did it add?
  update,           // an arithmetic operation on what a pointer leads to; nothing is returned
  updateReturn,     // the same; the new value
  fetchUpdate,      // the old value
  updateTest,       // is the new value 0?
  updateNegative,   // is it negative?
  lock,             // pointer
  unlock,
  tryLock,  // was it free?
  isLocked,
  waitUnlocked,  // until it is free
  lockToRead,    // a read-write lock
  lockToWrite,
  tryLockToRead,
  tryLockToWrite,
  unlockOfWriter,
  syncSrcu,  // a fence about a location
};

// How strong a read-modify-write is.
enum class Strength : std::uint8_t { relaxed, acquire, release, full };

struct Primitive {
  PrimitiveKind kind = PrimitiveKind::fence;
  EventTag tag = EventTag::once;       // of loads, stores and fences
  std::optional<EventTag> fence = {};  // that follows a store
  Strength strength = Strength::full;  // of read-modify-writes
  Operator op = Operator::add;         // of updates
  bool byOne = false;                  // inc and dec: there is no operand
  bool complemented = false;           // andnot
  bool operandFirst = false;           // atomic_add(i, v), but xchg(v, i)
  unsigned arguments = 0;
};

std::optional<Primitive> findPrimitive(std::string_view name);

}  // namespace heddle::litmus
