// Operation: what a thread is about to do, as the explorer sees it.
//
// A program runs each thread up to its next visible operation and describes it here; everything the
// explorer, the memory model and the reports need to know about the operation is in this value. The
// result of an operation (the value read, whether a compare-exchange succeeded) goes back in a Result.
#pragma once

#include <cstdint>

#include "abi/heddle_kinds.h"

namespace heddle {

using ThreadId = std::uint16_t;
using Value = std::uint64_t;    // zero-extended to 64 bits; an access of `size` bytes uses the low ones
using Address = std::uint64_t;  // a byte address; 0 is not a valid one
__extension__ using Wide = unsigned __int128;  // up to 16 bytes, the one at the lowest address first

// C11 memory orders, and `plain` for a non-atomic access. `consume` is promoted to acquire by front ends.
enum class Order : std::uint8_t { plain, relaxed, acquire, release, acq_rel, seq_cst };

enum class OperationKind : std::uint8_t {
  load,     // order, address, size                          -> Result.value
  store,    // order, address, size, operand = value stored
  rmw,      // fetch-op or exchange: rmw, operand            -> Result.value = the old value
  cas,      // compare-exchange: expected, operand = desired,
            // order / failureOrder, weak                    -> Result.value = the old value, Result.success
            // lock = read or down: tries that instead of waiting for it; expected and operand do not count
            // with another comparison or rmw it is an attempt (explore/zero_net_effect.cpp)
  fence,    // order
  spawn,    // operand = the thread that starts
  join,     // operand = the thread waited for
            // weak: waits for all others, and then joins one that nobody has joined, whatever operand is
            //                                               -> Result.value = 0 if there are no more of these
  lock,     // address, lock: what it waits for and does     -> Result.value = the old value
            // weak: that it waits for ever is of no interest; hold and read: expected, operand: this is part number
            // `operand` of a lock that has several (explore/lock.cpp)
  unlock,   // address: a mutex, or a lock that the thread has for writing
  arrive,   // at a barrier or latch: address, operand = which, and how many are expected to arrive in its first round
            // (program/barrier.h), expected = for how many this one counts, weak: and so many fewer are expected in later rounds
            //                                               -> Result.success = there are not too many, value = the round
  depart,   // address, operand: waits until round `expected` (from 1) is complete, or if that is 0 the one that the thread
            // has last arrived in (or the first); weak: that it waits for ever is of no interest
  choose,   // operand = n: a value below n, all explored    -> Result.value
  block,    // the thread stops here and the execution counts as blocked: an assumption failed, or more exactly
            // what operand says (the program's own number); weak: that it stops here matters in itself
  error,    // an assertion failed: operand is the program's own number for the message
  end,      // the thread has finished; operand 1: and with it the whole program, so nobody waits in vain
};

enum class RmwOp : std::uint8_t { exchange, add, sub, bitAnd, bitOr, bitXor, nand, max, min, umax, umin };

// A lock is one word. What takes it waits until it can; while somebody holds it (kHeld), nobody can.
//
//     mutex                0 free | 1 held | 2 polled in vain, and free for others that poll | 3 held by one of those
//     read-write lock      0 free | 1 held by a writer | 2n held by n readers; a reader leaves by subtracting 2 (graph/lock_order.h)
//     condition variable   the set of those that wait, shifted by one | 1 held while one of several is chosen
//     semaphore            a count
//
// What the operations wait for, and do then, is in the table.
#define HEDDLE_ENUMERATOR(name) name,
enum class LockOp : std::uint8_t { HEDDLE_LOCK_OPS(HEDDLE_ENUMERATOR) };
#undef HEDDLE_ENUMERATOR

inline constexpr Value kFree = 0, kHeld = 1, kReader = 2, kPolled = 2;

// How a value has to compare with another one, both of the operation's size: as numbers with a sign, or without (below, above).
enum class Comparison : std::uint8_t { equal, notEqual, less, lessEqual, greater, greaterEqual, below, belowEqual, above, aboveEqual };

struct Operation {
  OperationKind kind = OperationKind::end;
  RmwOp rmw = RmwOp::exchange;
  LockOp lock = LockOp::hold;
  Order order = Order::relaxed;
  Order failureOrder = Order::relaxed;
  std::uint8_t size = 4;     // bytes: 1, 2, 4, 8, or 16 (whose values are the program's numbers for them)
  bool weak = false;         // a compare-exchange that may fail spuriously; see also block
  bool blind = false;        // rmw: nobody looks at what it has read; load: it is copied, initialised or not
  Comparison comparison = Comparison::equal;  // cas: of what it reads with what it expects
  std::uint32_t source = 0;  // a source position, in the program's own numbering
  Address address = 0;
  Value operand = 0;
  Value expected = 0;

  bool operator==(const Operation&) const = default;
};

struct Result {
  Value value = 0;
  bool success = true;
};

// A read-modify-write that is made only if what it reads compares well, and is no compare-exchange of the program's own.
constexpr bool isAttempt(const Operation& operation) {
  return operation.kind == OperationKind::cas &&
         (operation.rmw != RmwOp::exchange || operation.comparison != Comparison::equal);
}

// Keeps the low `size` bytes of a value.
constexpr Value truncate(Value value, unsigned size) {
  return size >= 8 ? value : value & ((Value{1} << (8 * size)) - 1);
}

// The same, with the sign of its highest bit. At most 8 bytes.
constexpr std::int64_t signExtend(Value value, unsigned size) {
  const unsigned shift = 64 - 8 * size;
  return static_cast<std::int64_t>(value << shift) >> shift;
}

constexpr bool compares(Comparison comparison, Value value, Value other, unsigned size) {
  value = truncate(value, size);
  other = truncate(other, size);
  switch (comparison) {
    case Comparison::equal: return value == other;
    case Comparison::notEqual: return value != other;
    case Comparison::less: return signExtend(value, size) < signExtend(other, size);
    case Comparison::lessEqual: return signExtend(value, size) <= signExtend(other, size);
    case Comparison::greater: return signExtend(value, size) > signExtend(other, size);
    case Comparison::greaterEqual: return signExtend(value, size) >= signExtend(other, size);
    case Comparison::below: return value < other;
    case Comparison::belowEqual: return value <= other;
    case Comparison::above: return value > other;
    case Comparison::aboveEqual: return value >= other;
  }
  return false;
}

// What a read-modify-write stores when it read `old`; wraps around at the access's width.
Value applyRmw(RmwOp op, Value old, Value operand, unsigned size);

}  // namespace heddle
