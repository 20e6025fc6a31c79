// Operation: what a thread is about to do, as the explorer sees it.
//
// A program runs each thread up to its next visible operation and describes it here; everything the
// explorer, the memory model and the reports need to know about the operation is in this value. The
// result of an operation (the value read, whether a compare-exchange succeeded) goes back in a Result.
#pragma once

#include <cstdint>
#include <optional>

#include "abi/heddle_kinds.h"
#include "program/event_tag.h"

namespace heddle {

using ThreadId = std::uint16_t;
using Value = std::uint64_t;                   // zero-extended to 64 bits; an access of `size` bytes uses the low ones
using Address = std::uint64_t;                 // a byte address; 0 is not a valid one
__extension__ using Wide = unsigned __int128;  // up to 16 bytes, the one at the lowest address first

// C11 memory orders, and `plain` for a non-atomic access. `consume` is promoted to acquire by front ends.
enum class Order : std::uint8_t { plain, relaxed, acquire, release, acq_rel, seq_cst };

// What each kind is about, by the constructor that makes it.
// clang-format off
enum class OperationKind : std::uint8_t {
  load, store, rmw, cas, fence, spawn, join, lock, unlock, arrive, depart, choose, notify, stopWaiting, beginRound,
  transaction, flush, crash, recover, block, error, end
};
// clang-format on

// Fences that machines have and C11 has not, by what they keep in order: earlier accesses of one kind with later ones of another.
// Each stands for an instruction, or several (litmus/assembly).
#define HEDDLE_MACHINE_FENCES(ROW)                                    \
  ROW(readRead, "Fence.r.r")                                          \
  ROW(readWrite, "Fence.r.w")                                         \
  ROW(readAny, "Fence.r.rw")                                          \
  ROW(writeRead, "Fence.w.r")                                         \
  ROW(writeWrite, "Fence.w.w")                                        \
  ROW(writeAny, "Fence.w.rw")                                         \
  ROW(anyRead, "Fence.rw.r")                                          \
  ROW(anyWrite, "Fence.rw.w")                                         \
  ROW(anyAny, "Fence.rw.rw")                                          \
  ROW(tso, "Fence.tso")       /* all but a write with a later read */ \
  ROW(instruction, "Fence.i") /* what comes later is fetched anew */
#define HEDDLE_ENUMERATOR(name, text) name,
enum class MachineFence : std::uint8_t { HEDDLE_MACHINE_FENCES(HEDDLE_ENUMERATOR) };
#undef HEDDLE_ENUMERATOR
#define HEDDLE_ONE(name, text) +1
inline constexpr unsigned kMachineFences = HEDDLE_MACHINE_FENCES(HEDDLE_ONE);
#undef HEDDLE_ONE

// What asks for earlier writes to become durable, and what waits for that (src/persist). To memory models these are nothing.
#define HEDDLE_FLUSHES(ROW)                                                              \
  ROW(line, "clflush")         /* the cache line of the address, in order with writes */ \
  ROW(lineLater, "clwb")       /* the same, at some time before the next `wait` */       \
  ROW(wait, "sfence")          /* for all earlier ones of `lineLater` */                 \
  ROW(everything, "persisted") /* what comes before has reached the medium */            \
  ROW(file, "fsync")           /* what was written to the file of the address */         \
  ROW(files, "sync")           /* the same of all files */
#define HEDDLE_ENUMERATOR(name, text) name,
enum class Flush : std::uint8_t { HEDDLE_FLUSHES(HEDDLE_ENUMERATOR) };
#undef HEDDLE_ENUMERATOR

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

// To join a set releases what whoever takes one out of it acquires.
constexpr Order orderOf(LockOp lock) { return lock == LockOp::join ? Order::release : Order::acquire; }

// How a value has to compare with another one, both of the operation's size: as numbers with a sign, or without (below, above);
// or whether it has bits in common with it.
// clang-format off
enum class Comparison : std::uint8_t { equal, notEqual, less, lessEqual, greater, greaterEqual, below, belowEqual, above, aboveEqual, noneOf, anyOf };
// clang-format on

// Keeps the low `size` bytes of a value.
constexpr Value truncate(Value value, unsigned size) { return size >= 8 ? value : value & ((Value{1} << (8 * size)) - 1); }

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
    case Comparison::noneOf: return (value & other) == 0;
    case Comparison::anyOf: return (value & other) != 0;
  }
  return false;
}

