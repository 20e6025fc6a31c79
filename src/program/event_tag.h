// Tags: what the language of a program calls an event, beyond reads, writes, fences and memory orders.
//
// The Linux kernel's primitives are told apart by tags (docs/kernel.md). A model names the events of a tag as a set: the tag
// `rcu-lock` is the set `Rcu-lock`. Those of locks have the names that the field gives them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle {

// X(identifier, name of the set)
#define HEDDLE_EVENT_TAGS(X)                                               \
  X(once, "Once")                                                          \
  X(acquire, "Acquire")                                                    \
  X(release, "Release")                                                    \
  X(noreturn, "Noreturn") /* the read of an update that returns nothing */ \
  X(mb, "Mb")                                                              \
  X(rmb, "Rmb")                                                            \
  X(wmb, "Wmb")                                                            \
  X(barrier, "Barrier") /* a fence for the compiler only */                \
  X(beforeAtomic, "Before-atomic")                                         \
  X(afterAtomic, "After-atomic")                                           \
  X(afterSpinlock, "After-spinlock")                                       \
  X(afterUnlockLock, "After-unlock-lock")                                  \
  X(afterSrcuReadUnlock, "After-srcu-read-unlock")                         \
  X(rcuLock, "Rcu-lock")                                                   \
  X(rcuUnlock, "Rcu-unlock")                                               \
  X(syncRcu, "Sync-rcu")                                                   \
  X(srcuLock, "Srcu-lock")                                                 \
  X(srcuUnlock, "Srcu-unlock")                                             \
  X(syncSrcu, "Sync-srcu")                                                 \
  X(lockRead, "LKR") /* the read and the write of a lock that is taken */  \
  X(lockWrite, "LKW")                                                      \
  X(unlock, "UL")                                                          \
  X(lockFails, "LF")  /* spin_trylock of a lock that is held */            \
  X(readLocked, "RL") /* spin_is_locked that finds it held, and free */    \
  X(readUnlocked, "RU")

#define HEDDLE_TAG(id, name) id,
enum class EventTag : std::uint8_t { HEDDLE_EVENT_TAGS(HEDDLE_TAG) };
#undef HEDDLE_TAG

#define HEDDLE_TAG(id, name) name,
inline constexpr std::string_view kEventTagNames[] = {HEDDLE_EVENT_TAGS(HEDDLE_TAG)};
#undef HEDDLE_TAG

// A set of tags, a bit for each.
using EventTags = std::uint32_t;
static_assert(std::size(kEventTagNames) <= 32);

constexpr EventTags tagBit(EventTag tag) { return EventTags{1} << static_cast<unsigned>(tag); }

constexpr std::optional<EventTag> findEventTag(std::string_view name) {
  for (unsigned i = 0; i < std::size(kEventTagNames); ++i) {
    if (kEventTagNames[i] == name) return static_cast<EventTag>(i);
  }
  return std::nullopt;
}

}  // namespace heddle
