// What the rest of heddle knows about a program once it is compiled: tables, and no LLVM.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/operation.h"

namespace heddle::runtime {

// A place in the source. Index 0 is "unknown".
struct Source {
  std::string file;  // as the compiler was given it
  unsigned line = 0;
  unsigned column = 0;
  unsigned part = 0;         // of what a macro makes at one place: the first, the second, ... (native/names/macro_parts.h)
  std::string function;      // demangled
  bool library = false;      // in a system header or in a library model
  bool header = false;       // in a file that another one includes
  bool isVolatile = false;   // a plain access to a volatile variable
  std::uint32_t caller = 0;  // the place it was inlined into, or 0
  std::string called;        // a library function, in short: of a place in it itself, and of a call of it from the program
  // What is accessed there, if that is a member of an object behind a pointer.
  struct Member {
    std::uint32_t object = 0;  // its type; 0 if it is not known
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
  };
  Member member = {};
};

// A type, as far as naming the parts of an object needs it. Index 0 is "unknown".
struct Type {
  struct Member {
    std::string name;  // empty for a base class: its members are the object's own
    std::uint64_t offset = 0;
    std::uint32_t type = 0;
    bool transparent = false;  // leave it out of names: a base class, std::atomic's own member, an anonymous union
  };
  enum class Kind : std::uint8_t { scalar, pointer, record, array };
  Kind kind = Kind::scalar;
  std::string name;  // "int", "Node"
  std::uint64_t size = 0;
  std::uint32_t element = 0;                                               // array: of its elements; pointer: what it points to
  std::uint64_t count = 0;                                                 // array
  bool isSigned = false, isFloat = false, isBool = false, isChar = false;  // scalar
  std::vector<Member> members;                                             // record
};

// A variable (global, thread_local, local in frame memory) or the type of a heap allocation.
struct Variable {
  std::string name;  // qualified where that helps: "queue", "Stack::top", "f()::x"; of a heap type: the type's name
  std::uint32_t type = 0;
  std::string symbol;  // globals: in the JIT
  std::uint64_t size = 0;
  bool constant = false;     // globals
  bool persistent = false;   // globals: it survives a crash
  std::uint64_t offset = 0;  // thread_locals: in the block
  bool threadLocal = false;
};

// What becomes of a loop (loops.h).
enum class LoopKind : std::uint8_t {
  effectFree,     // spin: an iteration that goes round has changed nothing
  dynamic,        // spin: whether it has is found out while it runs
  zeroNetEffect,  // spin: what it has changed it takes back
  marked,         // spin: in the rounds of which the program says so
  finite,         // its end is known before it begins
  unbounded,
};

constexpr bool isSpin(LoopKind kind) { return kind < LoopKind::finite; }

inline constexpr std::uint32_t kNoLoop = ~std::uint32_t{0};

struct Loop {
  std::uint32_t source = 0;  // of its header
  std::uint64_t bound = 0;   // how often its back edge may be taken; 0 for no limit
  LoopKind kind = LoopKind::unbounded;
  std::uint64_t rounds = 0;                // finite: at most so many; 0 if that is not a constant
  bool inSource = true;                    // false: heddle made it, out of a single operation
  std::uint32_t parent = kNoLoop;          // the loop that it is in
  std::string why = {};                    // if it was asked for: in words, why some or all rounds are explored one by one
  std::vector<std::uint32_t> places = {};  // of what may be visible in it, and is in no inner loop
};

// Among the loops that were cut: not the index of a loop but a source position, where a wait could wake up spuriously more
// often in a row.
inline constexpr std::uint32_t kWakeups = std::uint32_t{1} << 31;

struct ProgramInfo {
  std::vector<Source> sources;
  std::vector<Type> types;
  std::vector<Variable> variables;     // tags of allocations are indices into this; 0 is "unknown"
  std::vector<std::uint32_t> globals;  // indices into variables
  std::vector<std::uint32_t> threadLocals;
  std::vector<Loop> loops;
  std::uint64_t tlsSize = 0, tlsAlignment = 1;
  bool tlsEscapes = false;            // may the program look at a thread_local variable of a thread that has ended?
  std::string tlsImageSymbol;         // a constant with the initial bytes of the thread_locals; empty if there are none
  std::vector<Operation> operations;  // every kind of atomic operation in the code, for Program::operations
  bool marksWrites = false;           // has the program annotations of writes (annotations.h)?
  bool notifiesOne = false;           // of the threads that wait for an atomic (notifications.h)
  bool controlEnds = false;           // such that a branch is for the code that depends on it
  bool tracksDependencies = false;    // does the code compute what values depend on (dependencies.h)?
  unsigned wakeups = 0;               // spurious ones in a row that are explored
};

}  // namespace heddle::runtime
