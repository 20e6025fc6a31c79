// What can be wrong with a program.
//
// The table of kinds is in abi/heddle_kinds.h: the kind, its name in JSON, and the words for people. A kind that needs details
// (the other access of a race, the allocation that was overrun) has them in Error.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "abi/heddle_kinds.h"
#include "program/operation.h"

namespace heddle::runtime {

#define HEDDLE_ENUMERATOR(kind, name, title) kind,
enum class ErrorKind : std::uint8_t { HEDDLE_ERROR_KINDS(HEDDLE_ENUMERATOR) };
#undef HEDDLE_ENUMERATOR

const char* name(ErrorKind kind);     // "data-race", for JSON
const char* title(ErrorKind kind);    // "data race", for people
std::vector<ErrorKind> errorKinds();  // all of them
// Is it an access to memory that is wrong?
constexpr bool isOfMemory(ErrorKind kind) { return kind >= ErrorKind::dataRace && kind <= ErrorKind::readOnlyWrite; }

inline constexpr const char* kAllocation =
    "allocation";  // ErrorAccess::what: the memory's, which is no part of what went wrong

std::string threadName(ThreadId thread);  // "main", "thread 1"

struct ErrorAccess {
  ThreadId thread = 0;
  std::uint32_t source = 0;
  std::string what;         // "plain write", "atomic read", "free"
  std::uint16_t index = 0;  // of the thread's next event; 0 if that is not known
};

struct Error {
  ErrorKind kind = ErrorKind::assertion;
  std::string message;  // one line, with names of variables
  ThreadId thread = 0;
  std::uint32_t source = 0;          // where
  std::vector<ErrorAccess> related;  // the other access of a race, the free, the allocation
};

// What is not an error, but worth a word.
struct Warning {
  std::string message;
  std::uint32_t source = 0;  // where
  bool operator==(const Warning&) const = default;
};

}  // namespace heddle::runtime
