// What can be wrong with a program.
//
// One table: the kind, its name in JSON, and the words for people. A kind that needs details (the other access of a
// race, the allocation that was overrun) has them in Error.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/operation.h"

namespace heddle::native {

enum class ErrorKind : std::uint8_t {
  assertion,
  abort,
  uncaughtException,
  unreachable,
  divisionByZero,
  signedOverflow,
  undefinedBehaviour,  // the other checks of --ub; the message says which
  dataRace,
  uninitialisedAtomic,
  uninitialisedRead,
  outOfBounds,
  useAfterFree,
  doubleFree,
  invalidFree,
  nullPointer,
  wildPointer,
  deadFrame,
  readOnlyWrite,
  memoryLeak,
  deadlock,
  nonTermination,  // a loop goes round for ever
  selfLock,
  unlockNotHeld,
  destroyInUse,
  joinedTwice,
  invalidJoin,
  pureVirtual,
  stackOverflow,
  noProgress,   // no visible operation for a long time
  signal,       // native code crashed
  misuse,       // of a library function; the message says how
  unsupported,  // something heddle does not do; the message says what
};

const char* name(ErrorKind kind);   // "data-race", for JSON
const char* title(ErrorKind kind);  // "data race", for people
std::vector<ErrorKind> errorKinds();  // all of them
// Is it an access to memory that is wrong?
constexpr bool isOfMemory(ErrorKind kind) { return kind >= ErrorKind::dataRace && kind <= ErrorKind::readOnlyWrite; }

struct ErrorAccess {
  ThreadId thread = 0;
  std::uint32_t source = 0;
  std::string what;  // "plain write", "atomic read", "free"
  std::uint16_t index = 0;  // of the thread's next event; 0 if that is not known
};

struct Error {
  ErrorKind kind = ErrorKind::assertion;
  std::string message;       // one line, with names of variables
  ThreadId thread = 0;
  std::uint32_t source = 0;  // where
  std::vector<ErrorAccess> related;  // the other access of a race, the free, the allocation
};

// What is not an error, but worth a word.
struct Warning {
  std::string message;
  std::uint32_t source = 0;  // where
  bool operator==(const Warning&) const = default;
};

}  // namespace heddle::native
