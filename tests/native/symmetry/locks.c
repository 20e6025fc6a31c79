//! rc20: verified executions=24 flags="-- -DN=4"
//! rc20: verified executions=1 flags="--symmetry on -- -DN=4"
//! rc20: verified executions=1 flags="--symmetry on -- -DN=4 -DTTAS"
//! rc20: verified executions=1 flags="--symmetry on -- -DN=4 -DBARRIER"
//! rc20: error=assertion-failure line=@wrong flags="--symmetry on -- -DN=3 -DWRONG"
//! rc20: error=data-race flags="--symmetry on -- -DN=3 -DRACE"
// Critical sections of threads that are joined in the end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_barrier_t barrier;
atomic_int taken;
int count;

static void lock(void) {
#ifdef TTAS
  while (atomic_exchange_explicit(&taken, 1, memory_order_acquire)) {
    while (atomic_load_explicit(&taken, memory_order_relaxed)) {
    }
  }
#elif !defined RACE
  pthread_mutex_lock(&mutex);
#endif
}
static void unlock(void) {
#ifdef TTAS
  atomic_store_explicit(&taken, 0, memory_order_release);
#elif !defined RACE
  pthread_mutex_unlock(&mutex);
#endif
}

void *work(void *unused) {
#ifdef BARRIER
  pthread_barrier_wait(&barrier);
#endif
  lock();
  const int mine = count++;
  unlock();
#ifdef WRONG
  assert(mine != N - 1);  // @wrong
#endif
  return mine >= 0 ? 0 : unused;
}

int main(void) {
  pthread_t threads[N];
  pthread_barrier_init(&barrier, 0, N);
  for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  assert(count == N);
  return 0;
}
