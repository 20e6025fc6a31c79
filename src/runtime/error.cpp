#include "runtime/error.h"

#include <iterator>

namespace heddle::native {

namespace {

struct Row {
  ErrorKind kind;
  const char* name;
  const char* title;
};

// In the order of the enumeration.
constexpr Row kRows[] = {
    {ErrorKind::assertion, "assertion-failure", "assertion failure"},
    {ErrorKind::abort, "abort", "abort"},
    {ErrorKind::uncaughtException, "uncaught-exception", "uncaught exception"},
    {ErrorKind::unreachable, "unreachable", "unreachable code is reached"},
    {ErrorKind::divisionByZero, "division-by-zero", "division by zero"},
    {ErrorKind::signedOverflow, "signed-overflow", "signed overflow"},
    {ErrorKind::undefinedBehaviour, "undefined-behaviour", "undefined behaviour"},
    {ErrorKind::dataRace, "data-race", "data race"},
    {ErrorKind::uninitialisedAtomic, "uninitialised-atomic", "use of an uninitialised atomic"},
    {ErrorKind::uninitialisedRead, "uninitialised-read", "use of an uninitialised value"},
    {ErrorKind::outOfBounds, "out-of-bounds", "out-of-bounds access"},
    {ErrorKind::useAfterFree, "use-after-free", "use after free"},
    {ErrorKind::doubleFree, "double-free", "double free"},
    {ErrorKind::invalidFree, "invalid-free", "invalid free"},
    {ErrorKind::nullPointer, "null-pointer", "null pointer access"},
    {ErrorKind::wildPointer, "wild-pointer", "wild pointer access"},
    {ErrorKind::deadFrame, "dead-frame", "use of a dead stack frame"},
    {ErrorKind::readOnlyWrite, "read-only-write", "write to constant memory"},
    {ErrorKind::memoryLeak, "memory-leak", "memory leak"},
    {ErrorKind::deadlock, "deadlock", "deadlock"},
    {ErrorKind::nonTermination, "non-termination", "a loop never ends"},
    {ErrorKind::selfLock, "self-lock", "lock of a mutex that the thread already holds"},
    {ErrorKind::unlockNotHeld, "unlock-not-held", "unlock of a mutex that is not held"},
    {ErrorKind::destroyInUse, "destroy-in-use", "destruction of an object in use"},
    {ErrorKind::joinedTwice, "joined-twice", "thread joined twice"},
    {ErrorKind::invalidJoin, "invalid-join", "invalid join"},
    {ErrorKind::pureVirtual, "pure-virtual", "call of a pure virtual function"},
    {ErrorKind::stackOverflow, "stack-overflow", "stack overflow"},
    {ErrorKind::noProgress, "no-progress", "no progress"},
    {ErrorKind::signal, "signal", "crash"},
    {ErrorKind::misuse, "misuse", "misuse of a library function"},
    {ErrorKind::unsupported, "unsupported", "not supported"},
};

constexpr bool inOrder() {
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    if (static_cast<std::size_t>(kRows[i].kind) != i) return false;
  }
  return std::size(kRows) == static_cast<std::size_t>(ErrorKind::unsupported) + 1;
}
static_assert(inOrder());

}  // namespace

const char* name(ErrorKind kind) {
  return kRows[static_cast<std::size_t>(kind)].name;
}

const char* title(ErrorKind kind) {
  return kRows[static_cast<std::size_t>(kind)].title;
}

std::vector<ErrorKind> errorKinds() {
  std::vector<ErrorKind> kinds;
  for (const Row& row : kRows) kinds.push_back(row.kind);
  return kinds;
}

}  // namespace heddle::native
