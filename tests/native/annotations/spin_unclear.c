//! rc20: bounded text="it allocates or frees memory" flags="--unroll 2 -- -DALLOCATES"
//! rc20: bounded text="it makes a choice" flags="--unroll 2 -- -DCHOOSES"
//! rc20: verified executions=1 blocked=0 flags="-- -DEXPECTED"
//! rc20: verified executions=2 blocked=0 flags="-- -DLEFT"
//! rc20: verified executions=2 text="scratch is not what it was" flags="-- -DREWRITES"
// Rounds that are marked as in vain, of which it is not clear whether they are: they are explored like others. A variable of a round
// that a compare-exchange writes is none of these (EXPECTED). A loop that is left after the mark is left (LEFT). Memory that the next
// round writes anew may be different after the first round, but not after the second (REWRITES).
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static int depth, scratch;

static void *set(void *unused) {
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}

static int look(void) {
  int found = 0;
#ifdef ALLOCATES
  int *copy = malloc(sizeof *copy);
  *copy = atomic_load_explicit(&flag, memory_order_acquire);
  found = *copy;
  free(copy);
#elif defined(CHOOSES)
  if (heddle_choose(2) == 1) found = atomic_load_explicit(&flag, memory_order_acquire);
  found |= atomic_load_explicit(&flag, memory_order_relaxed);
#elif defined(EXPECTED)
  int expected = 1;
  found = atomic_compare_exchange_strong(&flag, &expected, 1);
#else
  depth++;
  found = atomic_load_explicit(&flag, memory_order_acquire);
  depth--;
#endif
  return found;
}

static int (*volatile called)(void) = look;  // is not inlined

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
#ifdef LEFT
  for (int i = 0;; i++) {
    const int found = called();
    if (found) break;
    heddle_spin_end(0);
    if (i == 0) break;
  }
#else
  for (;;) {
#ifdef REWRITES
    scratch = 2;
#endif
    const int found = called();
#ifdef REWRITES
    scratch = found + 1;
#endif
    heddle_spin_end(found);
    if (found) break;
  }
#endif
  pthread_join(thread, 0);
  heddle_assert(depth == 0 && scratch >= 0);
  return 0;
}