// Made by its constructors: one for each thing that a thread can do, with what there is to say about it. Read by fields and
// accessors, each of which has one meaning; they are of the kinds that are named, and mean nothing for others.
struct Operation {
  OperationKind kind = OperationKind::end;
  RmwOp rmw = RmwOp::exchange;  // rmw; cas that is an attempt, or conditional
  LockOp lock = LockOp::hold;   // lock; cas that tries to take a lock; rmw by which a reader leaves it
  Order order = Order::relaxed;
  Order failureOrder = Order::relaxed;        // cas
  std::uint8_t size = 4;                      // bytes: 1, 2, 4, 8, or 16 (whose values are the program's numbers for them)
  Comparison comparison = Comparison::equal;  // cas: of what it reads with what it expects

  bool mayFailSpuriously : 1 = false;  // cas; choose: does the store-exclusive that comes next succeed (0)?
  bool resultIsUnused : 1 = false;  // rmw: nobody looks at what it has read; load, cas: all but a cas that succeeds is in vain
  bool isRedone : 1 = false;        // store: what it writes is of no use to others (explore/redone_stores.cpp)
  bool mayBeRepeated : 1 = false;   // store: in a loop that may write the same again and again (likewise)
  bool isGuard : 1 = false;         // store, rmw, cas: of a flag that a round sets and takes back (likewise)
  bool isLocal : 1 = false;         // store, rmw, cas: nobody else reads what it writes, or it is an error
  bool isFinal : 1 = false;         // store, rmw, cas: nobody writes there after it, or it is an error
  bool mayBeUninitialised : 1 = false;  // load: what it reads is only copied
  bool joinsRest : 1 = false;           // join: of the last thread, which joins all that nobody has joined, one by one
  bool orNever : 1 = false;             // lock, depart: that it waits for ever is of no interest; it is done once it can be
  bool drops : 1 = false;               // arrive: so many fewer are expected in later rounds
  bool wakesOne : 1 = false;            // notify: and not all that wait
  bool mattersInItself : 1 = false;     // block, cas: there are plain accesses since the thread's last event, which may race
  bool afterYield : 1 = false;          // any: the thread has yielded since its last operation (explore/stale_reads.cpp)
  bool endsProgram : 1 = false;         // end: and with the thread the whole program, so nobody waits in vain
  bool isExclusive : 1 = false;         // load, store: half of a read-modify-write of two instructions
  bool isConditional : 1 = false;       // cas: an update that is made only if what it reads compares well, or else a load
  bool hidesRead : 1 = false;           // load, rmw, cas: no register is given what was read, so no barrier orders the read

  ThreadId thread = 0;       // spawn: that starts; join: that is waited for
  std::uint32_t source = 0;  // a source position, in the program's own numbering
  Address address = 0;       // what it is about: a location, a lock, a barrier; block: a mutex or an atomic, or 0

  // ---- Accesses. Those that read have the value as their Result; a compare-exchange also whether it has succeeded.

