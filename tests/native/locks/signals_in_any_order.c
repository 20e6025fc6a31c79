//! rc20: verified executions=108 flags="--no-spurious --liveness off -- -DORDER=await,await,look,wake,tell"
//! rc20: verified executions=108 flags="--no-spurious --liveness off -- -DORDER=look,await,await,wake,tell"
//! rc20: verified executions=108 flags="--no-spurious --liveness off -- -DORDER=look,wake,tell,await,await"
//! rc20: verified executions=108 flags="--no-spurious --liveness off -- -DORDER=wake,tell,look,await,await"
// Two threads wait at a condition variable, two others signal it, and one of these tells a fifth thread. The executions are the same
// whichever thread has which number. A signal that another one has overtaken may come first all the same, where there is nobody to wake,
// once the thread that looks has read something else than before.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
atomic_int told;

void *await(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}
void *wake(void *unused) {
  pthread_cond_signal(&condition);
  return 0;
}
void *tell(void *unused) {
  pthread_cond_signal(&condition);
  atomic_store_explicit(&told, 1, memory_order_relaxed);
  return 0;
}
void *look(void *unused) {
  atomic_load_explicit(&told, memory_order_relaxed);
  return 0;
}

int main(void) {
  void *(*const threads[])(void *) = {ORDER};
  for (int i = 0; i < 5; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, threads[i], 0);
  }
  return 0;
}
