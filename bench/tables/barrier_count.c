// barrier-count(N): thread i waits at the barriers k = i, ..., N, and the threads that get through in each round are
// counted (M. Kokologiannakis' thesis, table 10.10). The thesis does not print the program; this one fits the
// description and its counts: a thread announces itself before it waits, and the first thread takes the count between
// two meetings. In round k the k - 1 threads of earlier rounds announce themselves in (k-1)! orders; the newcomer has
// been waiting to do so all along, at any of (k^2 + 3k - 2) / 2 places. 64, 4,992 and 2,276,352 executions, 0
// blocked. If the orders of arrivals are explored, too, 55,296 for three threads are 864 = 2!^2 * 3!^3 times as many: so all
// threads meet once more, which is at the beginning here.
#include <assert.h>
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 3
#endif

static pthread_barrier_t all, barriers[N + 1];
static atomic_int arrived;

static void *pass(void *argument) {
  int self = (int)(intptr_t)argument;
  pthread_barrier_wait(&all);
  for (int k = self; k <= N; k++) {
    atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed);
    pthread_barrier_wait(&barriers[k]);
    if (self == 1) {
      int count = atomic_exchange_explicit(&arrived, 0, memory_order_relaxed);
      assert(count >= k - 1 && count <= N);
    }
    pthread_barrier_wait(&barriers[k]);
  }
  return 0;
}

int main(void) {
  pthread_barrier_init(&all, 0, N);
  for (int k = 1; k <= N; k++) pthread_barrier_init(&barriers[k], 0, (unsigned)k);
  for (int i = 1; i <= N; i++) start(pass, i);
  return 0;
}