  static constexpr Operation load(Address address, unsigned size, Order order) {
    return access(OperationKind::load, address, size, order);
  }
  static constexpr Operation store(Address address, unsigned size, Order order, Value value) {
    Operation operation = access(OperationKind::store, address, size, order);
    operation.first_ = value;
    return operation;
  }
  // A load-exclusive (load-linked, load-reserved), and a store-exclusive (store-conditional) that succeeds. That one may fail is
  // for the program to say, by a choice.
  static constexpr Operation loadExclusive(Address address, unsigned size, Order order) {
    Operation operation = load(address, size, order);
    operation.isExclusive = true;
    return operation;
  }
  static constexpr Operation storeExclusive(Address address, unsigned size, Order order, Value value) {
    Operation operation = store(address, size, order, value);
    operation.isExclusive = true;
    return operation;
  }
  // A fetch-op or an exchange.
  static constexpr Operation update(Address address, unsigned size, Order order, RmwOp rmw, Value operand) {
    Operation operation = access(OperationKind::rmw, address, size, order);
    operation.rmw = rmw;
    operation.first_ = operand;
    return operation;
  }
  static constexpr Operation cas(Address address, unsigned size, Order order, Order failureOrder, Value expected,
                                 Value desired) {
    Operation operation = access(OperationKind::cas, address, size, order);
    operation.failureOrder = failureOrder;
    operation.first_ = desired;
    operation.second_ = expected;
    return operation;
  }
  // A read-modify-write that is made only if what it reads compares well (explore/zero_net_effect.cpp). One that exchanges a
  // value for one that it equals is a compare-exchange like those of the program.
  static constexpr Operation attempt(Address address, unsigned size, Order order, RmwOp rmw, Value operand,
                                     Comparison comparison, Value expected) {
    Operation operation = cas(address, size, order, Order::relaxed, expected, operand);
    operation.rmw = rmw;
    operation.comparison = comparison;
    return operation;
  }
  // Of the program: an update that is made only if what it reads compares well, as atomic_add_unless() of the Linux kernel.
  static constexpr Operation updateIf(Address address, unsigned size, Order order, RmwOp rmw, Value operand,
                                      Comparison comparison, Value expected) {
    Operation operation = attempt(address, size, order, rmw, operand, comparison, expected);
    operation.isConditional = true;
    return operation;
  }
  static constexpr Operation fence(Order order) { return access(OperationKind::fence, 0, 4, order); }
  static constexpr Operation fence(MachineFence machine) {
    Operation operation = fence(Order::plain);
    operation.first_ = static_cast<Value>(machine);
    return operation;
  }
  // A fence of the Linux kernel, which is told from others by its tag. To models that know no tags it is a full one, one of a machine,
  // or none. It may be about an object, and `value` is what a critical section is known by: what its begin returned is given to its
  // end.
  static constexpr Operation fence(EventTag tag, Address about = 0, Value value = 0) {
    Operation operation = fence(Order::relaxed);
    if (tag == EventTag::mb || tag == EventTag::syncRcu || tag == EventTag::syncSrcu) operation = fence(Order::seq_cst);
    if (tag == EventTag::wmb) return fence(MachineFence::writeWrite).tagged(tag);
    if (tag == EventTag::rmb) return fence(MachineFence::readRead).tagged(tag);
    operation.address = about;
    operation.first_ = value;
    return operation.tagged(tag);
  }

  constexpr Value operand() const { return first_; }    // store, cas: what is written; rmw, attempt, lock of a set: with what
  constexpr Value expected() const { return second_; }  // cas, but not one that tries to take a lock
  constexpr bool expects(Value value) const { return compares(comparison, value, second_, size); }
  constexpr bool isAttempt() const {
    return isTakenBack() || (kind == OperationKind::cas && comparison != Comparison::equal && !isConditional);
  }
  // Does the program make the attempt and take it back where it fails? An exchange in vain has written what was there.
  constexpr bool isTakenBack() const { return kind == OperationKind::cas && rmw != RmwOp::exchange && !isConditional; }
  // fence: the machine's, if it is one of these. No fence of C11 is plain.
  constexpr std::optional<MachineFence> machineFence() const {
    return order == Order::plain ? std::optional(static_cast<MachineFence>(first_)) : std::nullopt;
  }
  // The end of the life of a heap block, which is an event under the kernel's model. To models it is nothing.
  static constexpr Operation endOfLife(Address block, Value bytes) {
    Operation operation = access(OperationKind::fence, block, 4, Order::relaxed);
    operation.first_ = bytes;
    operation.second_ = kEndOfLife;
    return operation;
  }
  constexpr bool isEndOfLife() const { return kind == OperationKind::fence && second_ == kEndOfLife; }
  constexpr Value bytes() const { return first_; }  // endOfLife
  // fence: the kernel's, if it is one of these, and its section.
  constexpr std::optional<EventTag> kernelFence() const {
    return second_ == 0 || second_ == kEndOfLife ? std::nullopt : std::optional(static_cast<EventTag>(second_ - 1));
  }
  constexpr Value section() const { return first_; }
  // For programs that do not know them before they come to the operation.
  constexpr void setOperand(Value value) { first_ = value; }
  constexpr void setExpected(Value value) { second_ = value; }

  // ---- Locks (LockOp). The result of taking one is the state that was there.

