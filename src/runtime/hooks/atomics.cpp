// The hooks of atomic accesses and fences: each is an operation for the explorer.

#include <fmt/format.h>

#include <cstring>

#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle;
using namespace heddle::native;

namespace {

Operation unpack(OperationKind kind, const void* address, std::uint32_t access, std::uint32_t source) {
  return {.kind = kind,
          .rmw = static_cast<RmwOp>((access >> 24) & 15),
          .order = static_cast<Order>(access & 255),
          .failureOrder = static_cast<Order>((access >> 8) & 255),
          .size = static_cast<std::uint8_t>(access >> 16),
          .weak = ((access >> 28) & 1) != 0,
          .blind = ((access >> 30) & 1) != 0,
          .source = source,
          .address = addressOf(address)};
}

}  // namespace

extern "C" {

std::uint64_t heddle_atomic_load(const void* address, std::uint32_t access, std::uint32_t source) {
  return running().visible(unpack(OperationKind::load, address, access, source)).value;
}

void heddle_atomic_store(void* address, std::uint64_t value, std::uint32_t access, std::uint32_t source) {
  Operation operation = unpack(OperationKind::store, address, access, source);
  operation.operand = value;
  running().visible(operation);
}

std::uint64_t heddle_atomic_rmw(void* address, std::uint64_t operand, std::uint32_t access, std::uint32_t source) {
  Operation operation = unpack(OperationKind::rmw, address, access, source);
  operation.operand = operand;
  return running().visible(operation).value;
}

CasResult heddle_atomic_cas(void* address, std::uint64_t expected, std::uint64_t desired, std::uint32_t access,
                            std::uint32_t source) {
  Operation operation = unpack(OperationKind::cas, address, access, source);
  operation.expected = expected;
  operation.operand = desired;
  const Result result = running().visible(operation);
  return {result.value, result.success};
}

CasResult heddle_atomic_attempt(void* address, std::uint64_t operand, std::uint64_t expected, std::uint32_t comparison,
                                std::uint32_t access, std::uint32_t source) {
  Operation operation = unpack(OperationKind::cas, address, access, source);
  const bool takenBack = operation.rmw != RmwOp::exchange;  // an exchange in vain has written what was there
  if (takenBack && !program().modes().attempts) return {heddle_atomic_rmw(address, operand, access, source), 1};
  operation.operand = operand;
  operation.expected = expected;
  operation.comparison = static_cast<Comparison>(comparison);
  const Result result = running().visible(operation);
  return {result.value, result.success};
}

void heddle_atomic_load16(const void* address, void* result, std::uint32_t access, std::uint32_t source) {
  const Result r = running().visible(unpack(OperationKind::load, address, access, source));
  std::memcpy(result, program().wideValues()[r.value].data(), 16);
}

void heddle_atomic_store16(void* address, const void* value, std::uint32_t access, std::uint32_t source) {
  Operation operation = unpack(OperationKind::store, address, access, source);
  operation.operand = program().wideValues().numberOf(value);
  running().visible(operation);
}

void heddle_atomic_exchange16(void* address, const void* operand, void* old, std::uint32_t access, std::uint32_t source) {
  Operation operation = unpack(OperationKind::rmw, address, access, source);
  operation.rmw = RmwOp::exchange;
  operation.operand = program().wideValues().numberOf(operand);
  const Result r = running().visible(operation);
  std::memcpy(old, program().wideValues()[r.value].data(), 16);
}

std::uint64_t heddle_atomic_cas16(void* address, const void* expected, const void* desired, void* old,
                                  std::uint32_t access, std::uint32_t source) {
  Operation operation = unpack(OperationKind::cas, address, access, source);
  operation.expected = program().wideValues().numberOf(expected);
  operation.operand = program().wideValues().numberOf(desired);
  const Result r = running().visible(operation);
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
  running().visible({.kind = OperationKind::fence, .order = static_cast<Order>(order), .source = source});
}

}  // extern "C"
