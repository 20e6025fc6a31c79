//! rc20: verified executions=4 blocked=0 flags="-- -DREADERS"
//! rc20: verified executions=4 blocked=0 flags="-- -DCONDITION"
//! rc20: verified executions=2 blocked=0 flags="-- -DSEMAPHORE"
// Locks of all kinds in a program of mixed sizes: a writer between two readers, a thread that waits to be signalled
// or wakes up by itself, a semaphore.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static union {
  atomic_uint word;
  _Atomic unsigned char bytes[4];
} mixed;

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int x, y;

static void *first(void *unused) {
#if defined(READERS)
  pthread_rwlock_rdlock(&lock);
  assert(x == y);
  pthread_rwlock_unlock(&lock);
#elif defined(CONDITION)
  pthread_mutex_lock(&mutex);
  while (!x) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
#else
  sem_wait(&semaphore);
  x++;
  sem_post(&semaphore);
#endif
  return unused;
}

static void *second(void *unused) {
#if defined(READERS)
  pthread_rwlock_wrlock(&lock);
  x = 1;
  y = 1;
  pthread_rwlock_unlock(&lock);
#elif defined(CONDITION)
  pthread_mutex_lock(&mutex);
  x = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
#else
  sem_wait(&semaphore);
  x++;
  sem_post(&semaphore);
#endif
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&semaphore, 0, 1);
  mixed.bytes[0] = 1;
  assert(mixed.word == 1);
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
#ifdef READERS
  first(0);
#endif
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
