// Small loops that wait, in the shapes that the published tool tests its treatment of spin loops (SAVER) with. SHAPE is
//
//   1  spin-cas2              three threads exchange what they have loaded or found; another one writes once
//   2  spin-cas3(N)           N threads take a lock by a compare-exchange, and give it back
//   3  spin-cas-res           which of two compare-exchanges is tried depends on a load
//   4  spin-2cas-samebranch   two compare-exchanges of different locations, one after the other
//   5  spin-2cas-join2        one of two, by what was loaded or found
//   6  loop-peel2             two threads wait in a loop whose first round stands before it
//   7  assume-disj            an assumption about two loads, of which the second is not always made
//   8  spin-fai-fail          two threads add one and take it back until they find none; another one looks twice
//   9  local-dec(N)           a loop counts to two in the Nth of six ways; it waits for nobody
//
// All accesses are seq_cst. Many writes (42) show whether each value that is found in vain is explored.
#include <assert.h>
#include <heddle/heddle.h>
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 3
#endif

enum { last = 42 };

static atomic_int x, y;

static void* count(void* first) {
  for (int i = (int)(intptr_t)first; i < (int)(intptr_t)first + last; i++) {
    atomic_store(&x, i);
#if SHAPE == 4 || SHAPE == 7
    atomic_store(&y, i);
#endif
  }
  return 0;
}

static void* wait(void* unused) {
#if SHAPE == 1
  int found = atomic_load(&x);
  while (!atomic_compare_exchange_strong(&x, &found, last)) {}
#elif SHAPE == 2
  int unlocked;
  do unlocked = 0;
  while (!atomic_compare_exchange_strong(&x, &unlocked, 1));
  atomic_store(&x, 0);
#elif SHAPE == 3
  _Bool done = 0;
  while (!done) {
    int expected = atomic_load(&x) == last ? 0 : 1;
    done = atomic_compare_exchange_strong(&x, &expected, last);
  }
#elif SHAPE == 4
  for (;;) {
    int a = last, b = last;
    if (atomic_compare_exchange_strong(&x, &a, 17) || atomic_compare_exchange_strong(&y, &b, 17)) break;
  }
#elif SHAPE == 5
  int found = atomic_load(&x);
  while (!atomic_compare_exchange_strong(&x, &found, found == last ? last : 17)) {}
#elif SHAPE == 6
  int a = atomic_load(&x);
  while (a != 0) a = atomic_load(&x);
#elif SHAPE == 7
  heddle_assume(atomic_load(&x) == last || atomic_load(&y) == last);
#elif SHAPE == 8
  while (atomic_fetch_add(&x, 1) != 0) atomic_fetch_sub(&x, 1);
#elif SHAPE == 9
  enum { rounds = 2 };
  int left = rounds, done = 0;
  switch (N) {
    case 1: while (left-- != 0) atomic_fetch_add(&x, 1); break;
    case 2: for (left = rounds + 1; --left != 0;) atomic_fetch_add(&x, 1); break;
    case 3:
      while (left != 0) {
        atomic_fetch_add(&x, 1);
        left--;
      }
      break;
    case 4: while (done++ < rounds) atomic_fetch_add(&x, 1); break;
    case 5: for (int i = 0; i < rounds; i++) atomic_fetch_add(&x, 1); break;
    default:
      for (;;) {
        if (left-- == 0) break;
        atomic_fetch_add(&x, 1);
      }
  }
#endif
  return unused;
}

static void* other(void* unused) {
#if SHAPE == 1
  atomic_store(&x, 1);
#else
  (void)atomic_load(&x);
  (void)atomic_load(&x);
#endif
  return unused;
}

int main(void) {
  (void)count;
  (void)other;
#if SHAPE == 1
  for (int i = 0; i < 3; i++) start(wait, i);
  start(other, 0);
#elif SHAPE == 2
  for (int i = 0; i < N; i++) start(wait, i);
#elif SHAPE == 6
  start(count, 0);
  for (int i = 0; i < 2; i++) start(wait, i);
#elif SHAPE == 8
  for (int i = 0; i < 2; i++) start(wait, i);
  start(other, 0);
#elif SHAPE == 9
  pthread_join(start(wait, 0), 0);
  assert(atomic_load(&x) == 2);
#else
  start(count, SHAPE == 3 ? 0 : 1);
  start(wait, 0);
#endif
  return 0;
}
