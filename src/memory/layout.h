// Where the memory of a checked program lives.
//
// All addresses are fixed, so that an address means the same in every execution, worker process, and run:
//
//   kBase    program memory, 4 TB, reserved and touched only where used
//              image    code and globals of the program
//              tls      the thread_local variables, a block for each thread
//              frames   local variables whose address is taken, a stack for each thread
//              heap     what a thread allocates, an arena for each thread
//   kShadow  the shadow of program memory: 8 bytes for each granule of 4
//   kStacks  the native stacks of the fibers; private to their thread and not shadowed
//
// The places are clear of AddressSanitizer's shadow and of where Linux puts executables, libraries and heaps.
#pragma once

#include <cstddef>
#include <cstdint>

#include "program/thread_set.h"

namespace heddle::memory {

inline constexpr unsigned kThreads = kMostThreads;
inline constexpr Address kGigabyte = Address{1} << 30;
inline constexpr std::size_t kPage = 4096;

inline constexpr Address kBase = 0x2000'0000'0000;
inline constexpr unsigned kSizeBits = 42;
inline constexpr Address kSize = Address{1} << kSizeBits;

inline constexpr Address kImage = kBase;
inline constexpr Address kImageSize = kGigabyte;
inline constexpr Address kTls = kBase + 16 * kGigabyte;
inline constexpr Address kTlsSize = kGigabyte / 16;  // of each thread
inline constexpr Address kFrames = kBase + 64 * kGigabyte;
inline constexpr Address kFramesSize = kGigabyte / 4;  // of each thread
inline constexpr Address kHeap = kBase + 2048 * kGigabyte;
inline constexpr Address kHeapSize = 8 * kGigabyte;  // of each thread

inline constexpr Address kShadow = 0x3000'0000'0000;
inline constexpr Address kStacks = 0x4000'0000'0000;
static_assert(kTls + kThreads * kTlsSize <= kFrames && kFrames + kThreads * kFramesSize <= kHeap &&
              kHeap + kThreads * kHeapSize <= kBase + kSize && kBase + kSize <= kShadow);

constexpr Address tlsOf(ThreadId thread) { return kTls + thread * kTlsSize; }
constexpr Address framesOf(ThreadId thread) { return kFrames + thread * kFramesSize; }
constexpr Address heapOf(ThreadId thread) { return kHeap + thread * kHeapSize; }

constexpr bool isProgramMemory(Address address) { return address - kBase < kSize; }

// A byte of program memory.
inline std::uint8_t& byteAt(Address address) { return *reinterpret_cast<std::uint8_t*>(address); }

// The shadow cell of the granule that an address is in.
constexpr Address shadowOf(Address address) { return kShadow + ((address - kBase) & ~Address{3}) * 2; }

}  // namespace heddle::memory
