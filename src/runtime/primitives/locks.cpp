// Mutexes, and locks that are more than mutexes.

#include "program/lock.h"
#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle;
using namespace heddle::runtime;

extern "C" {

void heddle_lock(void* mutex) { running().visible(Operation::take(addressOf(mutex), LockOp::hold)); }

void heddle_unlock(void* mutex) { running().visible(Operation::unlock(addressOf(mutex))); }

int heddle_trylock(void* mutex) {
  const bool success = running().visible(Operation::tryTake(addressOf(mutex), LockOp::hold)).success;
  if (!success) program().waits().noteFailedAttempt(addressOf(mutex));
  return success;
}

std::uint64_t heddle_take(void* word, std::uint32_t what, std::uint64_t operand, int orNever) {
  const auto lock = static_cast<LockOp>(what);
  const bool wide = lock == LockOp::join || lock == LockOp::leave || lock == LockOp::wakeOne || lock == LockOp::wakeAll;
  Operation take = Operation::take(addressOf(word), lock, wide ? 8 : 4, operand);
  take.orNever = orNever != 0;
  return running().visible(take).value;
}

int heddle_try(void* word, std::uint32_t what) {
  const bool success = running().visible(Operation::tryTake(addressOf(word), static_cast<LockOp>(what))).success;
  if (!success) program().waits().noteFailedAttempt(addressOf(word));
  return success;
}

void heddle_take_part(void* word, std::uint32_t what, const void* whole, std::uint32_t part) {
  running().visible(Operation::takePart(addressOf(word), static_cast<LockOp>(what), addressOf(whole), part));
}

void heddle_unlock_part(void* word, const void* whole, std::uint32_t part) {
  running().visible(Operation::unlockPart(addressOf(word), addressOf(whole), part));
}

void heddle_leave_reading(void* word, const void* whole) {
  running().visible(Operation::leaveReading(addressOf(word), addressOf(whole)));
}

}  // extern "C"
