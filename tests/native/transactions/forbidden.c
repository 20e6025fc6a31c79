//! rc20: error=misuse line=@spawn flags="-- -DSPAWN"
//! rc20: error=misuse line=@lock flags="-- -DLOCK"
//! rc20: error=misuse line=@wait flags="-- -DWAIT"
//! rc20: error=misuse line=@barrier flags="-- -DBARRIER"
//! rc20: error=misuse line=@created flags="-- -DLEAVE"
//! rc20: error=misuse line=@ended flags="-- -DENDED"
//! rc20: error=misuse line=@exits flags="-- -DEXITS"
//! rc20: verified executions=1 blocked=0
// What cannot be taken back is an error inside a transaction, where it is called. Nothing of it: transactions inside others, memory that
// is allocated and freed, output.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static atomic_int flag;

static void *nothing(void *p) { return p; }

static void *leave(void *p) {
#ifdef LEAVE
  heddle_transaction_begin();
#endif
  return p;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, leave, 0);  // @created
  pthread_join(thread, 0);
#ifdef ENDED
  heddle_transaction_end();  // @ended
#endif
  pthread_barrier_init(&barrier, 0, 1);
  heddle_transaction_begin();
#ifdef SPAWN
  pthread_create(&thread, 0, nothing, 0);  // @spawn
#endif
#ifdef LOCK
  pthread_mutex_lock(&mutex);  // @lock
#endif
#ifdef WAIT
  while (atomic_load(&flag) == 0) continue;  // @wait
#endif
#ifdef BARRIER
  pthread_barrier_wait(&barrier);  // @barrier
#endif
#ifdef EXITS
  exit(0);  // @exits
#endif
  heddle_transaction_begin();
  int *const block = malloc(sizeof *block);
  *block = 1;
  heddle_transaction_end();
  printf("%d\n", *block);
  free(block);
  heddle_transaction_end();
  (void)nothing;
  return 0;
}
