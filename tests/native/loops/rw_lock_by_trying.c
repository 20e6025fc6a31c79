//! rc20: verified executions=14 blocked=3
//! sc: verified executions=14 blocked=3
//! rc20: verified executions=6 blocked=5 flags="-- -DREADERS=1 -DWRITERS=2"
//! rc20: error=data-race line=@error flags="-- -DWRONG"
// A lock of the Linux kernel for one writer or many readers. Both kinds of attempt take back what they have taken away, and
// then wait until another one is worth while. WRONG: a reader takes it without looking.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 1
#endif
#define BIAS 0x00100000

static atomic_int lock = BIAS;
static int data;

static void read_lock(void) {
  int before = atomic_fetch_sub_explicit(&lock, 1, memory_order_acquire);
#ifndef WRONG
  while (before <= 0) {
    atomic_fetch_add_explicit(&lock, 1, memory_order_relaxed);
    while (atomic_load_explicit(&lock, memory_order_relaxed) <= 0) {
    }
    before = atomic_fetch_sub_explicit(&lock, 1, memory_order_acquire);
  }
#else
  (void)before;
#endif
}

static void write_lock(void) {
  for (;;) {
    int before = atomic_fetch_sub_explicit(&lock, BIAS, memory_order_acquire);
    if (before == BIAS) break;
    atomic_fetch_add_explicit(&lock, BIAS, memory_order_relaxed);
    while (atomic_load_explicit(&lock, memory_order_relaxed) != BIAS) {
    }
  }
}

static void *reader(void *unused) {
  read_lock();
  assert(data >= 0 && data <= WRITERS);  // @error
  atomic_fetch_add_explicit(&lock, 1, memory_order_release);
  return unused;
}

static void *writer(void *unused) {
  write_lock();
  data++;
  atomic_fetch_add_explicit(&lock, BIAS, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t threads[READERS + WRITERS];
  for (int i = 0; i < READERS + WRITERS; i++) pthread_create(&threads[i], 0, i < READERS ? reader : writer, 0);
  for (int i = 0; i < READERS + WRITERS; i++) pthread_join(threads[i], 0);
  assert(data == WRITERS);
  assert(atomic_load(&lock) == BIAS);
  return 0;
}
