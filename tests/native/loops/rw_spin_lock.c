//! rc20: verified executions=14
//! sc: verified executions=14
//! tso: verified executions=14
//! rc20: verified executions=14 flags="--equivalence rf"
//! rc20: verified executions=24 flags="-- -DWRITER=1"
//! rc20: verified executions=14 flags="-- -DWRITER=2"
//! rc20: verified executions=14 flags="-- -DREADER=1"
//! rc20: verified executions=14 flags="-- -DGIVE=1"
//! rc20: verified executions=14 flags="-- -DGIVE=2"
//! rc20: error=data-race line=@torn flags="-- -DORDER=memory_order_relaxed"
//! rc20: error=assertion-failure line=@torn flags="--races off -- -DMASK=2"
//! rc20: error=assertion-failure line=@failed flags="--unroll 2 -- -DTRY"
//! rc20: error=assertion-failure line=@seen flags="--unroll 2 -- -DSEEN"
//! rc20: error=assertion-failure line=@unlocked flags="--unroll 2 -- -DGIVE=3"
// A lock for readers and a writer in one word. A reader adds itself, looks for a writer, and takes itself away if there is one. The
// writer waits for an empty word, and clears its bit. Nobody notices a reader that comes and goes. Not so if the writer tries once
// (TRY), looks at what it has found (SEEN), or gives the lock back in a way that forgets the readers (GIVE 3).
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_acquire
#endif
#ifndef MASK
#define MASK 3
#endif

enum { writerBit = 1, readerOne = 4 };

static atomic_int word;
static int data[2];

static int tryShared(void) {
  const int found = atomic_fetch_add_explicit(&word, readerOne, ORDER);
  if (found & MASK) {
    atomic_fetch_add_explicit(&word, -readerOne, memory_order_release);
    return 0;
  }
  return 1;
}

static void lockShared(void) {
#if READER == 1
  for (;;) {
    if ((atomic_fetch_add_explicit(&word, readerOne, ORDER) & MASK) == 0) break;
    atomic_fetch_sub_explicit(&word, readerOne, memory_order_relaxed);
    while (atomic_load_explicit(&word, memory_order_relaxed) & writerBit) sched_yield();
  }
#else
  unsigned count = 0;
  while (!tryShared()) {
    if (++count > 1000) sched_yield();
  }
#endif
}

static void unlockShared(void) { atomic_fetch_add_explicit(&word, -readerOne, memory_order_release); }

static int tryAlone(int *found) {
  *found = 0;
  return atomic_compare_exchange_strong_explicit(&word, found, writerBit, memory_order_acq_rel, memory_order_relaxed);
}

static void lockAlone(void) {
  int found;
#ifdef TRY
  const int taken = tryAlone(&found);
  assert(taken || found < 2 * readerOne || (found & writerBit));  // @failed
  if (taken) return;
#endif
#ifdef SEEN
  int most = 0;
  while (!tryAlone(&found)) most = found > most ? found : most;
  assert(most < 2 * readerOne);  // @seen
#elif WRITER == 1
  for (;;) {
    if (atomic_load_explicit(&word, memory_order_relaxed) == 0 && tryAlone(&found)) break;
    sched_yield();
  }
#elif WRITER == 2
  while (!tryAlone(&found)) {
    while (atomic_load_explicit(&word, memory_order_relaxed) != 0) sched_yield();
  }
#else
  while (!tryAlone(&found)) sched_yield();
#endif
}

static void unlockAlone(void) {
#if GIVE == 1
  atomic_fetch_sub_explicit(&word, writerBit, memory_order_release);
#elif GIVE == 2
  atomic_fetch_xor_explicit(&word, writerBit, memory_order_release);
#elif GIVE == 3
  atomic_store_explicit(&word, 0, memory_order_release);
#else
  atomic_fetch_and_explicit(&word, ~3, memory_order_release);
#endif
}

static void *writer(void *unused) {
  lockAlone();
  data[0]++;
  data[1]++;
  unlockAlone();
  return unused;
}

static void *reader(void *unused) {
  lockShared();
  assert(data[0] == data[1]);  // @torn
  unlockShared();
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, i == 0 ? writer : reader, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  assert(atomic_load(&word) == 0);  // @unlocked
  return 0;
}
