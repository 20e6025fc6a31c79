// The code that threads are compiled to.
//
// A thread's state is one flat block of 64-bit words, so that a mark is one small copy:
//
//     word 0   | rounds of loops so far (32 bits) | pc (32 bits) |
//     word 1   register 0        local variables first, by slot,
//     word 2   register 1        then temporaries
//     ...      up to a multiple of four words
//
// A paused thread's pc is at the instruction of its visible operation, which says where the result goes. All that
// is known about an operation when the test is compiled is in a table of ready-made Operations: a store of a
// constant, a load or a fence just copies its entry; others fill in the operand, the address or the expected value
// from registers.
//
// Where dependencies are tracked, the block goes on:
//
//     register 0 depends on    a bit for each operation of the thread, in their order: the reads and choices that its
//     ...                      value comes from
//     control                  those that the thread has branched on
//     operations               how many the thread has been resumed from
//     register 0 is picked by  those that have decided, in a `select`, which of two values it has; only where there is one
//     ...
//
// What is picked is known when those are that decided, so it depends on them; but a machine may go ahead with an address that
// was picked. So a value that is stored depends on them like on others, and an address as if the thread had branched on them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "litmus/syntax.h"
#include "program/operation.h"

namespace heddle::litmus {

enum class Opcode : std::uint8_t {
  ready,    // visible: operations[index]
  patched,  // visible: operations[index] with what `flags` says from registers a, b, c

  constant,      // dst = index as a signed number
  wideConstant,  // dst = constants[index]
  copy,          // dst = a
  signExtend,    // dst = a, its low 64 - shift bits extended by sign
  zeroExtend,    // the same, by zeros
  toBool,        // dst = a != 0
  isZero,        // dst = a == 0

  // dst = a op b, or dst = a op (index as a signed number) with kImmediate
  add,
  sub,
  mul,
  bitAnd,
  bitOr,
  bitXor,
  shiftLeft,
  shiftRight,
  equal,
  notEqual,
  less,
  lessEqual,
  greater,
  greaterEqual,
  div,
  mod,  // operations[index] is the error when b is 0; no immediate form

  select,  // dst = c != 0 ? a : b

  elementAddress,  // dst = the address of element a of arrays[index], or its error when there is none
  checkPositive,   // operations[index] is the error when a is not positive (an argument of choose)
  checkAddress,    // operations[index] is the error when a is not in a location

  jump,        // to index
  loop,        // to index, and counts a round
  jumpIfZero,  // a
  jumpIfNotZero,
  jumpIfEqual,  // a == c as a signed number
  jumpIfNotEqual,
  jumpIfTracked,  // dependencies are
};

enum class ResultKind : std::uint8_t {
  none,      // or not wanted
  value,     // dst = the value, extended by `shift` (which is 0 for unsigned ones: values come zero-extended)
  cas,       // dst = success unless it is kNoRegister; on failure c = the value, extended by `shift`
  exchange,  // the same, and c = the value on success, too
  zero,      // dst = 0, which depends on the operation (a store-exclusive)
};

constexpr std::uint8_t kImmediate = 1;
constexpr std::uint8_t kOperandFromA = 1;
constexpr std::uint8_t kAddressFromB = 2;
constexpr std::uint8_t kExpectedFromC = 4;
constexpr std::uint8_t kChoicesFromA = 8;
constexpr std::uint16_t kNoRegister = 0xffff;

struct Instruction {
  Opcode opcode = Opcode::jump;
  ResultKind result = ResultKind::none;
  std::uint8_t shift = 0;
  std::uint8_t flags = 0;
  std::uint16_t dst = 0;
  std::uint16_t a = 0;
  std::uint16_t b = 0;
  std::uint16_t c = 0;
  std::uint32_t index = 0;
};
static_assert(sizeof(Instruction) == 16);

// An array as one thread's parameter sees it.
struct ArrayView {
  Address address = 0;
  std::uint64_t count = 0;
  std::uint32_t size = 0;
  std::uint32_t outOfBounds = 0;  // an error operation
};

struct CompiledThread {
  unsigned number = 0;  // n of Pn
  std::uint32_t entry = 0;
  std::uint32_t stateWords = 0;
  std::vector<std::int64_t> locals;  // initial values, by slot
};

struct CompiledLocation {
  std::string name;
  Address address = 0;
  Type type;
  bool isArray = false;
  std::uint64_t count = 1;
  std::uint64_t bytes = 0;
};

struct CompiledLoop {
  std::uint32_t pc = 0;  // of its `loop` instruction
  std::uint32_t offset = 0;
};

// The locations that a transaction reads, in some run.
struct CompiledTransaction {
  std::vector<std::uint32_t> reads;  // sorted
};

struct Code {
  std::vector<Instruction> instructions;
  std::vector<Operation> operations;
  std::vector<std::int64_t> constants;
  std::vector<ArrayView> arrays;
  std::vector<CompiledThread> threads;  // by ThreadId: those that run from the start come first
  unsigned initialThreads = 0;
  std::vector<CompiledLocation> locations;  // by address
  std::vector<std::uint8_t> memory;         // the initial bytes, by address
  std::vector<CompiledLoop> loops;          // by pc
  std::vector<CompiledTransaction> transactions;
  std::vector<std::string> messages;  // of error operations
  std::vector<SourceRange> sources;   // what Operation::source counts
  // Of a read-modify-write that is one operation where dependencies are not tracked, and two where they are: those two.
  std::vector<std::uint32_t> halves;
  bool hasPlainAccesses = false;
  bool selects = false;             // has `select`
  bool updatesAreLoops = true;      // a read-modify-write is a loop that tries until it succeeds, as most machines make it
  bool statusIsDependency = false;  // what depends on the success of a store-conditional depends on the store, for the model
  bool hasMixedSizes = false;       // some location is accessed, or shown at the end, with different sizes
};

}  // namespace heddle::litmus