  // `operand`: the member of a set.
  static constexpr Operation take(Address word, LockOp lock, unsigned size = 4, Value operand = 0) {
    Operation operation = access(OperationKind::lock, word, size, orderOf(lock));
    operation.lock = lock;
    operation.first_ = operand;
    return operation;
  }
  // The same without waiting: hold, read, down. That of a mutex is a compare-exchange like any other.
  static constexpr Operation tryTake(Address word, LockOp lock, unsigned size = 4) {
    Operation operation = cas(word, size, Order::acquire, Order::relaxed, kFree, kHeld);
    operation.lock = lock;
    return operation;
  }
  // A part of a lock that has several, or a word that stands for another object (explore/lock.cpp).
  static constexpr Operation takePart(Address word, LockOp lock, Address whole, std::uint32_t part) {
    Operation operation = take(word, lock, 4, part);
    operation.second_ = whole;
    return operation;
  }
  // A mutex, or a lock that the thread has for writing.
  static constexpr Operation unlock(Address word, unsigned size = 4) {
    return access(OperationKind::unlock, word, size, Order::release);
  }
  static constexpr Operation unlockPart(Address word, Address whole, std::uint32_t part) {
    Operation operation = unlock(word);
    operation.first_ = part;
    operation.second_ = whole;
    return operation;
  }
  // One reader fewer. It releases nothing: graph/lock_order.h.
  static constexpr Operation leaveReading(Address word, Address whole = 0, unsigned size = 4) {
    Operation operation = update(word, size, Order::relaxed, RmwOp::sub, kReader);
    operation.lock = LockOp::read;
    operation.second_ = whole;
    return operation;
  }

  constexpr bool isPoll() const { return kind == OperationKind::lock && lock == LockOp::poll; }
  constexpr Address whole() const { return second_; }  // lock, unlock, leaveReading: what the word is a part of, or 0
  constexpr std::uint32_t part() const { return static_cast<std::uint32_t>(first_); }  // of it, from 0: lock, unlock

  // ---- Threads.

  static constexpr Operation spawn(ThreadId child, Address function = 0, Address argument = 0) {
    Operation operation = access(OperationKind::spawn, argument, 4, Order::relaxed);
    operation.thread = child;
    operation.second_ = function;
    return operation;
  }
  static constexpr Operation join(ThreadId child) {
    Operation operation;
    operation.kind = OperationKind::join;
    operation.thread = child;
    return operation;
  }
  // Waits for all others, and then joins one that nobody has joined. The result is 0 if there are no more of these.
  static constexpr Operation joinOneOfTheRest() {
    Operation operation = join(0);
    operation.joinsRest = true;
    return operation;
  }
  static constexpr Operation end() { return {}; }
  static constexpr Operation endProgram() {
    Operation operation;
    operation.endsProgram = true;
    return operation;
  }

  constexpr Address function() const { return second_; }  // spawn: what the thread runs, with which argument
  constexpr Address argument() const { return address; }
  // spawn: threads that one thread starts with the same number are alike (explore/symmetry.cpp); 0: with nobody.
  constexpr Value alike() const { return first_; }
  constexpr void setAlike(Value number) { first_ = number; }

  // ---- Barriers and latches. `barrier`: which one at the address, and for how many (program/barrier.h).

  // Counts for `weight` threads. The result: the round, and whether there are not too many in it.
  static constexpr Operation arrive(Address address, Value barrier, Value weight) {
    Operation operation = access(OperationKind::arrive, address, 4, Order::relaxed);
    operation.first_ = barrier;
    operation.second_ = weight;
    return operation;
  }
  // Waits until a round is complete: this one, or if none is given the one that the thread has last arrived in (or the first).
  static constexpr Operation depart(Address address, Value barrier, std::optional<std::uint32_t> round) {
    Operation operation = access(OperationKind::depart, address, 4, Order::relaxed);
    operation.first_ = barrier;
    operation.second_ = round ? Value{*round} + 1 : 0;
    return operation;
  }

