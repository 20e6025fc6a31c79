//! rc20: verified executions=1 blocked=0 flags="--symmetry on"
//! sc: verified executions=1 blocked=0 flags="--symmetry on --equivalence rf"
//! rc20: verified executions=1 blocked=0 flags="--symmetry on -j 2"
//! rc20: verified executions=120 blocked=0 flags="-- -DN=5"
//! rc20: verified executions=1 blocked=0 flags="--symmetry on -- -DN=5 -DUSED=0"
//! rc20: verified executions=120 blocked=0 flags="--symmetry on -- -DN=5 -DUSED=1"
// Threads that add to a counter. That each is given another number makes no difference if none of them looks at it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 8
#endif

atomic_int x;
int last;

void *add(void *number) {
#if USED
  if ((intptr_t)number == 100) last = 1;
#endif
  atomic_fetch_add(&x, 1);
  return number;
}

int main(void) {
  for (int i = 0; i < N; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, add, (void *)(intptr_t)i);
  }
  return 0;
}
