// Fibers: the native stacks that a program's threads run on, and switching between them and the explorer.
//
// A fiber's stack is at a fixed address, so that a copy of its used part, put back later, is the thread as it was. Above
// the stack is a small arena for what host code allocates while it runs on the fiber (exceptions in flight, and what is
// inside them); it is part of the copy, since it changes and must go back with the stack:
//
//     | guard | ...unused... | used stack | arena: used | unused... |
//                            ^ sp         ^ top         ^ top + arena
//
//     <-------------------------- kStackBytes ---------><- kArenaBytes ->
//
// The word at the top of the stack is the thread's own, for library models (heddle_private).
//
// Switching (heddle_switch of arch/processor.h) saves registers on the stack it leaves and loads them from the one it enters;
// a paused fiber is a stack pointer.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/layout.h"
#include "runtime/arch/processor.h"

namespace heddle::runtime {

inline constexpr std::size_t kStackBytes = std::size_t{16} << 20;
inline constexpr std::size_t kArenaBytes = std::size_t{1} << 20;
inline constexpr std::size_t kStackStride = std::size_t{32} << 20;
inline constexpr std::size_t kGuardBytes = std::size_t{1} << 16;

constexpr Address stackTop(ThreadId thread) { return memory::kStacks + thread * kStackStride + kStackBytes; }
constexpr Address stackGuard(ThreadId thread) { return memory::kStacks + thread * kStackStride; }

constexpr Address privateWord(ThreadId thread) { return stackTop(thread) - sizeof(std::uint64_t); }

// Is the address on the thread's stack or in its arena?
constexpr bool isOnStack(ThreadId thread, Address address) { return address - stackGuard(thread) < kStackBytes + kArenaBytes; }
constexpr bool isOnAnyStack(Address address) { return address - memory::kStacks < memory::kThreads * kStackStride; }

// Maps the stacks of this many threads, if they are not yet.
void mapStacks(unsigned threads);

// Makes a fresh stack whose first switch calls `entry`, which must not return. Returns its stack pointer.
void* prepareStack(ThreadId thread, void (*entry)());

}  // namespace heddle::runtime
