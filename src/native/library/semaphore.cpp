// POSIX semaphores.
//
// One atomic word, the value. To wait for it is a lock that the explorer knows (heddle_lock_down). To try is a compare-exchange
// from 1 to 0, the usual case, or, if the value turns out to be larger, a second one from that value; a thread that
// finds 0 writes nothing. Named semaphores are not modelled.

#include <errno.h>
#include <limits.h>
#include <semaphore.h>

#include "clock.h"
#include "failure.h"
#include "live.h"

using heddle::library::fail;
using heddle::library::Failure;

namespace {

constexpr uint32_t kDestroyed = 0xdead;

struct Semaphore {
  uint32_t value, waiting;
  uint32_t mark, unused;
};
static_assert(sizeof(Semaphore) <= sizeof(sem_t));

Semaphore& semaphoreOf(sem_t* semaphore) {
  auto& object = *reinterpret_cast<Semaphore*>(semaphore);
  if (object.mark == kDestroyed) fail(Failure::misuse, "use of a semaphore that has been destroyed");
  return object;
}

bool exchange(Semaphore& semaphore, uint32_t& expected, uint32_t desired) {
  return __atomic_compare_exchange_n(&semaphore.value, &expected, desired, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

// Takes one if there is one.
bool take(Semaphore& semaphore) {
  uint32_t value = 1;
  if (exchange(semaphore, value, 0)) return true;
  if (value == 0) return false;
  uint32_t expected = value;
  heddle_assume_hook(exchange(semaphore, expected, value - 1));
  return true;
}

int timedTake(sem_t* semaphore, const timespec* deadline) {
  if (take(semaphoreOf(semaphore))) return 0;
  errno = heddle::library::timeOut(deadline);
  return -1;
}

}  // namespace

extern "C" {

// Of std::counting_semaphore.
void heddle_semaphore_overflow() { fail(Failure::misuse, "the semaphore would count above its maximum"); }

int sem_init(sem_t* semaphore, int, unsigned value) {
  if (value > INT_MAX) {
    errno = EINVAL;
    return -1;
  }
  auto& object = *reinterpret_cast<Semaphore*>(semaphore);
  heddle::library::checkNotLive(object.mark, "initialisation of a semaphore that has not been destroyed");
  object = {value, 0, heddle::library::kLive, 0};
  return 0;
}

int sem_destroy(sem_t* semaphore) {
  Semaphore& object = semaphoreOf(semaphore);
  object.value = 0;
  object.mark = kDestroyed;
  return 0;
}

int sem_wait(sem_t* semaphore) {
  heddle_take(&semaphoreOf(semaphore).value, heddle_lock_down, 0, 0);
  return 0;
}

int sem_trywait(sem_t* semaphore) {
  if (take(semaphoreOf(semaphore))) return 0;
  errno = EAGAIN;
  return -1;
}
int sem_timedwait(sem_t* semaphore, const timespec* deadline) { return timedTake(semaphore, deadline); }
int sem_clockwait(sem_t* semaphore, clockid_t, const timespec* deadline) { return timedTake(semaphore, deadline); }

int sem_post(sem_t* semaphore) {
  if (__atomic_fetch_add(&semaphoreOf(semaphore).value, 1, __ATOMIC_RELEASE) < INT_MAX) return 0;
  fail(Failure::misuse, "the value of a semaphore overflows");
}

int sem_getvalue(sem_t* semaphore, int* value) {
  *value = static_cast<int>(__atomic_load_n(&semaphoreOf(semaphore).value, __ATOMIC_RELAXED));
  return 0;
}

}  // extern "C"
