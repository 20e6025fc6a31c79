// Much local and plain-memory work between few atomics: each of N threads sieves primes in memory of its own, adds
// their number to a shared counter, shuffles and sorts a table on the heap, and adds again. (2N)! / 2^N executions, 90
// for N=3; each executes millions of instructions the first time and as much again as what a change of order touches.
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

#ifndef N
#define N 3
#endif
#ifndef WORK
#define WORK 20000
#endif

static atomic_int total;

static int count_primes(int limit) {
  char *composite = calloc((size_t)limit + 1, 1);
  int count = 0;
  for (int i = 2; i <= limit; i++) {
    if (composite[i]) continue;
    count++;
    for (long j = (long)i * i; j <= limit; j += i) composite[j] = 1;
  }
  free(composite);
  return count;
}

static unsigned next_random(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static void sift_down(unsigned *heap, int root, int size) {
  for (int child = 2 * root + 1; child < size; child = 2 * root + 1) {
    if (child + 1 < size && heap[child + 1] > heap[child]) child++;
    if (heap[root] >= heap[child]) return;
    unsigned swapped = heap[root];
    heap[root] = heap[child];
    heap[child] = swapped;
    root = child;
  }
}

static unsigned sorted_median(unsigned seed, int size) {
  unsigned *numbers = malloc((size_t)size * sizeof *numbers);
  for (int i = 0; i < size; i++) numbers[i] = next_random(&seed);
  for (int i = size / 2 - 1; i >= 0; i--) sift_down(numbers, i, size);
  for (int end = size - 1; end > 0; end--) {
    unsigned swapped = numbers[0];
    numbers[0] = numbers[end];
    numbers[end] = swapped;
    sift_down(numbers, 0, end);
  }
  unsigned median = numbers[size / 2];
  assert(numbers[0] <= median && median <= numbers[size - 1]);
  free(numbers);
  return median;
}

static void *work(void *argument) {
  int primes = count_primes(WORK);
  int before = atomic_fetch_add_explicit(&total, primes, memory_order_relaxed);
  unsigned median = sorted_median((unsigned)(intptr_t)argument + (unsigned)before, WORK / 10);
  atomic_fetch_add_explicit(&total, (int)(median % 7), memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) threads[i] = start(work, i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  return 0;
}
