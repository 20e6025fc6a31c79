// The hooks of atomic accesses and fences: each is an operation for the explorer.

#include <fmt/format.h>

#include <cstring>

#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle;
using namespace heddle::runtime;

namespace {

// What packAccess (hooks.h) has packed.
Order orderOf(std::uint32_t access) { return static_cast<Order>(access & 255); }
Order failureOrderOf(std::uint32_t access) { return static_cast<Order>((access >> 8) & 255); }
unsigned sizeOf(std::uint32_t access) { return (access >> 16) & 127; }
RmwOp rmwOf(std::uint32_t access) { return static_cast<RmwOp>((access >> 24) & 15); }
bool isGuard(std::uint32_t access) { return (access & kGuardAccess) != 0 && program().modes().guards; }

Operation loadOf(const void* address, std::uint32_t access, std::uint32_t source) {
  Operation load = Operation::load(addressOf(address), sizeOf(access), orderOf(access)).at(source);
  load.resultIsUnused = (access & kBlindAccess) != 0;
  return load;
}

Operation storeOf(void* address, Value value, std::uint32_t access, std::uint32_t source) {
  Operation store = Operation::store(addressOf(address), sizeOf(access), orderOf(access), value).at(source);
  const runtime::ProgramModes& modes = program().modes();
  if ((access & (kRedoneAccess | kRepeatedAccess)) != 0 && modes.repeatedStores) {
    store.isRedone = (access & kRedoneAccess) != 0 && modes.redoneStores;
    store.mayBeRepeated = (access & kRepeatedAccess) != 0 || !modes.redoneStores;
  }
  store.isGuard = isGuard(access);
  return store;
}

Operation updateOf(void* address, Value operand, std::uint32_t access, std::uint32_t source) {
  Operation update = Operation::update(addressOf(address), sizeOf(access), orderOf(access), rmwOf(access), operand).at(source);
  update.resultIsUnused = (access & kBlindAccess) != 0;
  update.isGuard = isGuard(access);
  return update;
}

Operation casOf(void* address, Value expected, Value desired, std::uint32_t access, std::uint32_t source) {
  Operation cas =
      Operation::cas(addressOf(address), sizeOf(access), orderOf(access), failureOrderOf(access), expected, desired).at(source);
  cas.mayFailSpuriously = ((access >> 28) & 1) != 0;
  cas.resultIsUnused = (access & kBlindAccess) != 0;
  cas.isGuard = isGuard(access);
  cas.mattersInItself = running().hasAccessed();
  return cas;
}

}  // namespace

extern "C" {

std::uint64_t heddle_atomic_load(const void* address, std::uint32_t access, std::uint32_t source) {
  return running().visible(loadOf(address, access, source)).value;
}

void heddle_atomic_store(void* address, std::uint64_t value, std::uint32_t access, std::uint32_t source) {
  running().visible(storeOf(address, value, access, source));
}

std::uint64_t heddle_atomic_rmw(void* address, std::uint64_t operand, std::uint32_t access, std::uint32_t source) {
  return running().visible(updateOf(address, operand, access, source)).value;
}

CasResult heddle_atomic_cas(void* address, std::uint64_t expected, std::uint64_t desired, std::uint32_t access,
                            std::uint32_t source) {
  const Result result = running().visible(casOf(address, expected, desired, access, source));
  return {result.value, result.success};
}

CasResult heddle_atomic_attempt(void* address, std::uint64_t operand, std::uint64_t expected, std::uint32_t comparison,
                                std::uint32_t access, std::uint32_t source) {
  const Operation attempt = Operation::attempt(addressOf(address), sizeOf(access), orderOf(access), rmwOf(access), operand,
                                               static_cast<Comparison>(comparison), expected);
  if (attempt.isTakenBack() && !program().modes().attempts) return {heddle_atomic_rmw(address, operand, access, source), 1};
  const Result result = running().visible(attempt.at(source));
  return {result.value, result.success};
}

void heddle_atomic_load16(const void* address, void* result, std::uint32_t access, std::uint32_t source) {
  const Result r = running().visible(loadOf(address, access, source));
  std::memcpy(result, program().wideValues()[r.value].data(), 16);
}

void heddle_atomic_store16(void* address, const void* value, std::uint32_t access, std::uint32_t source) {
  running().visible(storeOf(address, program().wideValues().numberOf(value), access, source));
}

void heddle_atomic_exchange16(void* address, const void* operand, void* old, std::uint32_t access, std::uint32_t source) {
  const Result r = running().visible(updateOf(address, program().wideValues().numberOf(operand), access, source));
  std::memcpy(old, program().wideValues()[r.value].data(), 16);
}

std::uint64_t heddle_atomic_cas16(void* address, const void* expected, const void* desired, void* old, std::uint32_t access,
                                  std::uint32_t source) {
  const Value from = program().wideValues().numberOf(expected), to = program().wideValues().numberOf(desired);
  const Result r = running().visible(casOf(address, from, to, access, source));
  std::memcpy(old, program().wideValues()[r.value].data(), 16);
  return r.success;
}

void heddle_atomic_crosses(const void* address, std::uint64_t size, std::uint32_t source) {
  memory::Memory& memory = program().plainMemory();
  if (memory.checkAlive(addressOf(address), size, source) == memory::Outcome::fault) {
    program().faults().fail(memory.fault(), source, true);
  }
  running().fail(ErrorKind::unsupported,
                 fmt::format("an atomic access of {} bytes crosses a 16-byte boundary, so no hardware makes it at once", size),
                 source);
}

void heddle_fence(std::uint32_t order, std::uint32_t source) {
  running().visible(Operation::fence(static_cast<Order>(order)).at(source));
}

}  // extern "C"
