//! rc20: error=dead-frame line=@use
//! rc20: error=dead-frame line=@use flags="-- -DDEEP"
//! rc20: error=dead-frame line=@use flags="-- -DTHRD"
//! rc20: error=dead-frame|data-race line=@use|@exit flags="-- -DDETACHED"
//! sc: error=dead-frame line=@use flags="-j 2"
//! tso: error=dead-frame line=@use flags="--equivalence rf"
//! ra: verified executions=1 blocked=0 flags="-- -DGOOD"
// A thread's local variables end with it when it leaves by pthread_exit, those of its callers too.
#include <pthread.h>
#include <stdatomic.h>
#include <threads.h>

_Atomic(int*) local;

static void leave(void) {
  int own = 1;
#ifdef DEEP
  local = &own;
#endif
#ifdef THRD
  thrd_exit(own);
#else
  pthread_exit(0);  // @exit
#endif
}

static void* thread(void* unused) {
  int value = 5;
#ifndef GOOD
  local = &value;
#endif
  if (value == 5) leave();
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
#ifdef DETACHED
  pthread_detach(t);
#else
  pthread_join(t, 0);
#endif
  int* seen = local;
  return seen ? *seen : 0;  // @use
}
