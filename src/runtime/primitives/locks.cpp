// Mutexes, and locks that are more than mutexes.

#include "program/lock.h"
#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle;
using namespace heddle::native;

extern "C" {

void heddle_lock(void* mutex) {
  running().visible({.kind = OperationKind::lock, .order = Order::acquire, .size = 4, .address = addressOf(mutex)});
}

void heddle_unlock(void* mutex) {
  running().visible({.kind = OperationKind::unlock, .order = Order::release, .size = 4, .address = addressOf(mutex)});
}

int heddle_trylock(void* mutex) {
  const Operation operation{.kind = OperationKind::cas,
                            .order = Order::acquire,
                            .failureOrder = Order::relaxed,
                            .size = 4,
                            .address = addressOf(mutex),
                            .operand = 1,
                            .expected = 0};
  const bool success = running().visible(operation).success;
  if (!success) program().waits().noteFailedAttempt(addressOf(mutex));
  return success;
}

std::uint64_t heddle_take(void* word, std::uint32_t what, std::uint64_t operand, int orNever) {
  const auto lock = static_cast<LockOp>(what);
  const bool wide = lock == LockOp::join || lock == LockOp::leave || lock == LockOp::wakeOne || lock == LockOp::wakeAll;
  return running()
      .visible({.kind = OperationKind::lock,
                .lock = lock,
                .order = orderOf(lock),
                .size = static_cast<std::uint8_t>(wide ? 8 : 4),
                .weak = orNever != 0,
                .address = addressOf(word),
                .operand = operand})
      .value;
}

int heddle_try(void* word, std::uint32_t what) {
  const Operation operation{.kind = OperationKind::cas,
                            .lock = static_cast<LockOp>(what),
                            .order = Order::acquire,
                            .failureOrder = Order::relaxed,
                            .size = 4,
                            .address = addressOf(word)};
  const bool success = running().visible(operation).success;
  if (!success) program().waits().noteFailedAttempt(addressOf(word));
  return success;
}

void heddle_take_part(void* word, std::uint32_t what, const void* whole, std::uint32_t part) {
  running().visible({.kind = OperationKind::lock,
                     .lock = static_cast<LockOp>(what),
                     .order = Order::acquire,
                     .size = 4,
                     .address = addressOf(word),
                     .operand = part,
                     .expected = addressOf(whole)});
}

void heddle_unlock_part(void* word, const void* whole, std::uint32_t part) {
  running().visible({.kind = OperationKind::unlock,
                     .order = Order::release,
                     .size = 4,
                     .address = addressOf(word),
                     .operand = part,
                     .expected = addressOf(whole)});
}

void heddle_leave_reading(void* word, const void* whole) {
  running().visible({.kind = OperationKind::rmw,
                     .rmw = RmwOp::sub,
                     .lock = LockOp::read,
                     .order = Order::relaxed,
                     .size = 4,
                     .address = addressOf(word),
                     .operand = kReader,
                     .expected = addressOf(whole)});
}

}  // extern "C"
