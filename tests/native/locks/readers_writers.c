//! rc20: verified executions=4 blocked=0
//! sc: verified executions=4 blocked=0
//! tso: verified executions=4 blocked=0
//! rc20: verified executions=1 blocked=0 flags="-- -DREADERS=4 -DWRITERS=0"
//! rc20: verified executions=8 blocked=0 flags="-- -DREADERS=3 -DWRITERS=1"
//! rc20: verified executions=18 blocked=0 flags="-- -DREADERS=2 -DWRITERS=2"
//! rc20: verified executions=24 blocked=0 flags="-- -DREADERS=1 -DWRITERS=3"
//! rc20: verified executions=14 blocked=0 flags="-- -DTRY"
//! sc: verified executions=14 blocked=0 flags="-- -DTRY"
//! rc20: error=data-race line=@error flags="-- -DBUG"
// Each reader is before or after each writer, and writers are in some order: m! (m + 1)^k executions. TRY: somewhere
// the program tries to take such a lock, so readers are in an order, too: their comings and goings are in one of 6,
// and the writer is before or after them all, or, in the 2 orders in which they do not overlap, between them. BUG: a
// reader writes.
#include <assert.h>
#include <pthread.h>

#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 1
#endif

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;

static void *reader(void *unused) {
  pthread_rwlock_rdlock(&lock);
  assert(x == y);  // @error
#ifdef BUG
  x = y;
#endif
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void *writer(void *unused) {
  pthread_rwlock_wrlock(&lock);
  x++;
  y++;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[READERS + WRITERS];
  for (int i = 0; i < READERS + WRITERS; i++) pthread_create(&threads[i], 0, i < READERS ? reader : writer, 0);
  for (int i = 0; i < READERS + WRITERS; i++) pthread_join(threads[i], 0);
  assert(x == WRITERS && y == WRITERS);
#ifdef TRY
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
#endif
  return 0;
}