  constexpr Value barrier() const { return first_; }
  constexpr Value weight() const { return second_; }      // arrive
  constexpr std::optional<std::uint32_t> round() const {  // depart
    return second_ == 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(second_ - 1));
  }

  // ---- And the rest.

  // A value below n, all of which are explored, is the result.
  static constexpr Operation choose(Value n) { return numbered(OperationKind::choose, n); }
  // Threads that wait for an atomic to change are told that it has; a thread waits no longer for another value than `old`. Both
  // are there for who looks at the execution (runtime/notifications.h): to models and other threads they are nothing.
  static constexpr Operation notify(Address address, bool one) {
    Operation operation = access(OperationKind::notify, address, 4, Order::relaxed);
    operation.wakesOne = one;
    return operation;
  }
  static constexpr Operation stopWaiting(Address address, Value old) {
    Operation operation = access(OperationKind::stopWaiting, address, 4, Order::relaxed);
    operation.first_ = old;
    return operation;
  }
  // A round of a loop begins that the program has annotated, with this time on the thread's clock (runtime/marked_rounds.h). To
  // models and other threads it is nothing, too.
  static constexpr Operation beginRound(Value time) { return numbered(OperationKind::beginRound, time); }
  // A transaction begins, or ends: to all others its accesses are one (mixer/transaction_explorer.h). Inside another one it is a part
  // of that. Which one it is counts the program.
  static constexpr Operation beginTransaction(std::uint32_t which = 0) {
    return numbered(OperationKind::transaction, Value{which} << 3 | 1);
  }
  static constexpr Operation endTransaction() { return numbered(OperationKind::transaction, 0); }
  // The same of the hardware, which can also be aborted: nobody sees what it has written, and the thread goes on once more from the
  // begin, which has not succeeded then and has the status as its result.
  static constexpr Operation beginHardwareTransaction() { return numbered(OperationKind::transaction, 3); }
  static constexpr Operation abortTransaction(std::uint32_t status) {
    return numbered(OperationKind::transaction, Value{status} << 3 | 4);
  }
  // ---- What survives a crash (src/persist).

  static constexpr Operation flush(Flush what, Address address = 0) {
    Operation operation = access(OperationKind::flush, address, 1, Order::relaxed);
    operation.first_ = static_cast<Value>(what);
    return operation;
  }
  // The first event of the thread that runs after the crash. What it reads of durable memory then: the value is the result.
  static constexpr Operation crash() {
    Operation operation;
    operation.kind = OperationKind::crash;
    return operation;
  }
  static constexpr Operation recover(Address address, unsigned size) {
    return access(OperationKind::recover, address, size, Order::relaxed);
  }

  constexpr Flush flushes() const { return static_cast<Flush>(first_); }  // flush

  // ---- The end.

  // The thread stops here and the execution counts as blocked, for a reason that has a number of the program's own.
  static constexpr Operation block(Value reason) { return numbered(OperationKind::block, reason); }
  // The same in a loop that waits, the last iteration of which began with the thread's event of this index.
  static constexpr Operation spin(Value reason, std::uint32_t began) {
    Operation operation = block(reason);
    operation.second_ = began;
    return operation;
  }
  // An assertion failed: the message has a number of the program's own.
  static constexpr Operation error(Value message) { return numbered(OperationKind::error, message); }

  constexpr Value choices() const { return first_; }  // choose
  constexpr void setChoices(Value n) { first_ = n; }
  constexpr Value waitedWith() const { return first_; }        // stopWaiting: the old value
  constexpr Value time() const { return first_; }              // beginRound
  constexpr bool begins() const { return (first_ & 1) != 0; }  // transaction
  constexpr bool isOfHardware() const { return (first_ & 2) != 0; }
  constexpr bool aborts() const { return (first_ & 4) != 0; }
  constexpr std::uint32_t which() const { return static_cast<std::uint32_t>(first_ >> 3); }
  constexpr std::uint32_t status() const { return static_cast<std::uint32_t>(first_ >> 3); }
  constexpr Value reason() const { return first_; }  // block
  constexpr std::uint32_t began() const { return static_cast<std::uint32_t>(second_); }
  constexpr Value message() const { return first_; }  // error

  constexpr Operation at(std::uint32_t place) const {
    Operation operation = *this;
    operation.source = place;
    return operation;
  }

  bool operator==(const Operation&) const = default;

 private:
  static constexpr Operation access(OperationKind kind, Address address, unsigned size, Order order) {
    Operation operation;
    operation.kind = kind;
    operation.order = order;
    operation.size = static_cast<std::uint8_t>(size);
    operation.address = address;
    return operation;
  }
  constexpr Operation tagged(EventTag tag) const {
    Operation operation = *this;
    operation.second_ = static_cast<Value>(tag) + 1;
    return operation;
  }
  static constexpr Operation numbered(OperationKind kind, Value number) {
    Operation operation;
    operation.kind = kind;
    operation.first_ = number;
    return operation;
  }

  static constexpr Value kEndOfLife = 255;  // no tag

  Value first_ = 0, second_ = 0;  // what the accessors say
};
static_assert(sizeof(Operation) == 40);

struct Result {
  Value value = 0;
  bool success = true;
};

// What a read-modify-write stores when it read `old`; wraps around at the access's width.
Value applyRmw(RmwOp op, Value old, Value operand, unsigned size);

}  // namespace heddle
