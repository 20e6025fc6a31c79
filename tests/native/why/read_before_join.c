//! rc20: error=data-race line=@read|@write flags="--suggest"
//! why: Nothing orders the two accesses.
//! why: what is missing is a lock, a join, or an atomic access by which one thread waits for the other.
//! why: No change is suggested
// The result is read before the thread has been joined.
#include <pthread.h>

int result;

void* compute(void* unused) {
  result = 42;  // @write
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, compute, 0);
  const int early = result;  // @read
  pthread_join(thread, 0);
  return early == 1;
}
