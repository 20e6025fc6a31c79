//! rc20,sc: verified executions=3
//! rc20: error=assertion-failure line=@torn flags="-- -DWRONG"
//! rc20: error=assertion-failure line=@rest flags="-- -DCASE=1"
//! rc20: error=assertion-failure line=@rest flags="-- -DCASE=2"
//! rc20: error=assertion-failure line=@rest flags="-- -DCASE=3"
//! rc20: error=assertion-failure line=@rest flags="-- -DCASE=4"
//! rc20: error=assertion-failure line=@rest flags="--unroll 4 -- -DCASE=5"
// A reader of a sequence lock copies word by word, in a loop. A round in vain leaves nothing but the copy, which the next round makes
// anew: as many executions as there are versions. WRONG: without the fence the copy may be of two versions.
// Something of the round before is left, and has to be explored, if the copy (1) ends early, (2) leaves out every second word, (3) is
// looked at before it is made anew, (4) begins at another place, (5) is looked at while it is made.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kWords = 3 };

static atomic_uint sequence;
static atomic_int words[kWords];

static void store(int value) {
  const unsigned now = atomic_load_explicit(&sequence, memory_order_relaxed);
  atomic_store_explicit(&sequence, now + 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  for (int i = 0; i < kWords; i++) atomic_store_explicit(&words[i], value, memory_order_relaxed);
  atomic_store_explicit(&sequence, now + 2, memory_order_release);
}

static int load(int i) { return atomic_load_explicit(&words[i], memory_order_relaxed); }

static void *writer(void *unused) {
  store(1);
  store(2);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  int copy[kWords + 2] = {0};
  unsigned before, after;
  int seen = 0;
  do {
    before = atomic_load_explicit(&sequence, memory_order_acquire);
#if CASE == 1
    for (int i = 0; i < kWords; i++) {
      if (load(i) == 2) break;
      copy[i] = load(i);
    }
#elif CASE == 2
    for (int i = 0; i < 2; i++) copy[2 * i] = load(2 * i);
    if (copy[0] == 1) copy[1] = 7;
#elif CASE == 3
    seen |= copy[2];
    for (int i = 0; i < kWords; i++) copy[i] = load(i);
#elif CASE == 4
    const int first = load(0);
    for (int i = 0; i < kWords; i++) copy[first + i] = load(i);
#elif CASE == 5
    for (int i = 0; i < kWords; i++) {
      seen |= copy[1] == 1 && i == 0;
      copy[i] = load(i);
    }
#else
    for (int i = 0; i < kWords; i++) copy[i] = load(i);
#endif
#ifndef WRONG
    atomic_thread_fence(memory_order_acquire);
#endif
    after = atomic_load_explicit(&sequence, memory_order_relaxed);
  } while (before != after || before % 2 != 0);
#ifdef CASE
  if (before == 4) assert(!(seen & 1) && copy[0] != 1 && copy[1] != 7 && copy[1] != 1 && copy[3] == 0);  // @rest
#else
  (void)seen;
  assert(copy[0] == copy[1] && copy[1] == copy[2] && copy[0] == (int)before / 2);  // @torn
#endif
  pthread_join(thread, 0);
  return 0;
}
