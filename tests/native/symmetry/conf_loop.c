//! sc: verified executions=744 flags="-- -DSMALL"
//! sc: verified executions=124 flags="--symmetry on -- -DSMALL"
//! sc: verified executions=124 flags="--symmetry on -j 2 -- -DSMALL"
//! rc20: verified executions=124 flags="--symmetry on -- -DSMALL"
//! sc: verified executions=5520 flags="--symmetry on"
// The counts are those that GenMC has published: 744 and 124, 128,160 and 5,520.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *once(void *unused) {
  int expected = 42;
  atomic_compare_exchange_strong(&x, &expected, 0);
  return 0;
}
void *to42(void *unused) {
  int r;
  do r = atomic_load(&x);
  while (!atomic_compare_exchange_strong(&x, &r, 42));
  return 0;
}
void *to0(void *unused) {
  int r;
  do r = atomic_load(&x);
  while (!atomic_compare_exchange_strong(&x, &r, 0));
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, once, 0);
#ifndef SMALL
  pthread_create(&t, 0, once, 0);
#endif
  pthread_create(&t, 0, to42, 0);
  pthread_create(&t, 0, to42, 0);
  pthread_create(&t, 0, to42, 0);
  pthread_create(&t, 0, to0, 0);
#ifndef SMALL
  pthread_create(&t, 0, to0, 0);
#endif
  return 0;
}
