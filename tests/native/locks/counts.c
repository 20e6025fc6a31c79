//! rc20: verified executions=6 blocked=0
//! sc: verified executions=6 blocked=0
//! tso: verified executions=6 blocked=0
//! rc20: verified executions=24 blocked=0 flags="-- -DN=4"
//! rc20: verified executions=6 blocked=0 flags="-- -DKIND=SPIN"
//! rc20: verified executions=24 blocked=0 flags="-- -DN=4 -DKIND=SPIN"
//! rc20: verified executions=6 blocked=0 flags="-- -DKIND=RECURSIVE"
//! rc20: verified executions=24 blocked=0 flags="-- -DN=4 -DKIND=RECURSIVE"
//! rc20: verified executions=6 blocked=0 flags="-- -DKIND=WRITE"
//! rc20: verified executions=24 blocked=0 flags="-- -DN=4 -DKIND=WRITE"
//! rc20: verified executions=6 blocked=0 flags="-- -DKIND=SEMAPHORE"
//! rc20: verified executions=24 blocked=0 flags="-- -DN=4 -DKIND=SEMAPHORE"
// N threads that take a lock once: N! executions, whichever lock it is, and nobody is ever seen to wait.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define MUTEX 0
#define SPIN 1
#define RECURSIVE 2
#define WRITE 3
#define SEMAPHORE 4
#ifndef KIND
#define KIND MUTEX
#endif
#ifndef N
#define N 3
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive;
static pthread_spinlock_t spin;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static int counter;

static void *work(void *unused) {
#if KIND == MUTEX
  pthread_mutex_lock(&mutex);
  counter++;
  pthread_mutex_unlock(&mutex);
#elif KIND == SPIN
  pthread_spin_lock(&spin);
  counter++;
  pthread_spin_unlock(&spin);
#elif KIND == RECURSIVE
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&recursive);
  counter++;
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&recursive);
#elif KIND == WRITE
  pthread_rwlock_wrlock(&lock);
  counter++;
  pthread_rwlock_unlock(&lock);
#else
  sem_wait(&semaphore);
  counter++;
  sem_post(&semaphore);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[N];
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  sem_init(&semaphore, 0, 1);
  for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  assert(counter == N);
  return 0;
}
