// mp(L): message passing, whose reader looks for the message at most N = L times (M. Kokologiannakis' thesis, table
// 10.2). The reader sees the flag in any of its rounds, or in none: L + 1 executions.
#include <assert.h>
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 10
#endif

static atomic_int data, flag;

static void *writer(void *unused) {
  atomic_store_explicit(&data, 42, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}

static void *reader(void *unused) {
  for (int i = 0; i < N; i++) {
    if (atomic_load_explicit(&flag, memory_order_acquire) != 1) continue;
    assert(atomic_load_explicit(&data, memory_order_relaxed) == 42);
    break;
  }
  return unused;
}

int main(void) {
  start(writer, 0);
  start(reader, 0);
  return 0;
}
