// A race with what calloc writes is shown at the program's call.
//! rc20: error=data-race line=@use text="called" text="calloc(1, sizeof *made);"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pair { int a, b; };
_Atomic(struct pair*) shared;

void* maker(void* unused) {
  struct pair* made = calloc(1, sizeof *made);
  atomic_store_explicit(&shared, made, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, maker, NULL);
  struct pair* found = atomic_load_explicit(&shared, memory_order_relaxed);
  int b = found ? found->b : 0;  // @use
  pthread_join(thread, NULL);
  return b;
}
