// indexer(N): each of N threads puts four messages into a hash table (C. Flanagan and P. Godefroid, "Dynamic
// partial-order reduction", 2005); 8^(N-11) executions from N=11 on, 4,096 for N=15.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 15
#endif
#define SIZE 128

static atomic_int table[SIZE];

static void *insert(void *argument) {
  int tid = (int)(intptr_t)argument;
  for (int m = 1; m <= 4; m++) {
    int message = m * 11 + tid;
    int slot = (message * 7) % SIZE;
    for (int tries = 0; tries < SIZE; tries++) {
      int expected = 0;
      if (atomic_compare_exchange_strong_explicit(&table[slot], &expected, message, memory_order_relaxed,
                                                  memory_order_relaxed)) {
        break;
      }
      slot = (slot + 1) % SIZE;
    }
  }
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++) start(insert, i);
  return 0;
}
