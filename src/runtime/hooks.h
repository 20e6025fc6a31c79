// The hooks: what instrumented code calls.
//
// This is the whole interface between a checked program's native code and the runtime (runtime.cpp defines the functions,
// instrument_program.cpp and friends emit the calls, jit.cpp resolves the names). `source` is an index into the SourceTable.
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

#include <cstddef>
#include <cstdint>

namespace heddle::native {

constexpr bool hasInlineCheck(std::uint64_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

// Orders, rmw operations and sizes travel as one word: an Operation without address and values.
//
//     bits 0-7 order | 8-15 failure order | 16-23 size | 24-27 RmwOp | 28 weak
//          30 blind: nobody looks at what a read-modify-write has read
constexpr std::uint32_t kBlindAccess = 1u << 30;

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
  std::uint32_t initialised;  // 1: a by-value argument, which the prologue fills in
};

extern "C" {

extern std::uint32_t heddle_epoch;  // of the running segment
extern std::uint64_t heddle_tls;    // the address of the running thread's thread_locals
// Where the program last called a library model in the running thread. Instrumented program code stores the source of the
// call here right before it; hooks that are called from library code report this place.
extern std::uint32_t heddle_call_source;
// What the next allocation is of: an index into ProgramInfo::variables, or 0. Stored right before the call that allocates.
extern std::uint32_t heddle_heap_type;

// Plain memory.
void heddle_plain_read(const void* address, std::uint64_t size, std::uint32_t source);
void heddle_plain_write(void* address, std::uint64_t size, std::uint32_t source, std::uint64_t value);
// A write before which the code looks at what is there, and a read of bytes that may be uninitialised.
void heddle_plain_update(void* address, std::uint64_t size, std::uint32_t source, std::uint64_t value);
void heddle_plain_peek(const void* address, std::uint64_t size, std::uint32_t source);
void heddle_copy(void* to, const void* from, std::uint64_t size, std::uint32_t source);  // memcpy, memmove: check and do it
void heddle_set(void* to, int byte, std::uint64_t size, std::uint32_t source);           // memset: check and do it

// Local variables in frame memory. `variables` has `count` entries.
void* heddle_frame_push(std::uint64_t size, const FrameVariable* variables, std::uint32_t count, std::uint32_t source);
void heddle_frame_pop(void* base, std::uint32_t source);  // at every return, and where an exception leaves the function
void heddle_frame_unwind(void* base, std::uint32_t source);  // first thing in a landing pad: the frames above are gone
void* heddle_alloca(std::uint64_t size, std::uint64_t alignment, std::uint32_t tag, std::uint32_t source);  // dies with the frame below
// A variable that lives in a block of its function: `number` counts such lives in the function. Null ends nothing.
void* heddle_life_begin(std::uint64_t size, std::uint64_t alignment, std::uint32_t tag, std::uint32_t number,
                        std::uint32_t source);
void heddle_life_end(void* address, std::uint32_t source);

// Atomics: `access` as packed above; values zero-extended to 64 bits.
std::uint64_t heddle_atomic_load(const void* address, std::uint32_t access, std::uint32_t source);
void heddle_atomic_store(void* address, std::uint64_t value, std::uint32_t access, std::uint32_t source);
std::uint64_t heddle_atomic_rmw(void* address, std::uint64_t operand, std::uint32_t access, std::uint32_t source);
CasResult heddle_atomic_cas(void* address, std::uint64_t expected, std::uint64_t desired, std::uint32_t access,
                            std::uint32_t source);
// A read-modify-write that is only worth making if what it reads compares well with what is expected (a Comparison); if it
// does not, it is not made, and `success` is 0: the thread is to wait. Where attempts are not to be told from other
// accesses (NativeProgram::makesAttempts) it is made in any case.
CasResult heddle_atomic_attempt(void* address, std::uint64_t operand, std::uint64_t expected, std::uint32_t comparison,
                                std::uint32_t access, std::uint32_t source);
// Loads, stores, exchanges and compare-exchanges of 16 bytes, by reference to private memory.
void heddle_atomic_load16(const void* address, void* result, std::uint32_t access, std::uint32_t source);
void heddle_atomic_store16(void* address, const void* value, std::uint32_t access, std::uint32_t source);
void heddle_atomic_exchange16(void* address, const void* operand, void* old, std::uint32_t access, std::uint32_t source);
std::uint64_t heddle_atomic_cas16(void* address, const void* expected, const void* desired, void* old, std::uint32_t access,
                                  std::uint32_t source);
// An access that crosses a 16-byte boundary is not supported. That there is an object is checked first. Does not return.
[[noreturn]] void heddle_atomic_crosses(const void* address, std::uint64_t size, std::uint32_t source);
void heddle_fence(std::uint32_t order, std::uint32_t source);

// Errors that instrumented checks find. `kind` is an ErrorKind; `message` may be null. They do not return.
[[noreturn]] void heddle_fail(std::uint32_t kind, const char* message, std::uint32_t source);

// Loops. A back edge whose loop has gone round `limit` times; `loop` indexes ProgramInfo::loops. Does not return.
[[noreturn]] void heddle_loop_bound(std::uint32_t loop, std::uint32_t source);
// A spin loop has gone round without effect: the thread waits for ever for another value. `begin` is where the thread
// was when the iteration began (heddle_position). Does not return.
[[noreturn]] void heddle_spin(std::uint32_t loop, std::uint32_t source, std::uint32_t begin);
// The same if iterations take this mutex and give it back.
[[noreturn]] void heddle_spin_on_mutex(std::uint32_t loop, std::uint32_t source, std::uint32_t begin, void* mutex);
// The mutex that is taken next is that of such a loop. 0: that counts as a change (NativeProgram::makesAttempts).
std::uint32_t heddle_polls();
std::uint32_t heddle_position();  // the index of the running thread's next event

}  // extern "C"

}  // namespace heddle::native
