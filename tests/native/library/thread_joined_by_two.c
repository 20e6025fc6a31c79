//! rc20: error=data-race line=@first|@second
//! rc20: error=joined-twice line=@second flags="-- -DORDERED"
//! rc20: verified executions=1 blocked=0 flags="-- -DMISS"
// Two threads join a third at the same time, or (ORDERED) one after the other.
#include <pthread.h>

pthread_t worker;

void* nothing(void* unused) { return unused; }

void* joins(void* unused) {
  pthread_join(worker, 0);  // @first
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&worker, 0, nothing, 0);
  pthread_create(&other, 0, joins, 0);
#if defined(ORDERED) || defined(MISS)
  pthread_join(other, 0);
#endif
#ifndef MISS
  pthread_join(worker, 0);  // @second
#endif
#if !defined(ORDERED) && !defined(MISS)
  pthread_join(other, 0);
#endif
}
