// The states that threads have been in, and the steps between them.
//
// Exploration takes a thread through the same steps over and over: it reads the same value at the same place as in some
// earlier execution, while other threads did something else. Where a thread pauses next depends on nothing but the
// state it was in, the result it was given, and the plain memory that it read on the way. So a step that did nothing
// but read and write plain memory is remembered, and taken again without running any native code:
//
//     state --(result, plain accesses)--> state --> ...
//       \--(another result)--> state
//
// Two steps from a state that end in the same operation with the same stack lead to the same state. Repeating the plain accesses checks and records them as ever, and finds out whether they read the same values. Steps
// that do more (allocate, print, throw, fail, ...) are run natively each time, and lead to a new root each time. The
// states below a root form a tree; it is kept as long as some thread or mark is in one of them. Trees are cut back to
// those states when they have grown too large, so memory does not grow with the number of executions.
//
// A state owns a copy of the used part of the thread's stack. The stack itself is in the state that was reached natively
// last.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "memory/layout.h"
#include "program/operation.h"
#include "runtime/dependencies.h"
#include "util/hash.h"

namespace heddle::runtime {

// What a C++ runtime keeps for each thread (__cxa_get_globals).
struct ExceptionState {
  void* caught = nullptr;
  std::uint64_t uncaught = 0;
};

// The annotations of writes that a thread is in, one inside of the other: how many there are of each kind.
struct Marking {
  std::uint16_t local = 0, final = 0;
  std::uint32_t found = 0;  // has there been a write to mark since the outermost one began?

  bool isOn() const { return local != 0 || final != 0; }
};

// What of a paused thread is not on its stack.
struct Context {
  void* sp = nullptr;
  std::uint32_t arena = 0;        // used bytes
  std::uint32_t arenaBlocks = 0;  // allocations in it that are alive
  ExceptionState exceptions;
  std::uint32_t callSource = 0;
  std::uint32_t children = 0;      // threads it has started
  std::uint32_t crashes = 0;       // after a crash: how often it has crashed itself (after_crash.h),
  std::uint16_t rewrites = 0;      // whether it has written durable memory,
  std::uint16_t constructs = 0;    // and whether it runs the constructors of globals
  std::uint32_t transactions = 0;  // that it is in, one inside of the other (primitives/transactions.cpp),
  std::uint32_t ofHardware = 0;    // and whether they are the hardware's
  std::uint64_t jumpMarks = 0;     // calls of functions in which it has called setjmp (primitives/jumps.cpp)
  std::uint64_t time = 0;          // that its clock shows (clocks.h)
  Marking marking;
  Tracking tracking;  // if dependencies are tracked
};
static_assert(std::has_unique_object_representations_v<Context>);  // contexts are compared as bytes

// An access to plain memory, with the value read, or the value there at the end of the step.
struct PlainAccess {
  enum class Kind : std::uint8_t {
    read,
    ownRead,  // of what the same step has written before
    peek,     // a read of bytes that may be uninitialised
    look,     // no access by itself: what was there decides what the step does
    write,
    setRead,   // of what the bytes depend on (dependencies.h): `value` is the set, `source` how many bytes there are
    setWrite,  // the same, for what the step has written
  };
  Address address;
  Value value;
  std::uint32_t source;
  std::uint8_t size;  // at most 8
  Kind kind;

  bool isCompared() const { return kind == Kind::read || kind == Kind::peek || kind == Kind::look; }
};

// A thread at such an operation is never resumed.
constexpr bool isFinal(const Operation& operation) {
  return operation.kind == OperationKind::block || operation.kind == OperationKind::error ||
         operation.kind == OperationKind::end;
}

struct State;

// A step. An edge without `to` is an empty place in the table of edges.
struct Edge {
  Value value;  // of the result
  State* to;
  PlainAccess* accesses;
  std::uint32_t accessCount : 31;
  std::uint32_t success : 1;  // of the result
  std::uint32_t era;
};

struct State {
  Operation operation;
  Edge* edges = nullptr;  // a hash table, by value
  std::uint32_t edgeCount = 0;
  std::uint32_t edgeBits = 0;  // it has room for 2^edgeBits
  State* root = nullptr;
  Context context;
  std::byte* stack = nullptr;  // the copy, unless the thread is at its end
  std::uint32_t stackBytes = 0;
  std::uint32_t misses = 0;      // how often a step was like none of those that are remembered, since one was
  std::uint32_t references = 0;  // of a root: threads and marks in the states of its tree
  State *parent = nullptr, *firstChild = nullptr, *next = nullptr;
  ThreadId thread = 0;
  bool kept = false;  // while trees are being cut back
};

class States {
 public:
  States() = default;
  ~States() { clear(); }
  States(const States&) = delete;
  States& operator=(const States&) = delete;

