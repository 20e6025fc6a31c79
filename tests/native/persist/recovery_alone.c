//! sc: verified executions=2 blocked=0 flags="--persistency strict"
//! sc: error=recovery line=@write text="recovery writes to x" flags="--persistency strict -- -DWRITE"
//! sc: error=recovery line=@heap text="memory of the program that has crashed" flags="--persistency strict -- -DHEAP"
//! sc: error=recovery line=@loop text="recovery never ends" flags="--persistency strict -- -DLOOP"
//! sc: error=recovery line=@lock flags="--persistency strict -- -DLOCK"
//! sc: error=recovery line=@null text="null pointer access" flags="--persistency strict -- -DNULL_POINTER"
//! sc: verified executions=2 blocked=2 flags="--persistency strict -- -DASSUME"
//! sc: rejected text="heddle_recovery" flags="--persistency strict -- -DNONE"
//! sc: verified executions=1 blocked=0
// Recovery is a program that starts anew: globals have their initial values, the heap is empty, nobody holds a lock. It reads durable
// memory, and does not write it.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

HEDDLE_PERSISTENT int x;
HEDDLE_PERSISTENT int *block;

static int plain = 5;
static atomic_int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  atomic_fetch_add(&counter, 1);
  plain = 6;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  block = malloc(sizeof *block);
  *block = 7;
  x = 1;
  pthread_mutex_lock(&mutex);  // and the program crashes with it
  return 0;
}

#ifndef NONE
void heddle_recovery(void) {
  heddle_assert(plain == 5);
  heddle_assert(atomic_load(&counter) == 0);
  heddle_assert(atomic_fetch_add(&counter, 3) == 0 && counter == 3);
  plain = 8;
  pthread_mutex_lock(&mutex);
  heddle_assert(plain == 8);
  pthread_mutex_unlock(&mutex);
  int *own = malloc(sizeof *own);
  *own = x;
  heddle_assert(*own == x);
  free(own);
#ifdef ASSUME
  heddle_assume(heddle_choose(2) == 0);
#endif
#ifdef WRITE
  x = 2;  // @write
#endif
#ifdef HEAP
  if (x == 1 && block) heddle_assert(*block == 7);  // @heap
#endif
#ifdef LOOP
  while (atomic_load(&counter) != 4) {  // @loop
  }
#endif
#ifdef LOCK
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);  // @lock
#endif
#ifdef NULL_POINTER
  if (x == 0) *(volatile int *)0 = 1;  // @null
#endif
}
#endif
