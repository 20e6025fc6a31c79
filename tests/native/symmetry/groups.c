//! rc20: verified executions=10 flags="--symmetry on"
//! rc20: verified executions=96 flags="--symmetry off"
// Two groups: three threads that write x, which two others read. Without symmetry 3! * 4 * 4 executions.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *add(void *unused) {
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return 0;
}
void *read(void *unused) {
  atomic_load_explicit(&x, memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < 3; i++) pthread_create(&t, 0, add, 0);
  for (int i = 0; i < 2; i++) pthread_create(&t, 0, read, 0);
  return 0;
}