  void clear();

  // The state of a thread that has been run: a new root, or where the given step from `from` leads.
  State* addRoot(ThreadId thread, const Operation& operation, const Context& context);
  State* add(State* from, Result result, std::span<const PlainAccess> accesses, const Operation& operation,
             const Context& context);
  // Is another step from there worth remembering, and are those that are worth looking at?
  bool hasRoom(const State* from, Result result) const;
  static bool isWorthwhile(const State* from) { return from->misses < kMostMisses; }

  // Where a step with this result has led before, if `isSame` says that this step is the same.
  template <typename IsSame>
  State* find(State* from, Result result, IsSame isSame) const {
    if (from->edgeCount == 0 || !isWorthwhile(from)) return nullptr;
    for (std::size_t i = placeOf(result.value, from->edgeBits);; i = (i + 1) & ((std::size_t{1} << from->edgeBits) - 1)) {
      const Edge& edge = from->edges[i];
      if (!edge.to) break;
      if (!isAbout(edge, result) || !isSame(edge)) continue;
      from->misses = 0;
      return edge.to;
    }
    ++from->misses;
    return nullptr;
  }
  // The same for a step without plain accesses. Does not count as a look: `find` is asked next.
  State* findWithoutAccesses(const State* from, Result result) const {
    if (from->edgeCount == 0) return nullptr;
    for (std::size_t i = placeOf(result.value, from->edgeBits);; i = (i + 1) & ((std::size_t{1} << from->edgeBits) - 1)) {
      const Edge& edge = from->edges[i];
      if (!edge.to) return nullptr;
      if (edge.accessCount == 0 && isAbout(edge, result)) return edge.to;
    }
  }
  // Steps may lead elsewhere from now on.
  void beginEra() { ++era_; }

  // Puts the stack of the state's thread into that state.
  void restore(const State* state);
  // Says that it is in that state.
  void adopt(const State* state) { native_[state->thread] = state; }

  void take(State* state) { ++state->root->references; }
  void drop(State* state) {
    if (--state->root->references == 0) free(state->root);
  }

  // Has so much been added that trees should be cut back to the states in use (all that are taken)?
  bool areLarge() const { return bytes_ > limit_; }
  void keep(State* state);  // for each state in use, and then
  void cut(State* state);   // for each of them

  static std::size_t stackBytes(ThreadId thread, const Context& context);

 private:
  static constexpr std::uint32_t kMostEdges = 256, kMostAlike = 4, kMostMisses = 64;
  static constexpr std::size_t kFirstLimit = std::size_t{1} << 18;
  static constexpr unsigned kClasses = 16;  // blocks of 64 bytes, 128, ...

  struct FreeBlock {
    FreeBlock* next;
  };

  State* create(ThreadId thread, const Operation& operation, const Context& context);
  State* sameChild(const State* from, const Operation& operation, const Context& context) const;
  bool isAbout(const Edge& edge, Result result) const {
    return edge.value == result.value && edge.success == result.success && edge.era == era_;
  }
  static std::size_t placeOf(Value value, std::uint32_t bits) { return value * util::kSpread >> (64 - bits); }
  void addEdge(State* from, const Edge& edge);
  void putEdge(State* from, const Edge& edge);
  void freeEdges(State* state);
  void free(State* state);
  void freeOne(State* state);
  void* takeBlock(std::size_t size);
  void giveBlock(void* block, std::size_t size);
  static unsigned classOf(std::size_t size);

  std::array<FreeBlock*, kClasses> freeBlocks_{};
  std::vector<std::byte*> chunks_;
  std::byte *chunk_ = nullptr, *chunkEnd_ = nullptr;
  std::array<const State*, memory::kThreads> native_{};  // the states that the stacks are in
  std::vector<State*> work_;
  std::size_t bytes_ = 0, limit_ = kFirstLimit;
  std::uint32_t era_ = 0;
};

}  // namespace heddle::runtime
