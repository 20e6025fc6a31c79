//! rc20: error=assertion-failure line=@look flags="--unroll 2 -- -DLOOK"
//! rc20: error=assertion-failure line=@add flags="--unroll 2 -- -DADD"
//! rc20: error=assertion-failure line=@late flags="--unroll 2 -- -DLATE"
//! rc20: error=assertion-failure line=@store flags="--unroll 2 -- -DSTORE"
//! rc20: error=assertion-failure line=@try flags="--unroll 2 -- -DTRY"
//! rc20: error=assertion-failure line=@set flags="--unroll 2 -- -DSET"
//! rc20: error=assertion-failure line=@below flags="--unroll 2 -- -DBELOW"
// Attempts that are taken back, and others that notice. LOOK is from the thesis (ZNE-OBS); in ADD each write is read once,
// and it shows all the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define RELAXED memory_order_relaxed

static atomic_int x, flag, taken;

static void *attempt(void *unused) {
#ifdef BELOW
  // Good enough is what others add up to, not what is there.
  while (atomic_fetch_add_explicit(&x, 1, RELAXED) != 1) atomic_fetch_sub_explicit(&x, 1, RELAXED);
  assert(0);  // @below
#elif defined(LATE)
  if (atomic_load_explicit(&flag, RELAXED) == 0) {
    while (atomic_fetch_add_explicit(&x, 1, RELAXED) != 5) atomic_fetch_sub_explicit(&x, 1, RELAXED);
    atomic_store_explicit(&flag, 1, RELAXED);
  }
#elif defined(TRY) || defined(STORE)
  while (atomic_fetch_add_explicit(&x, 1, RELAXED) != 0) atomic_fetch_sub_explicit(&x, 1, RELAXED);
  atomic_store_explicit(&taken, 1, RELAXED);
  atomic_fetch_sub_explicit(&x, 1, RELAXED);
#else
  while (atomic_fetch_add_explicit(&x, 1, RELAXED) != 42) atomic_fetch_sub_explicit(&x, 1, RELAXED);
#endif
  return unused;
}

static void *other(void *unused) {
#ifdef LOOK
  if (atomic_load_explicit(&x, RELAXED)) {
    assert(atomic_load_explicit(&x, RELAXED));  // @look
  }
#elif defined(ADD)
  const int first = atomic_fetch_add_explicit(&x, 1, RELAXED);
  const int second = atomic_fetch_add_explicit(&x, 1, RELAXED);
  assert(second == first + 1 || second == first + 2);  // @add
#elif defined(LATE)
  // What the attempt has left behind is still to be seen when it has succeeded.
  while (atomic_load_explicit(&flag, RELAXED) == 0) {
  }
  assert(atomic_load_explicit(&x, RELAXED) != 3);  // @late
#elif defined(STORE)
  while (atomic_fetch_add_explicit(&x, 1, RELAXED) != 0) atomic_fetch_sub_explicit(&x, 1, RELAXED);
  atomic_store_explicit(&x, 0, RELAXED);
  assert(atomic_load_explicit(&x, RELAXED) >= 0);  // @store
#elif defined(SET)
  // A test-and-set of what is set, which is more for a moment.
  while (atomic_exchange_explicit(&x, 1, RELAXED) == 1) {
  }
  assert(0);  // @set
#elif defined(TRY)
  // Tries once, while nobody holds the lock for long: it can fail although the other one has failed, too.
  if (atomic_fetch_add_explicit(&x, 1, RELAXED) != 0) {
    atomic_fetch_sub_explicit(&x, 1, RELAXED);
    assert(atomic_load_explicit(&taken, RELAXED) == 1);  // @try
  }
#elif defined(BELOW)
  while (atomic_fetch_add_explicit(&x, 1, RELAXED) != 7) atomic_fetch_sub_explicit(&x, 1, RELAXED);
#endif
  return unused;
}

int main(void) {
  pthread_t first, second;
#ifdef SET
  atomic_store(&x, 1);
#endif
  pthread_create(&first, 0, attempt, 0);
  pthread_create(&second, 0, other, 0);
#ifdef LATE
  atomic_fetch_add_explicit(&x, 2, RELAXED);
  atomic_fetch_add_explicit(&x, 3, RELAXED);
#endif
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
