//! rc11: error=assertion-failure line=@filled
//! armv8,riscv,power: verified executions=2 blocked=0
//! imm,c11-lb: error=assertion-failure line=@filled
//! armv8,riscv,power,imm,c11-lb: error=assertion-failure line=@filled flags="-- -DBRANCH"
//! armv8,riscv,power,imm,c11-lb: verified executions=2 blocked=0 flags="-- -DBRANCH -DACQUIRE"
// Message passing with a dependency between the reads, through plain memory: the index is kept in a structure on the heap, and
// found again. A branch between the reads orders nothing, an acquire does.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef ACQUIRE
#define LOOK memory_order_acquire
#else
#define LOOK memory_order_relaxed
#endif

struct reader {
  int unused, index;
};

static atomic_int data[2], flag;

static void *writer(void *unused) {
  atomic_store_explicit(&data[1], 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}

static void *read(void *unused) {
  struct reader *own = malloc(sizeof *own);
  own->index = atomic_load_explicit(&flag, LOOK);
#ifdef BRANCH
  const int index = own->index == 1;
  const int found = index ? atomic_load_explicit(&data[1], memory_order_relaxed) : 1;
#else
  const int found = own->index == 0 ? 1 : atomic_load_explicit(&data[own->index], memory_order_relaxed);
#endif
  free(own);
  assert(found == 1);  // @filled
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, writer, 0);
  pthread_create(&threads[1], 0, read, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
