//! rc20: verified executions=2 blocked=1
//! sc: verified executions=2 blocked=1
// One of two threads runs the function; the other sees its end, or (blocked) sees that it is running and waits.
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int data;

void initialise(void) { ++data; }

void* use(void* unused) {
  pthread_once(&once, initialise);
  assert(data == 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, use, 0);
  pthread_create(&b, 0, use, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
