// The hooks, which instrumented code calls, and the primitives, which library models call.
//
// This is the whole interface between a checked program's native code and the runtime. The table abi/hooks.def says what
// there is; hooks/ and primitives/ define it, instrument_program.cpp and friends emit the calls, the JIT finds the
// addresses in symbols.h.
//
// The hooks of accesses to plain memory have something to do for the first access of a segment to a granule only. Where it
// pays (hook_condition.h), that is seen before they are called. For an access of `size` <= 8 bytes at p, in pseudo-code:
//
//     offset = p - kBase
//     if (offset >> kSizeBits != 0 || misaligned across granules in a way the check does not cover) slow = true
//     else slow = for any granule touched: cell.write != heddle_epoch (a read: && cell.read != heddle_epoch)
//     if (slow) heddle_plain_read(p, size, source)   or   heddle_plain_write(p, size, source, value)
//     the access itself
//
// Loads of more than 8 bytes (vectors, long double) call the hook always, for the whole range. Stores of more are copies
// from the native stack: heddle_copy.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <cstdint>

#include "abi/heddle_kinds.h"

namespace heddle::runtime {

constexpr bool hasInlineCheck(std::uint64_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

// Orders, rmw operations and sizes travel as one word: an Operation without address and values.
//
//     bits 0-7 order | 8-15 failure order | 16-22 size | 24-27 RmwOp | 28 weak
//          23 a write in a loop: Operation::isGuard
//          29, 31 a store in a loop: Operation::isRedone, mayBeRepeated
//          30 blind: Operation::resultIsUnused
constexpr std::uint32_t kBlindAccess = 1u << 30, kGuardAccess = 1u << 23;
constexpr std::uint32_t kRedoneAccess = 1u << 29, kRepeatedAccess = 1u << 31;

constexpr std::uint32_t packAccess(unsigned order, unsigned failureOrder, unsigned size, unsigned rmw, bool weak) {
  return order | failureOrder << 8 | size << 16 | rmw << 24 | static_cast<std::uint32_t>(weak) << 28;
}

struct CasResult {
  std::uint64_t old;
  std::uint64_t success;
};

// A frame variable, in the table that heddle_frame_push is given: offset from the frame's base and size in bytes.
struct FrameVariable {
  std::uint64_t offset, size;
  std::uint32_t tag;  // into ProgramInfo::variables
};

// The frame of a function that calls setjmp has a mark as its first variable, which begins as 0 (primitives/jumps.cpp).
constexpr std::uint64_t kJumpMarkOffset = 16, kJumpMarkBytes = 8;

}  // namespace heddle::runtime

extern "C" {

#define HEDDLE_RETURNS
#define HEDDLE_NORETURN [[noreturn]]
#define HEDDLE_THROWS
#define HEDDLE_THROWS_ONLY [[noreturn]]
#define HOOK(how, member, result, name, parameters, traits) HEDDLE_##how result name parameters;
#define PRIMITIVE(how, result, name, parameters, traits) HEDDLE_##how result name parameters;
#define SHARED(how, member, result, name, parameters, traits) HEDDLE_##how result name parameters;
#define REPLACEMENT(host, how, result, name, parameters) HEDDLE_##how result name parameters;
#define VARIABLE(type, name) extern type name;
#include "abi/hooks.def"
#undef HEDDLE_RETURNS
#undef HEDDLE_NORETURN
#undef HEDDLE_THROWS
#undef HEDDLE_THROWS_ONLY

}  // extern "C"
