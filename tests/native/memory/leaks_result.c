//! rc20: error=memory-leak line=@allocate flags="--leaks"
//! rc20: error=memory-leak line=@allocate flags="--leaks -- -DDETACHED"
//! rc20: error=memory-leak line=@allocate flags="--leaks=all"
//! rc20: error=memory-leak line=@allocate flags="--leaks -- -DEXIT"
//! rc20: error=memory-leak line=@allocate flags="--leaks -- -DTHREAD_LOCAL"
//! rc20: verified executions=1 blocked=0 flags="--leaks=all -- -DGOOD"
//! rc20: verified executions=1 blocked=0 flags="--leaks -- -DGOOD"
// The result of a thread that nobody asks for is lost, and so is what only its thread_locals point to.
#include <pthread.h>
#include <stdlib.h>

static _Thread_local int* own;

static void* thread(void* unused) {
  int* result = malloc(sizeof *result);  // @allocate
#ifdef THREAD_LOCAL
  own = result;
  return unused;
#endif
#ifdef EXIT
  pthread_exit(result);
#endif
  return result;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
#if defined(DETACHED)
  pthread_detach(t);
#elif defined(GOOD)
  void* result;
  pthread_join(t, &result);
  free(result);
#else
  pthread_join(t, 0);
#endif
  return 0;
}
