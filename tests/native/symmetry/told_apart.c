//! rc20: error=data-race flags="--symmetry on -- -DSTARTS"
//! rc20: error=data-race flags="--symmetry on -- -DJOINS"
//! rc20: error=data-race flags="--symmetry on -- -DPLAIN_STARTS"
//! rc20: error=data-race flags="--symmetry on -- -DPLAIN_JOINS"
//! rc20: error=data-race flags="--symmetry on -- -DREAD"
//! rc20: error=assertion-failure flags="--symmetry on -- -DNUMBER"
//! rc20: error=assertion-failure flags="--symmetry on -- -DVALUE"
//! rc20: error=assertion-failure flags="--symmetry on -- -DRESULT"
//! rc20: error=assertion-failure flags="--symmetry on -- -DBLOCK"
//! rc20: error=assertion-failure flags="--symmetry on -- -DEVENT"
//! rc20: error=assertion-failure flags="--symmetry on -- -DEVENT_JOINS"
// Each of these has an error in only one of two executions that are the same but for the order of two threads: the second thread, say,
// has to be the first one at the counter. Symmetry would choose the other one. So the threads must be told apart.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

atomic_int turn, flag;
int shared;
pthread_t threads[2], winner;

void *work(void *number) {
  const int first = atomic_fetch_add_explicit(&turn, 1, memory_order_relaxed) == 0;
  (void)first;
#if defined STARTS || defined READ
  // Of the two it is the first thread that races with what main does after it has started it.
  if (!first) shared = 1;
#elif defined JOINS
  // And the second one that races with what main does before it joins it.
  if (first) shared = 1;
#elif defined PLAIN_STARTS || defined PLAIN_JOINS
  if (
#ifdef PLAIN_STARTS
      !
#endif
      first)
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
#elif defined NUMBER
  if (first) winner = pthread_self();
#elif defined VALUE
  assert(first || (intptr_t)number != 0);
#elif defined EVENT
  assert(first || atomic_load_explicit(&flag, memory_order_relaxed) == 1);
#elif defined RESULT
  return first ? &shared : 0;
#elif defined BLOCK
  *(int *)number = first;
#elif defined EVENT_JOINS
  if (first) atomic_store_explicit(&flag, 1, memory_order_relaxed);
#endif
  return 0;
}

int main(void) {
  void *arguments[2] = {0, (void *)1}, *results[2] = {0};
#ifdef BLOCK
  arguments[0] = calloc(1, sizeof(int));
#endif
  pthread_create(&threads[0], 0, work, arguments[0]);
#if defined STARTS
  shared = 2;
#elif defined READ
  *(volatile int *)&shared;
#elif defined PLAIN_STARTS
  const int seen = *(volatile int *)&flag;
  (void)seen;
#elif defined EVENT
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
#endif
#ifdef BLOCK
  arguments[1] = calloc(1, sizeof(int));
#endif
  pthread_create(&threads[1], 0, work, arguments[1]);
#ifdef RESULT
  pthread_join(threads[0], &results[0]);
#else
  pthread_join(threads[0], 0);
#endif
#if defined JOINS
  shared = 2;
#elif defined PLAIN_JOINS
  const int seen = *(volatile int *)&flag;
  (void)seen;
#elif defined EVENT_JOINS
  assert(atomic_load_explicit(&flag, memory_order_relaxed) == 1);
#endif
  pthread_join(threads[1], 0);
#if defined RESULT
  assert(results[0] != 0);
#elif defined BLOCK
  assert(*(int *)arguments[0] != 0);
#elif defined NUMBER
  assert(pthread_equal(winner, threads[0]));
#endif
  return 0;
}
