//! rc20: error=misuse line=@again flags="-- -DBARRIER"
//! rc20: error=misuse line=@again flags="-- -DMUTEX"
//! rc20: error=misuse line=@again flags="-- -DCOND"
//! rc20: error=misuse line=@again flags="-- -DRWLOCK"
//! rc20: error=misuse line=@again flags="-- -DSEMAPHORE"
//! rc20: error=misuse line=@again flags="-- -DMUTEX -DHEAP"
//! rc20: error=misuse line=@again flags="-- -DBARRIER -DOTHER_THREAD"
//! rc20: verified executions=1 blocked=0 flags="-- -DBARRIER -DGOOD"
//! rc20: verified executions=1 blocked=0 flags="-- -DMUTEX -DGOOD"
//! rc20: verified executions=1 blocked=0 flags="-- -DCOND -DGOOD"
//! rc20: verified executions=1 blocked=0 flags="-- -DRWLOCK -DGOOD"
//! rc20: verified executions=1 blocked=0 flags="-- -DSEMAPHORE -DGOOD"
//! rc20: verified executions=1 blocked=0 flags="-- -DBARRIER -DGOOD -DHEAP"
// To initialise an object again that has not been destroyed is an error. GOOD: it has been.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#if defined(BARRIER)
typedef pthread_barrier_t Object;
#define INIT(o) pthread_barrier_init(o, 0, 1)
#define USE(o) pthread_barrier_wait(o)
#define DESTROY(o) pthread_barrier_destroy(o)
#elif defined(MUTEX)
typedef pthread_mutex_t Object;
#define INIT(o) pthread_mutex_init(o, 0)
#define USE(o) (pthread_mutex_lock(o), pthread_mutex_unlock(o))
#define DESTROY(o) pthread_mutex_destroy(o)
#elif defined(COND)
typedef pthread_cond_t Object;
#define INIT(o) pthread_cond_init(o, 0)
#define USE(o) pthread_cond_signal(o)
#define DESTROY(o) pthread_cond_destroy(o)
#elif defined(RWLOCK)
typedef pthread_rwlock_t Object;
#define INIT(o) pthread_rwlock_init(o, 0)
#define USE(o) (pthread_rwlock_rdlock(o), pthread_rwlock_unlock(o))
#define DESTROY(o) pthread_rwlock_destroy(o)
#else
typedef sem_t Object;
#define INIT(o) sem_init(o, 0, 1)
#define USE(o) sem_wait(o)
#define DESTROY(o) sem_destroy(o)
#endif

static Object global;

static void* again(void* object) {
  INIT((Object*)object);  // @again
  return 0;
}

int main(void) {
  Object* object = &global;
#ifdef HEAP
  object = malloc(sizeof *object);
#endif
  INIT(object);
  USE(object);
#ifdef GOOD
  DESTROY(object);
#endif
#ifdef OTHER_THREAD
  pthread_t thread;
  pthread_create(&thread, 0, again, object);
  pthread_join(thread, 0);
#else
  again(object);
#endif
  USE(object);
  DESTROY(object);
#ifdef HEAP
  free(object);
#endif
}
