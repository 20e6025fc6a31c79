// Spin locks of pthreads: to the explorer they are mutexes like any other, in the one word that they have.

#include <errno.h>
#include <pthread.h>

#include "failure.h"
#include "holdings.h"

using heddle::library::fail;
using heddle::library::Failure;
using heddle::library::holdings;

namespace {

constexpr int kDestroyed = -1;  // never free again

int* word(pthread_spinlock_t* lock) { return const_cast<int*>(lock); }

}  // namespace

extern "C" {

int pthread_spin_init(pthread_spinlock_t* lock, int) {
  if (holdings.find(word(lock))) fail(Failure::misuse, "initialisation of a spin lock that the thread holds");
  *word(lock) = 0;
  return 0;
}

int pthread_spin_destroy(pthread_spinlock_t* lock) {
  if (*word(lock) == kDestroyed) fail(Failure::misuse, "destruction of a spin lock that has been destroyed");
  if (*word(lock) != 0) fail(Failure::destroyInUse, "destruction of a spin lock that is held");
  *word(lock) = kDestroyed;
  return 0;
}

int pthread_spin_lock(pthread_spinlock_t* lock) {
  if (holdings.find(word(lock))) fail(Failure::selfLock, "lock of a spin lock that the thread already holds");
  heddle_lock(word(lock));
  holdings.add(word(lock));
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t* lock) {
  if (holdings.find(word(lock)) || !heddle_trylock(word(lock))) return EBUSY;
  holdings.add(word(lock));
  return 0;
}

int pthread_spin_unlock(pthread_spinlock_t* lock) {
  auto* holding = holdings.find(word(lock));
  if (!holding) fail(Failure::unlockNotHeld, "unlock of a spin lock that the thread does not hold");
  holdings.giveBack(holding);
  heddle_unlock(word(lock));
  return 0;
}

}  // extern "C"
