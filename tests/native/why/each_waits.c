//! rc20: error=non-termination
//! why: thread 1 (first) spins on x: it reads x = 0 again and again; thread 2 (second), who might write another value, waits, too.
//! why: thread 2 (second) spins on y: it reads y = 0 again and again; thread 1 (first), who might write another value, waits, too.
// Two loops, each of which waits for what the other thread stores after its own.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

void* first(void* unused) {
  while (!x) {
  }
  y = 1;
  return unused;
}
void* second(void* unused) {
  while (!y) {
  }
  x = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
