//! rc20: error=double-free|data-race line=@error
//! why: An interleaving of the threads, the one above, leads there: it is no matter of memory orders.
// Both threads find that they are the last one.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int users = 2;
void* block;

void* leave(void* unused) {
  const int left = atomic_load(&users) - 1;
  atomic_store(&users, left);
  if (left == 0 || left == 1) free(block);  // @error
  return unused;
}

int main(void) {
  block = malloc(8);
  pthread_t a, b;
  pthread_create(&a, 0, leave, 0);
  pthread_create(&b, 0, leave, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
